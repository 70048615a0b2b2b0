"""``python -m routing.fit``: labelled e-mails in, a trained router in a run folder out."""

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from routing.errors import RoutingError, RunError, SettingsError
from routing.flags import load_settings, read_flags
from routing.settings import Settings

STARTERS = ("naive_bayes", "lstm", "transformer")
EPILOG = """examples:
  python -m routing.fit                                   three starters, their comparison
  python -m routing.fit --config configs/lstm.yaml --data.train mail.csv --out runs/mine
  python -m routing.fit --resume runs/mine                go on where a run was stopped
"""


def main(arguments: list[str] | None = None) -> int:
    """Fit as the command line says; return 0, 2 on wrong use, 130 when stopped by Ctrl-C."""
    rank = int(os.environ.get("RANK") or os.environ.get("LOCAL_RANK") or 0)
    try:
        options, flags = _parse(sys.argv[1:] if arguments is None else arguments)
        plans = _plan(options, flags)
        if options.print_config:
            return _print_settings(plans)
        return _fit(plans, resume=options.resume is not None)
    except RoutingError as error:
        print(f"routing.fit: {f'process {rank}: ' if rank else ''}{error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stop:
        if rank:
            return 0
        print(f"\nrouting.fit: stopped; {stop or 'nothing was kept'}", file=sys.stderr)
        return 130


def _parse(arguments: list[str]) -> tuple[argparse.Namespace, Mapping[str, Any]]:
    parser = argparse.ArgumentParser(
        prog="python -m routing.fit",
        description="Fit a router. Without --config: the three starters on the Cartwise corpus.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="YAML file of settings")
    parser.add_argument("--out", type=Path, metavar="RUN", help="run folder (default: runs/NAME)")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="go on with a stopped run")
    parser.add_argument("--print_config", action="store_true", help="print the settings and stop")
    flags = read_flags(parser, arguments)
    return parser.parse_args(arguments), flags


def _plan(options: argparse.Namespace, flags: Mapping[str, Any]) -> dict[Path, Settings]:
    """Return the settings of each run folder to be fitted."""
    if options.resume:
        if flags or options.config or options.out:
            raise SettingsError("--resume goes on with the run's own settings: give nothing else")
        if not (options.resume / "settings.yaml").is_file():
            raise RunError(f"{options.resume} is no run folder: it holds no settings.yaml")
        return {options.resume: load_settings(options.resume / "settings.yaml")}
    if options.config or "kind" in flags.get("model", {}):
        name = options.config.stem if options.config else flags["model"]["kind"]
        return {options.out or Path("runs") / name: load_settings(options.config, flags)}
    if "model" in flags:
        names = ", ".join(f"--model.{name}" for name in flags["model"])
        raise SettingsError(f"{names}: not for all starters: add --config, e.g. configs/lstm.yaml")
    out = options.out or Path("runs")
    return {out / name: load_settings(_configs() / f"{name}.yaml", flags) for name in STARTERS}


def _configs() -> Path:
    checkout = Path(__file__).resolve().parents[1] / "configs"
    return checkout if checkout.is_dir() else Path(sys.prefix) / "share" / "routing" / "configs"


def _print_settings(plans: Mapping[Path, Settings]) -> int:
    from yaml import safe_dump

    for folder, settings in plans.items():
        print(f"# {folder}\n{safe_dump(settings.model_dump(mode='json'), sort_keys=False)}")
    return 0


def _fit(plans: Mapping[Path, Settings], *, resume: bool) -> int:
    from rich.console import Console

    from routing.evaluation.report import comparison_table
    from routing.explanation.sample import check_run
    from routing.router import Router
    from routing.training.notes import fit_notes
    from routing.training.run import fit_run, is_first_process
    from routing.training.starters import compare_starters, fit_beside, whole_command

    console = Console(quiet=not is_first_process(), soft_wrap=True, highlight=False)
    command = whole_command([sys.executable, "-m", "routing.fit", *sys.argv[1:]])
    how: dict[str, Any] = {"resume": resume, "progress": console.is_terminal, "command": command}
    routers: dict[str, Router] = {}
    with fit_beside(plans, resume=resume, command=command) as beside:
        for folder, settings in plans.items():
            if settings.model.kind == "note":
                console.print(f"{folder}: {fit_notes(settings, folder=folder, **how).line()}")
            elif beside is not None and folder == beside.folder:
                console.print(beside.wait())
                routers[folder.name] = Router.load(folder)
            else:
                fitted = fit_run(settings, folder=folder, **how)
                routers[folder.name], splits = fitted.router, fitted.splits
                console.print(f"{folder}: {settings.model.kind}, {fitted.metrics.line()}")
                if is_first_process():
                    check_run(fitted.router, folder, [i.email for i in splits.validation])
    if len(routers) > 1 and is_first_process():
        console.print(comparison_table(compare_starters(routers, splits)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
