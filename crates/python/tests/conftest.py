"""What the tests share."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

#: The folder of the package.
FOLDER = Path(__file__).parent.parent


@pytest.fixture
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command line as a program."""

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "aji", *words], capture_output=True, text=True, timeout=60)

    return run


@pytest.fixture
def told(command: Callable[..., subprocess.CompletedProcess[str]]) -> Callable[..., Any]:
    """What a command prints with ``--json``."""

    def run(*words: str) -> Any:
        done = command(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def refused(command: Callable[..., subprocess.CompletedProcess[str]]) -> Callable[..., str]:
    """The message of a command that is refused."""

    def run(*words: str) -> str:
        done = command(*words)
        assert done.returncode != 0
        return done.stderr.strip().removeprefix("aji: ")

    return run
