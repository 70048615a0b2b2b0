"""Routers tried on suites: all that ``python -m routing.compare`` then makes a report from."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from routing.corpus.sources import Splits, load_splits
from routing.corpus.suites import make_suite
from routing.errors import CorpusError, SettingsError
from routing.evaluation.predictions import Evidence, Facts, Trial
from routing.settings import Settings
from routing.training.contestants import (
    enter,
    find_entrants,
    is_config,
    settings_of,
    sort_out,
)
from routing.training.disorders import DISORDERS
from routing.training.fewshot import fit_curve
from routing.training.trials import (
    SHUFFLE,
    Suite,
    check_routes,
    check_seen,
    measure_speed,
    pair_suite,
    probe_suite,
    read_suite,
    run_trial,
    run_trials,
    standard_suites,
)

FEW_SHOT_SUITES = ("in_distribution", "written")
"""Suites on which few-shot curves over the Cartwise corpus are measured."""


def gather(
    sources: Sequence[Path],
    *,
    on: str | None,
    pairs: int,
    seeds: int,
    audit: bool,
    folder: Path,
    say: Callable[[str], None],
    follow: Callable[..., Iterable[Trial]],
) -> Evidence:
    """Return what run folders, configs and controls say of every suite.

    Args:
        sources: run folders and configs.
        on: file of pairs or labelled e-mails, None for the standard suites.
        pairs: most pairs of a standard suite.
        seeds: fits of each config, into ``folder``.
        audit: disturb the order of the e-mails in every way, not by a shuffle alone.
        folder: of the fitted runs.
        say: hears what is done.
        follow: is given the trials as they come and ``total``, and passes them on.

    Raises what ``enter``, ``read_suite`` and ``check_routes`` raise.
    """
    settings = settings_of(find_entrants(sources)[0][0])
    suites = [read_suite(on, settings)] if on else standard_suites(pairs=pairs)
    wanted = frozenset(item.route for suite in suites for item in suite.emails if item.route)
    sources, left_out = sort_out(sources, wanted=wanted)
    entry = enter(sources, seeds=seeds, folder=folder, say=say)
    known = {each.facts.router: each.routes for each in entry.contestants}
    notes = (
        *left_out,
        *entry.notes,
        *check_routes(known, suites),
        *check_seen(suites, entry.trained_on),
    )
    routers = tuple(measure_speed(each, suites[0]) for each in entry.contestants)
    suites.append(probe_suite())
    found = run_trials(entry.contestants, suites, disorders=DISORDERS if audit else SHUFFLE)
    trials = follow(found, total=len(suites) * len(entry.contestants))
    return Evidence(tuple(trials), routers, notes)


def gather_few_shot(
    sources: Sequence[Path],
    *,
    sizes: Sequence[int],
    on: str | None,
    pairs: int,
    seeds: int,
    folder: Path,
    say: Callable[[str], None],
) -> Evidence:
    """Return what configs, fitted on few e-mails of each route and on more, say of test e-mails.

    All of them learn from the same draws of the training e-mails that the first one names. The
    facts are those of the fits on most e-mails. Arguments as for ``gather``; ``sizes`` are e-mails
    of each route.

    Raises:
        SettingsError: a source that is no config, configs that name different e-mails.
        CorpusError: fewer e-mails than the least size, or none to test on.
    """
    configs = read_configs(sources)
    first, settings = next(iter(configs.items()))
    splits = load_splits(settings)
    suites = few_shot_suites(settings, splits, on=on, pairs=pairs)
    routes = sorted({item.route for item in splits.train})
    learned_from = frozenset((item.email.subject, item.email.text) for item in splits.train)
    notes = [*check_routes({first: routes}, suites), *check_seen(suites, learned_from)]
    trials: list[Trial] = []
    facts: dict[int, list[Facts]] = {}
    for per_route, contestant in fit_curve(
        configs, splits, folder=folder, sizes=sizes, seeds=seeds, say=say
    ):
        trials += (replace(run_trial(contestant, s), per_route=per_route) for s in suites)
        facts.setdefault(per_route, []).append(contestant.facts)
    notes += _few_shot_notes(first, configs, asked=sizes, done=sorted(facts))
    return Evidence(tuple(trials), tuple(facts[max(facts)]), tuple(notes))


def read_configs(sources: Sequence[Path]) -> dict[str, Settings]:
    """Return the settings of configs by name.

    Raises SettingsError for what is no config, and for configs that name different e-mails. How
    the first one parts them holds for all.
    """
    entrants = find_entrants(sources)
    for source, _ in entrants:
        if not is_config(source):
            raise SettingsError(
                f"{source} is a run folder, which has learned already: few-shot curves fit anew; "
                "give configs, e.g. configs/lstm.yaml"
            )
    found = {name: settings_of(source) for source, name in entrants}
    first = next(iter(found))
    for name, settings in found.items():
        if _named_emails(settings) != _named_emails(found[first]):
            raise SettingsError(
                f"{name} and {first} name different data: few-shot curves draw from the same "
                "e-mails; give configs with the same data settings"
            )
    return found


def _named_emails(settings: Settings) -> dict[str, Any]:
    """Return the data settings but for how large a share is cut off for what."""
    return settings.data.model_dump(exclude={"validation_share", "test_share"})


def few_shot_suites(
    settings: Settings, splits: Splits, *, on: str | None, pairs: int
) -> list[Suite]:
    """Return what few-shot curves are measured on.

    That is a file ``on``, two suites (of at most ``pairs`` pairs) for the Cartwise corpus, else
    the test split. Raises CorpusError where there is none.
    """
    if on:
        return [read_suite(on, settings)]
    if settings.data.train is None:
        return [pair_suite(name, make_suite(name, count=pairs)) for name in FEW_SHOT_SUITES]
    if not splits.test:
        raise CorpusError(
            f"data.test_share {settings.data.test_share:g} leaves no e-mails to test on: give "
            "--on FILE, or data.test in the configs"
        )
    return [Suite("test", splits.test)]


def _few_shot_notes(
    first: str, configs: Mapping[str, Settings], *, asked: Sequence[int], done: Sequence[int]
) -> Iterator[str]:
    if len(configs) > 1:
        yield f"All learned from the same draws of the training e-mails that {first} names."
    yield (
        f"Training time, size and course are those of the fits on {done[-1]:,} e-mails of each "
        "route."
    )
    if more := sorted({*asked} - {*done}):
        yield f"Left out, as no route has so many e-mails: {', '.join(map(str, more))} of each."
