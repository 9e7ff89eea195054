"""Types: the stub is made from the extension, and the type checkers have nothing to say."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FOLDER

import aji

STUB = FOLDER / "python" / "aji" / "_native.pyi"


@pytest.mark.skipif(shutil.which("cargo") is None, reason="builds the extension")
def test_the_stub_is_made_from_the_source(tmp_path: Path) -> None:
    """With the options of the wheel of ./check, so that little is built twice."""
    words = [sys.executable, "-m", "maturin", "generate-stubs", "--quiet", "--profile", "dev", "--locked", "--out", str(tmp_path)]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(words, cwd=FOLDER, capture_output=True, text=True, env={**os.environ, "PATH": path})
    assert done.returncode == 0, done.stderr
    made = (tmp_path / "aji" / "_native.pyi").read_text()
    assert "class Session:" in made
    assert STUB.read_text() == made, "run the command that CONTRIBUTING.md has for stubs"


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
