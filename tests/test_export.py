from pathlib import Path

import pytest

from routing.export import main
from tests.scoring.runs import make_run

pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")


def test_a_run_becomes_an_onnx_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, file = make_run(tmp_path / "run"), tmp_path / "model.onnx"
    assert main([str(run), "--onnx", str(file)]) == 0
    assert "probabilities differ by at most" in capsys.readouterr().out
    assert file.stat().st_size > 1000


def test_a_folder_that_is_no_run_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path), "--onnx", str(tmp_path / "model.onnx")]) == 2
    assert "is no run folder" in capsys.readouterr().err
