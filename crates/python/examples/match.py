"""A match with a journal. Stop it and run it again: it goes on where it was."""

from __future__ import annotations

import sys

import aji

journal = sys.argv[1] if len(sys.argv) > 1 else "match.jsonl"
match = aji.match(
    "connect-four",
    "rave simulations=100",
    "uct simulations=100",
    games=40,
    journal=journal,
    progress=True,
)
print(match)
longest = max((game for one in match.records() for game in one["games"]), key=lambda game: len(game["moves"]))
print("the longest game:", " ".join(longest["moves"]))
