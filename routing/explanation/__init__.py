"""Router + Email -> Explanation: which words spoke for a route, and whether to believe that."""
