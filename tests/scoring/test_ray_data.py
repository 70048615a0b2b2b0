import subprocess
import sys
from pathlib import Path

import pytest

from routing.errors import SettingsError
from routing.scoring.job import Job
from routing.scoring.ray_data import run_on_ray
from routing.scoring.records import Wishes
from tests.scoring.runs import make_run, read_lines, write_eml, write_rows

pytest.importorskip("ray", reason="the extra ray is not installed")


@pytest.mark.slow
def test_ray_gives_the_decisions_of_one_machine(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    run = make_run(tmp_path / "run", "bayes")
    rows, mail = write_rows(tmp_path / "mail.jsonl", 25), tmp_path / "mail"
    write_eml(mail / "a.eml", 1)
    (mail / "b.eml").write_text("")
    arguments = [str(run), str(rows), str(mail), "--window", "4", "--workers", "1"]
    start = [sys.executable, "-m", "routing.score", *arguments]
    local = subprocess.run(start, check=False, capture_output=True)
    out = tmp_path / "out.parquet"
    ray = subprocess.run(
        [*start, "--engine", "ray", "--output", str(out)], check=False, capture_output=True
    )
    assert ray.returncode == local.returncode == 1, ray.stderr.decode()
    assert b"b.eml: empty file" in ray.stderr
    table = sorted(pq.read_table(out).to_pylist(), key=lambda row: row["order"])
    expected = read_lines(local.stdout)
    assert len(table) == len(expected) == 27
    for row, line in zip(table, expected, strict=True):
        assert {name: row[name] for name in line if line[name]} == {
            name: value for name, value in line.items() if value
        }


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "--engine ray needs --output FOLDER ending in .parquet or .jsonl, not None"),
        ({"output": "there.jsonl"}, "is there already; remove it or name another"),
        ({"output": "new.jsonl", "resume": True}, "--engine ray has no --resume"),
    ],
)
def test_what_ray_cannot_do_is_refused(
    tmp_path: Path, run: Path, options: dict[str, object], words: str
) -> None:
    (tmp_path / "there.jsonl").write_text("")
    if "output" in options:
        options = {**options, "output": tmp_path / str(options["output"])}
    mail = write_rows(tmp_path / "mail.jsonl", 1)
    with pytest.raises(SettingsError, match=words):
        run_on_ray(Job(sources=(str(mail),), wishes=Wishes(run=str(run)), **options))
