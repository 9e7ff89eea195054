"""Types: the stub is what the extension has, and the type checkers have nothing to say."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import FOLDER

import aji
from aji import _native

STUB = FOLDER / "python" / "aji" / "_native.pyi"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def stubs() -> Iterator[tuple[str, Function]]:
    """The functions of the stub, by their names such as ``Session.play``."""
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def natives() -> set[str]:
    """The names of the extension's functions and methods."""
    names = set()
    for name, found in vars(_native).items():
        if inspect.isclass(found) and not issubclass(found, Exception):
            methods = {inner for inner in vars(found) if not inner.startswith("__")}
            made = {"__new__"} if "__new__" in vars(found) else set()
            names |= {f"{name}.{inner}" for inner in methods | made}
        elif callable(found) and not inspect.isclass(found) and not name.startswith("__"):
            names.add(name)
    return names


def test_the_stub_has_the_names_of_the_extension() -> None:
    assert {name for name, _ in stubs()} == natives()
    values = {node.target.id for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    assert values == {name for name, found in vars(_native).items() if isinstance(found, str) and not name.startswith("__")}


@pytest.mark.parametrize(("name", "stub"), list(stubs()), ids=lambda found: found if isinstance(found, str) else "")
def test_the_stub_has_the_signatures_of_the_extension(name: str, stub: Function) -> None:
    word, _, method = name.partition(".")
    found = getattr(_native, word) if method in ("", "__new__") else getattr(getattr(_native, word), method)
    native = [one for one in inspect.signature(found).parameters.values() if one.name != "self"]
    told = [argument for argument in stub.args.args if argument.arg not in ("self", "cls")]
    assert [argument.arg for argument in told] == [one.name for one in native]
    assert not stub.args.kwonlyargs and stub.args.vararg is None
    defaults: list[Any] = [inspect.Parameter.empty] * (len(told) - len(stub.args.defaults))
    defaults += [ast.literal_eval(default) for default in stub.args.defaults]
    for argument, default, one in zip(told, defaults, native, strict=True):
        # PyO3 shows a default that is no literal as an ellipsis.
        assert one.default in (default, ...) if one.default is not inspect.Parameter.empty else default is one.default, argument.arg
        assert argument.annotation is not None
    assert stub.returns is not None


def test_everything_public_has_a_docstring_and_types() -> None:
    for name in aji.__all__:
        found = getattr(aji, name)
        if isinstance(found, str):
            continue
        assert found.__doc__, name
        if inspect.ismethod(found):
            signature = inspect.signature(found)
            assert signature.return_annotation is not inspect.Signature.empty, name
            assert all(one.annotation is not inspect.Parameter.empty for one in signature.parameters.values()), name


def test_every_command_of_a_workbench_is_a_function_of_the_module() -> None:
    own = {"copy", "game", "evaluation"}
    methods = {name for name, found in vars(aji.Workbench).items() if not name.startswith("_") and callable(found)}
    assert methods - own <= set(aji.__all__)
    assert not own & set(aji.__all__)


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(aji.__file__).parent / "py.typed").exists()


def test_importing_the_package_imports_only_numpy() -> None:
    code = "import sys, aji; print({'pandas', 'pyspiel', 'gymnasium', 'pettingzoo', 'ray', 'IPython', 'asyncio'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


CHECKED = ["python/aji", *(["examples"] if (FOLDER / "examples").exists() else [])]


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "mypy", "--strict", "--cache-dir", "{cache}", *CHECKED],
        ["-m", "pyright", "--pythonpath", sys.executable, *CHECKED],
    ],
    ids=["mypy", "pyright"],
)
def test_type_checkers_have_nothing_to_say(words: list[str], tmp_path: Path) -> None:
    words = [word.format(cache=tmp_path) for word in words]
    done = subprocess.run([sys.executable, *words], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
