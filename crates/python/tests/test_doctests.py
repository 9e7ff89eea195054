"""The examples in the docstrings."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import pytest

import aji

MODULES = ["aji", *(name for _, name, _ in pkgutil.iter_modules(aji.__path__, "aji.") if name != "aji.__main__")]

#: What some modules need, and aji does not.
NEEDED = {"aji.openspiel": "pyspiel", "aji._gymnasium": "gymnasium", "aji._pettingzoo": "pettingzoo", "aji.environments": "pettingzoo"}


@pytest.mark.parametrize("name", MODULES)
def test_examples_do_what_they_say(name: str) -> None:
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    assert doctest.testmod(importlib.import_module(name)).failed == 0


#: What has no example: long runs, and what the example of another function shows.
WITHOUT = {"train", "reproduce", "load"}


def test_every_function_has_an_example() -> None:
    functions = [getattr(aji, name) for name in aji.__all__ if inspect.ismethod(getattr(aji, name))]
    methods = [found for name, found in vars(aji.Session).items() if inspect.isfunction(found) and not name.startswith("_")]
    assert len(functions) > 20 and len(methods) > 12
    without = {found.__name__ for found in [*functions, *methods] if ">>>" not in (found.__doc__ or "")}
    assert without == WITHOUT
