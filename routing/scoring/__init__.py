"""Router + many e-mails -> decisions, in bounded memory, in order."""
