"""Small evidence, worked by hand, that the tests of this room share."""

from collections.abc import Mapping, Sequence

from routing.evaluation.predictions import Epoch, Evidence, Facts, Prediction, Trial

ROUTES = ("delivery", "refunds")


def said(route: str, delivery: float, **more: object) -> Prediction:
    """Return a prediction that gives ``delivery`` so much probability."""
    name = str(more.pop("id", f"{route}-{delivery}"))
    chances = {"delivery": delivery, "refunds": 1 - delivery}
    return Prediction(id=name, route=route, probabilities=chances, **more)  # type: ignore[arg-type]


def pair(
    name: str,
    delivery: float,
    refunds: float,
    *,
    phenomenon: str = "owed",
    distance: int | None = 3,
    changed: Mapping[str, float] | None = None,
) -> list[Prediction]:
    """Return a pair; the numbers are what each member's own route gets."""
    moved = {n: {"delivery": p, "refunds": 1 - p} for n, p in (changed or {}).items()}
    more = {"pair": name, "phenomenon": phenomenon, "distance": distance, "bag": name}
    return [
        said("delivery", delivery, id=f"{name}/delivery", changed=moved, **more),
        said("refunds", 1 - refunds, id=f"{name}/refunds", changed=moved, **more),
    ]


def trial(router: str, seed: int, suite: str, *members: Sequence[Prediction]) -> Trial:
    """Return a trial of pairs."""
    return Trial(router, seed, suite, tuple(item for each in members for item in each))


def small_evidence() -> Evidence:
    """Return a reader with two seeds and a counter on two suites of pairs, and a probe."""
    shuffled = {"shuffled": 0.5}
    trials = []
    for suite in ("near", "far <b>&"):
        good = [pair(f"p{i}", 0.9, 0.8, changed=shuffled, distance=4 * i) for i in range(8)]
        poor = [pair(f"p{i}", 0.9, 0.2, changed=shuffled, distance=4 * i) for i in range(8)]
        trials += [
            trial("reader", 0, suite, *good),
            trial("reader", 1, suite, *good[:6], *poor[6:]),
            trial("counter", 0, suite, *poor),
        ]
    probe = (said("", 0.7, id="x", phenomenon="empty", decision="review"),)
    trials.append(Trial("reader", 0, "out_of_scope", probe))
    history = (Epoch(1, 0.9, 0.8, 0.6), Epoch(2, 0.4, 0.5, 0.9))
    routers = (
        Facts("reader", 0, "neural", 4000, 1000, 60.0, 500, 100.0, history),
        Facts("reader", 1, "neural", 4000, 1000, 70.0, 500, 120.0, history),
        Facts("counter", 0, "counting", 80, 10, 1.0, 500, 2000.0),
    )
    return Evidence(tuple(trials), routers, ("A note <i>.",))
