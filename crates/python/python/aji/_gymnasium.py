"""Games of one player as environments of Gymnasium."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._error import Error
from ._session import Position, Session
from ._workbench import Workbench

#: The largest power of two on a tile of 2048.
POWER_MAX = 15

#: The points of the compass, clockwise.
COMPASS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]

#: Where the wind strikes the boat.
TACKS = ["none", "port", "starboard"]

#: The signs of a road's state.
ROADS = "?ox"

#: Minutes of a sailing trip that never arrives, for each point of a side.
MINUTES_A_POINT = 40

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class View:
    """How a game is shown as numbers."""

    #: The names of all actions of the game, in the order of their numbers.
    actions: list[str]
    space: spaces.Box
    #: The observation of a position, by its text.
    observe: Callable[[str], Array]
    #: The payoff if the game ended now, by the position's text.
    worth: Callable[[str], float]


def _tiles(_: Session) -> View:
    """2048: the powers of two on the tiles, 0 where there is none."""

    def observe(text: str) -> Array:
        rows = (row.split(",") for row in text.split()[0].split("/"))
        return np.array([[0 if tile == "." else int(tile).bit_length() - 1 for tile in row] for row in rows], np.uint8)

    space = spaces.Box(0, POWER_MAX, (4, 4), np.uint8)
    return View(["up", "down", "left", "right"], space, observe, lambda text: float(text.split()[1]))


def _lake(session: Session) -> View:
    """Sailing: column, row, wind clockwise from north, tack, and minutes."""
    minutes_max = -session.position.range[0]
    size = round(minutes_max / MINUTES_A_POINT)

    def minutes(text: str) -> float:
        straight, diagonal = text.split()[3:5]
        return min(minutes_max, float(straight) + math.sqrt(2) * float(diagonal))

    def observe(text: str) -> Array:
        point, wind, tack = text.split()[:3]
        column, row = point.split(",")
        return np.array([int(column), int(row), COMPASS.index(wind), TACKS.index(tack), minutes(text)], np.float32)

    high = np.array([size - 1, size - 1, len(COMPASS) - 1, len(TACKS) - 1, minutes_max], np.float32)
    return View(COMPASS, spaces.Box(np.zeros_like(high), high), observe, lambda text: -minutes(text))


def _roads(session: Session) -> View:
    """The Canadian traveller: vertex, length walked, legs, and for each road 0 unknown, 1 open, 2 blocked."""
    roads = re.findall(r"^(\w)-(\w)\s", str(session), re.MULTILINE)
    vertices = sorted({vertex for road in roads for vertex in road})

    def observe(text: str) -> Array:
        vertex, signs, walked, legs = text.split()[:4]
        return np.array([vertices.index(vertex), int(walked), int(legs), *map(ROADS.index, signs)], np.float32)

    legs_max = len(vertices) * (len(vertices) - 1) // 2
    high = np.array([len(vertices) - 1, -session.position.range[0], legs_max, *[len(ROADS) - 1] * len(roads)], np.float32)
    space = spaces.Box(np.zeros_like(high), high)
    return View([*vertices, "taxi"], space, observe, lambda text: -float(text.split()[2]))


VIEWS = {"2048": _tiles, "sailing": _lake, "canadian-traveller": _roads}

#: Seeds of the first tiles of 2048 are below this.
SEEDS = 2**31


class OnePlayer(gymnasium.Env[Array, np.int64]):
    """A built-in game of one player against chance. :func:`aji.environments.gym` makes it."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, game: str, rewards: str = "steps", render_mode: str | None = None) -> None:
        if rewards not in ("steps", "end"):
            raise Error(f"environments: rewards={rewards!r}, expected 'steps' or 'end'")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise Error(f"environments: render_mode={render_mode!r}, expected 'ansi' or None")
        word = game.split()[0] if game.split() else ""
        session = Workbench().session(game)
        if word not in VIEWS:
            players = len(session.position.players)
            hint = ", expected one of " + ", ".join(VIEWS) if players == 1 else ", use aji.environments.aec"
            raise Error(f"environments: gym has no {word}, a game of {players}{hint}")
        self.game = game
        self.render_mode = render_mode
        #: The game in progress, to look at.
        self.session = session
        self._pays_steps = rewards == "steps"
        self._draws_start = word == "2048" and "seed=" not in game
        self._view = VIEWS[word](session)
        #: The names of the actions, in the order of their numbers.
        self.action_names = self._view.actions
        self.action_space = spaces.Discrete(len(self.action_names))
        self.observation_space = self._view.space
        self._position: Position | None = None
        self._paid = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Starts a game. The seed decides all of its chance."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(SEEDS))
        self.session = Workbench().session(f"{self.game} seed={drawn}" if self._draws_start else self.game)
        self._paid = 0.0
        position = self._settled(drawn)
        return self._view.observe(position.text), self._told(position)

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Plays an action, and draws what chance does after it."""
        position = self._now()
        number = int(action)
        if not 0 <= number < len(self.action_names):
            raise Error(f"environments: action {action}, expected 0 to {len(self.action_names) - 1}")
        name = self.action_names[number]
        if name not in position.actions:
            told = self._told(position) | {"illegal": True}
            return self._view.observe(position.text), 0.0, position.payoff is not None, False, told
        self.session.play(name)
        position = self._settled()
        return self._view.observe(position.text), self._reward(position), position.payoff is not None, False, self._told(position)

    def render(self) -> str | None:
        """The position as text, if the render mode is ``"ansi"``."""
        return str(self.session) if self.render_mode == "ansi" else None

    def _now(self) -> Position:
        if self._position is None:
            raise Error("environments: step before reset, expected reset first")
        return self._position

    def _settled(self, seed: int | None = None) -> Position:
        """The position once chance has acted."""
        drawn = self.session.draw(seed)
        while drawn is not None:
            drawn = self.session.draw()
        self._position = self.session.position
        return self._position

    def _reward(self, position: Position) -> float:
        """What this step pays."""
        if position.payoff is None and not self._pays_steps:
            return 0.0
        worth = self._view.worth(position.text) if position.payoff is None else position.payoff[0]
        reward, self._paid = worth - self._paid, worth
        return reward

    def _told(self, position: Position) -> dict[str, Any]:
        """The information beside an observation."""
        legal = set(position.actions)
        mask = np.array([name in legal for name in self.action_names], np.int8)
        return {"action_mask": mask, "position": position.text, "illegal": False}
