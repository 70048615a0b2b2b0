"""Every notebook runs from top to bottom; its assertions hold the figures of the lesson."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def cells_of(file: Path) -> list[dict[str, object]]:
    cells: list[dict[str, object]] = json.loads(file.read_text(encoding="utf-8"))["cells"]
    return cells


def test_the_lesson_has_seven_notebooks() -> None:
    assert [file.name[:2] for file in NOTEBOOKS] == [f"0{number}" for number in range(1, 8)]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook_is_kept_without_outputs(file: Path) -> None:
    for cell in cells_of(file):
        assert not cell.get("outputs"), f"{file.name}: clear all outputs before committing"
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook_imports_the_product_and_asserts_what_it_shows(file: Path) -> None:
    code = "\n".join("".join(cell["source"]) for cell in cells_of(file))  # type: ignore[arg-type]
    assert "from routing." in code
    assert code.count("assert") >= 3


@pytest.mark.slow
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook_runs_from_top_to_bottom(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), known])))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook = nbformat.read(file, as_version=4)
    resources = {"metadata": {"path": str(file.parent)}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=resources).execute()
    drawn = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert drawn, f"{file.name} draws nothing"
