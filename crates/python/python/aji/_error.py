"""The error of aji."""

from __future__ import annotations


class Error(Exception):
    """What was wrong, where, and what would be right, in one line."""


# It is known by its public name, also to the extension, which raises it.
Error.__module__ = "aji"
