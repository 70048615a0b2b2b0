"""The floor plan of the house, read from the imports: they only go down."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "routing"
FILES = sorted(PACKAGE.rglob("*.py"))
COMMANDS = ("fit", "score", "explain", "compare", "generate", "export", "__main__")
FLOORS = (
    ("errors",),
    ("records", "settings"),
    ("flags",),
    ("mail", "text", "models", "evaluation"),
    ("corpus", "handover"),
    ("router", "notes"),
    ("training", "scoring", "explanation"),
    COMMANDS,
)
DOORS = {
    "lightning": ("training/",),
    "torch": (
        "models/",
        "corpus/",
        "router.py",
        "notes.py",
        "training/",
        "scoring/",
        "explanation/",
    ),
    "sklearn": ("models/bayes.py", "evaluation/"),
    "datasets": ("corpus/sources.py",),
    "torchtext": ("text/vocabulary.py",),
    "transformers": ("models/encoders.py",),
    "tokenizers": ("corpus/pieces.py",),
    "captum": ("explanation/",),
    "selectolax": ("mail/html.py",),
}
BANNED_NAMES = r"utils?|helpers?|common|misc|base|managers?|handlers?|processors?|wrappers?"


def name_of(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def room_of(name: str) -> str:
    return name.split("/")[0].removesuffix(".py")


def imports_of(file: Path) -> Iterator[tuple[str, bool]]:
    """Yield each imported module and whether the import stands at the top of the file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    top = set(map(id, tree.body))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) in top
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            yield node.module or "", id(node) in top


def floor_of(room: str) -> int:
    return next(i for i, rooms in enumerate(FLOORS) if room in rooms)


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_imports_only_go_down(file: Path) -> None:
    room = room_of(name_of(file))
    if room == "__init__":
        return
    for module, _ in imports_of(file):
        if not module.startswith("routing."):
            continue
        other = module.split(".")[1]
        allowed = other == room or floor_of(other) < floor_of(room)
        assert allowed, f"{name_of(file)} imports {module}, which is not on a lower floor"


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_third_parties_come_in_by_their_doors(file: Path) -> None:
    name = name_of(file)
    for module, at_top in imports_of(file):
        package = module.split(".")[0]
        for door in DOORS.get(package, ("",)):
            if name.startswith(door):
                break
        else:
            pytest.fail(f"{name} imports {module}; only {DOORS[package]} may")
        assert package != "torchtext" or not at_top, f"{name} imports torchtext at its top"


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_only_commands_print_or_read_arguments(file: Path) -> None:
    if room_of(name_of(file)) in COMMANDS:
        return
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"{name_of(file)}:{node.lineno} prints"
        if isinstance(node, ast.Attribute) and node.attr == "argv":
            pytest.fail(f"{name_of(file)}:{node.lineno} reads the command line")


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_files_and_functions_stay_short(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    limit = 120 if name_of(file).removesuffix(".py") in COMMANDS else 400
    assert len(text.splitlines()) <= limit
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            doc = ast.get_docstring(node, clean=False) or ""
            length = node.end_lineno - node.lineno + 1 - len(doc.splitlines())  # type: ignore[operator]
            assert length <= 50, f"{name_of(file)}:{node.lineno} {node.name} has {length} lines"


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_names_say_what_a_thing_is(file: Path) -> None:
    names = [file.stem]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            names += re.findall(r"[A-Z][a-z0-9]*", node.name)
    for name in names:
        assert not re.fullmatch(BANNED_NAMES, name, re.IGNORECASE), f"{name_of(file)}: {name}"


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_public_names_have_docstrings(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), f"{name_of(file)} has no docstring"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{name_of(file)}: {node.name} has no docstring"


def test_no_import_cycle() -> None:
    graph: dict[str, set[str]] = {}
    for file in FILES:
        module = "routing." + name_of(file).removesuffix(".py").replace("/", ".")
        own = module.removesuffix(".__init__")
        graph[own] = {m for m, at_top in imports_of(file) if at_top and m.startswith("routing")}
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, f"import cycle: {' -> '.join((*path, module))}"
        if module not in done:
            for other in graph.get(module, ()):
                visit(other, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize("room", ["mail", "text", "records", "settings", "evaluation"])
def test_lower_rooms_work_without_torch(room: str) -> None:
    files = [f for f in FILES if room_of(name_of(f)) == room]
    modules = ["routing." + name_of(f).removesuffix(".py").replace("/", ".") for f in files]
    names = ", ".join(module.removesuffix(".__init__") for module in modules)
    code = f"import sys, {names}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_package_itself_imports_nothing() -> None:
    assert not list(imports_of(PACKAGE / "__init__.py"))


@pytest.mark.parametrize("command", [c for c in COMMANDS if c != "__main__"])
def test_help_needs_neither_torch_nor_lightning(command: str) -> None:
    code = (
        f"import sys, runpy; sys.argv = ['{command}', '--help']\n"
        f"try: runpy.run_module('routing.{command}', run_name='__main__')\n"
        "except SystemExit as stop: assert not stop.code, stop.code\n"
        "sys.exit('torch' in sys.modules or 'lightning' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "usage" in run.stdout
