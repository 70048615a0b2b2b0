"""The command: exit codes, what goes to which stream, and going on after a kill."""

import csv
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.scoring.runs import make_run, read_lines, write_eml, write_rows


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "bayes", "bayes")


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "routing.score", *map(str, arguments)]


def score(*arguments: object, **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command(*arguments), check=False, capture_output=True, **options)


def test_nothing_but_decisions_goes_to_standard_output(tmp_path: Path, run: Path) -> None:
    mail = tmp_path / "mail"
    write_eml(mail / "a.eml", 1)
    (mail / "b.eml").write_text("")
    done = score(run, mail, mail / "a.eml", "-", input=b'{"body": "where is my parcel"}\n')
    assert done.returncode == 1
    lines = read_lines(done.stdout)
    assert [line["error"] for line in lines] == [None, "empty file", None, None]
    told = done.stderr.decode()
    assert f"unreadable: {mail / 'b.eml'}: empty file" in told
    assert "4 e-mails in" in told
    assert "unreadable 1" in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere", "tests"], "nowhere is no run folder"),
        (["{run}", "nothing.eml"], "nothing.eml: no such file or folder"),
        (["{run}", "tests", "--review-below", "2"], "--review-below 2.0: give a probability"),
        (["{run}", "tests", "--window", "0"], "--window 0: give 1 or more"),
        (["{run}", "tests", "--workers", "-1"], "--workers -1: give 0 or more"),
        (["{run}"], "the following arguments are required: INPUT"),
        (["{run}", "tests", "--precision", "bfloat16"], "bfloat16 is not for model.kind 'bayes'"),
        (["{run}", "tests", "--runtime", "onnx"], "'bayes' has no ONNX form here"),
        (["{run}", "tests", "--device", "cuda"], "this machine has no GPU that torch can use"),
        (["{run}", "tests", "--output", "Makefile/o.jsonl"], "put that right or give another --ou"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(run: Path, arguments: list[str], words: str) -> None:
    done = score(*(argument.format(run=run) for argument in arguments))
    assert done.returncode == 2
    assert done.stdout == b""
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_a_table_without_a_body_is_refused_before_any_decision(tmp_path: Path, run: Path) -> None:
    (tmp_path / "a.csv").write_text("id,body\n1,the parcel\n")
    (tmp_path / "b.csv").write_text("id,status\n1,open\n")
    done = score(run, tmp_path / "a.csv", tmp_path / "b.csv", "--output", tmp_path / "out.jsonl")
    assert done.returncode == 2
    assert b"b.csv: no column" in done.stderr
    assert not (tmp_path / "out.jsonl.partial").exists()


def test_a_closed_pipe_is_told_without_a_traceback(tmp_path: Path, run: Path) -> None:
    mail = write_rows(tmp_path / "mail.jsonl", 4000)
    process = subprocess.Popen(
        command(run, mail, "--workers", 1, "--window", 50),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    told = process.stderr.read().decode()
    assert process.wait() == 2
    assert "cannot write to standard output after" in told
    assert "Broken pipe" in told
    assert "Traceback" not in told


def test_a_full_device_is_told(tmp_path: Path, run: Path) -> None:
    done = score(run, write_rows(tmp_path / "mail.jsonl", 3), "--output", "/dev/full")
    assert done.returncode == 2
    assert b"cannot write to /dev/full after 0 decisions: No space left" in done.stderr


def test_after_a_full_disk_the_job_goes_on_where_it_stopped(tmp_path: Path, run: Path) -> None:
    mail, out = write_rows(tmp_path / "mail.jsonl", 300), tmp_path / "out.jsonl"
    arguments = (run, mail, "--output", out, "--window", 20, "--workers", 1)
    done = score(
        *arguments,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert done.returncode == 2
    assert f"what was done is kept in {out}.partial" in done.stderr.decode()
    assert not out.exists()
    again = score(*arguments, "--resume")
    assert again.returncode == 0, again.stderr
    assert [line["id"] for line in read_lines(out.read_text())] == [f"m{n}" for n in range(300)]
    assert [path.name for path in tmp_path.glob("out*")] == ["out.jsonl"]


def test_another_job_cannot_go_on_with_a_journal(tmp_path: Path, run: Path) -> None:
    mail, out = write_rows(tmp_path / "mail.jsonl", 100), tmp_path / "out.jsonl"
    limit = (8_000, 8_000)
    score(
        *(run, mail, "--output", out, "--window", 20),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
    )
    done = score(run, mail, "--output", out, "--window", 21, "--resume")
    assert done.returncode == 2
    assert b"belongs to a job with another window: 20, not 21; start again" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "most"), [(1, 20), (2, 6)])
def test_killed_again_and_again_every_message_appears_once(
    tmp_path: Path, workers: int, most: int
) -> None:
    """SIGKILL at random moments, in the reading, the writing and the putting in place."""
    run = make_run(tmp_path / "run", "recurrent")
    ids = [f"m{n % 1900}" for n in range(2_000)]
    mail, out = write_rows(tmp_path / "mail.jsonl", 2_000, ids=ids), tmp_path / "out.csv"
    arguments = (run, mail, "--window", 20, "--workers", workers)
    expected = read_lines(score(*arguments).stdout)
    rng, kills = random.Random(workers), 0
    while True:
        with (tmp_path / "told").open("wb") as told:
            process = subprocess.Popen(
                command(*arguments, "--output", out, "--resume"), stderr=told
            )
        if kills < most and kill_at_work(process, out.with_name("out.csv.journal"), rng):
            kills += 1
        if process.wait(timeout=120) == 0:
            break
        assert process.returncode == -signal.SIGKILL, (tmp_path / "told").read_text()
    with out.open(newline="") as stream:
        found = [row["id"] for row in csv.DictReader(stream)]
    assert kills >= most // 2
    assert found == [line["id"] for line in expected]
    assert len(set(found)) == 2_000


def kill_at_work(process: subprocess.Popen[bytes], journal: Path, rng: random.Random) -> bool:
    """Kill the command a moment after its journal has grown; False when it ended before."""
    before = journal.stat().st_size if journal.exists() else 0
    while process.poll() is None:
        if journal.exists() and journal.stat().st_size > before:
            time.sleep(rng.uniform(0, 0.05))
            process.kill()
            return True
        time.sleep(0.002)
    return False


def test_ctrl_c_keeps_what_was_done_and_leaves_no_process(tmp_path: Path, run: Path) -> None:
    mail, out = write_rows(tmp_path / "mail.jsonl", 6_000), tmp_path / "out.jsonl"
    process = subprocess.Popen(
        command(run, mail, "--output", out, "--window", 20, "--workers", 2),
        stderr=subprocess.PIPE,
        process_group=0,
    )
    journal = out.with_name("out.jsonl.journal")
    while not journal.exists() or journal.stat().st_size < 3_000:
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"stopped; {out}.partial is kept, --resume goes on" in told.decode()
    assert "Traceback" not in told.decode()
    with pytest.raises(ProcessLookupError):
        for _ in range(300):
            os.killpg(process.pid, 0)
            time.sleep(0.1)
