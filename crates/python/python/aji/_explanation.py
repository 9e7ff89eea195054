"""Simulations of a search, phase by phase: selection, expansion, playout, backup."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

#: The most moves of a playout, and the most actions of a table, that are shown.
SHOWN_MAX = 24


@dataclass(frozen=True)
class Rule:
    """A rule that chooses actions."""

    #: Its name, with its settings.
    rule: str
    #: Its formula in symbols; empty if it has none.
    formula: str = ""


@dataclass(frozen=True)
class Arm:
    """What is known of one action. Values are those for the player who acts, from 0 (lost) to 1 (won)."""

    action: str
    #: Simulations through it.
    pulls: int
    #: Their average reward; None while it is untried.
    mean: float | None
    #: Its prior, if the agent has priors.
    prior: float | None = None
    #: The solver's bounds of its value: equal if it is proven, None if nothing is known.
    bounds: tuple[float, float] | None = None
    #: The upper confidence bound, if the rule compares one and the action was tried.
    bound: float | None = None
    #: The number that the rule compares, if it is no bound.
    score: float | None = None
    #: The rule's formula with the numbers of the action, or how the rule chooses. In a simulation only the action taken has it.
    filled: tuple[str, ...] = ()

    @staticmethod
    def _of(told: dict[str, Any]) -> Arm:
        return Arm(**{**told, "bounds": _pair(told.get("bounds")), "filled": tuple(told.get("filled", ()))})


@dataclass(frozen=True, repr=False)
class Selection:
    """One step down the tree: an action, and what was known of all actions before."""

    #: Who chose: a player's name, ``chance``, or a predicted player.
    player: str
    action: str
    #: The simulations through the position before this one.
    visits: int
    #: All actions, in the game's order.
    arms: list[Arm]
    #: The place of the action among them.
    chosen: int
    #: Whether the rule adds noise to the priors.
    has_noise: bool = False
    #: The rule that chose; None where chance did.
    rule: Rule | None = None

    @staticmethod
    def _of(told: dict[str, Any]) -> Selection:
        arms = [Arm._of(arm) for arm in told["arms"]]
        rule = Rule(told["rule"], told.get("formula", "")) if "rule" in told else None
        has_noise = told.get("has_noise", False)
        return Selection(told["player"], told["action"], told["visits"], arms, told["chosen"], has_noise, rule)

    @property
    def arm(self) -> Arm:
        """What was known of the action that was taken."""
        return self.arms[self.chosen]

    def __repr__(self) -> str:
        return f"Selection({self.player} takes {self.action}, {_known(self.arm)})"

    def _repr_html_(self) -> str:
        return _table(f"{self.player} takes {self.action}", self.arms, self.action)


@dataclass(frozen=True, repr=False)
class Expansion:
    """What became of the leaf that selection has reached."""

    #: ``opened`` if it got its actions. Otherwise why not: ``first_visit``, ``over``, ``deepest``, ``full`` or ``proven``.
    kind: str
    #: The first of the new actions, if it was tried.
    tried: Selection | None
    #: The position in which the playout begins, in one line and as a board.
    position: str
    board: str

    def __repr__(self) -> str:
        tried = "" if self.tried is None else f", {self.tried.player} tries {self.tried.action}"
        return f"Expansion({self.kind}{tried}: {self.position})"


@dataclass(frozen=True, repr=False)
class Playout:
    """How the leaf was valued: by moves to the end of the game, by a network, or by both."""

    #: The moves; None if they are not known one by one, or if there was no playout.
    moves: list[str] | None
    #: What each player got at the end, in the game's unit, if that is known.
    payoff: list[float] | None
    #: Whether a network valued the leaf.
    by_network: bool = False
    #: The playout's share of the value, where a network guides the search.
    share: float | None = None
    #: Whether the playout went on with a move that the rules forbid. The moves end before that.
    is_forbidden_next: bool = False

    def __repr__(self) -> str:
        return f"Playout({self._told()})"

    def _told(self) -> str:
        moves = self.moves or []
        more = [f"and {len(moves) - SHOWN_MAX} more"] if len(moves) > SHOWN_MAX else []
        words = [*moves[:SHOWN_MAX], *more] or ["valued by a network" if self.by_network else "no moves"]
        end = "" if self.payoff is None else f": {', '.join(f'{value:g}' for value in self.payoff)}"
        return " ".join(words) + end


@dataclass(frozen=True, repr=False)
class Update:
    """What backup has made of one action of the path."""

    player: str
    action: str
    #: Its pulls and its mean after this simulation.
    pulls: int
    mean: float
    #: Its mean before; None if it was untried.
    mean_before: float | None
    #: The solver's bounds of its value after it, as those of an arm.
    bounds: tuple[float, float] | None = None

    def __repr__(self) -> str:
        before = "" if self.mean_before is None else f"{self.mean_before:.3f} -> "
        return f"Update({self.action}: {before}{self.mean:.3f}, {_pulls(self.pulls)})"


@dataclass(frozen=True, repr=False)
class Backup:
    """The rewards, and what they have changed on the path."""

    #: The reward of each player, from 0 to 1.
    rewards: list[float]
    #: The actions of the path, from the root down.
    updates: list[Update]

    def __repr__(self) -> str:
        return f"Backup({', '.join(f'{reward:g}' for reward in self.rewards)} to {len(self.updates)} actions)"


@dataclass(frozen=True, repr=False)
class Simulation:
    """One simulation in its four phases."""

    #: Its number, from 1 at the first simulation of the tree.
    number: int
    #: The steps down the tree, from the root.
    selection: list[Selection]
    expansion: Expansion
    playout: Playout
    backup: Backup
    #: The same as ``aji explain --json`` has it.
    data: dict[str, Any] = field(compare=False)

    @staticmethod
    def _of(told: dict[str, Any], board: str) -> Simulation:
        selection = [Selection._of(step) for step in told["path"]]
        # An action that is tried first belongs to the expansion. A network values the leaf itself.
        is_tried = told["expansion"] == "opened" and "playout_share" not in told
        tried = selection.pop() if is_tried else None
        return Simulation(
            told["number"],
            selection,
            Expansion(told["expansion"], tried, told["position"], board),
            Playout(
                told["playout"],
                told["payoff"],
                told.get("by_network", False),
                told.get("playout_share"),
                told.get("is_forbidden_next", False),
            ),
            Backup(told["rewards"], [_update(step) for step in told["path"]]),
            told,
        )

    @property
    def path(self) -> list[str]:
        """The actions from the root to the position in which the playout begins."""
        return [update.action for update in self.backup.updates]

    def _rows(self) -> list[tuple[str, str]]:
        """The phases, each with what happened in it."""
        steps = [f"{step.player} takes {step.action}, {_known(step.arm)}" for step in self.selection] or ["the root"]
        tried = self.expansion.tried
        opened = self.expansion.kind if tried is None else f"{self.expansion.kind}, {tried.player} tries {tried.action}"
        rewards = ", ".join(f"{reward:g}" for reward in self.backup.rewards)
        means = ", ".join(f"{update.action} {update.mean:.3f}" for update in reversed(self.backup.updates))
        return [
            *(("selection" if place == 0 else "", step) for place, step in enumerate(steps)),
            ("expansion", opened),
            ("playout", self.playout._told()),
            ("backup", f"{rewards}: {means}"),
        ]

    def __repr__(self) -> str:
        return f"Simulation({self.number}: {' '.join(self.path)}, {self.expansion.kind}; {self.playout._told()})"

    def __str__(self) -> str:
        return "\n".join([f"simulation {self.number}", *(f"  {phase:<9}  {told}" for phase, told in self._rows())])

    def _repr_html_(self) -> str:
        board = f"<tr><th></th><td><pre>{html.escape(self.expansion.board.rstrip())}</pre></td></tr>"
        rows = []
        for phase, told in self._rows():
            rows.append(f'<tr><th scope="row">{phase}</th><td style="text-align:left">{html.escape(told)}</td></tr>')
            rows += [board] if phase == "expansion" else []
        return f"<table><caption>simulation {self.number}</caption><tbody>{''.join(rows)}</tbody></table>"


@dataclass(frozen=True, repr=False)
class Explanation:
    """Some simulations, phase by phase, as ``aji explain`` tells them."""

    #: The rules at the root and below it.
    rules: list[Rule]
    simulations: list[Simulation]
    #: The actions of the root after the last of them.
    arms: list[Arm]
    #: The same as ``aji explain --json`` has it.
    data: dict[str, Any] = field(compare=False)

    @staticmethod
    def _of(told: dict[str, Any], boards: Sequence[str]) -> Explanation:
        simulations = [Simulation._of(one, board) for one, board in zip(told["simulations"], boards, strict=True)]
        return Explanation([Rule(**rule) for rule in told["rules"]], simulations, [Arm._of(arm) for arm in told["arms"]], told)

    def __repr__(self) -> str:
        return f"Explanation({len(self.simulations)} simulations by {self.rules[0].rule})"

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.simulations))

    def _repr_html_(self) -> str:
        after = _table("the root after the last of them", self.arms, None)
        return "".join(simulation._repr_html_() for simulation in self.simulations) + after


def _update(step: dict[str, Any]) -> Update:
    before = step["arms"][step["chosen"]]["mean"]
    bounds = _pair(step.get("bounds_after"))
    return Update(step["player"], step["action"], step["pulls_after"], step["mean_after"], before, bounds)


def _pair(told: list[float] | None) -> tuple[float, float] | None:
    return None if told is None else (told[0], told[1])


def _known(arm: Arm) -> str:
    """What was known of an action, in words."""
    numbers = {"mean": arm.mean, "prior": arm.prior, "bound": arm.bound, "score": arm.score}
    known = [f"{name} {number:.3f}" for name, number in numbers.items() if number is not None]
    return ", ".join([_pulls(arm.pulls) if arm.pulls else "untried", *known])


def _pulls(count: int) -> str:
    return "1 pull" if count == 1 else f"{count:,} pulls"


def _table(title: str, arms: Sequence[Arm], taken: str | None) -> str:
    """A table of actions, the most attractive first, with the one that was taken in bold."""
    names = [name for name in ("mean", "prior", "bound", "score") if any(getattr(arm, name) is not None for arm in arms)]
    shown = sorted(arms, key=lambda arm: [-(number or 0.0) for number in (arm.score, arm.bound, arm.pulls)])[:SHOWN_MAX]
    rows = []
    for arm in shown:
        numbers = [getattr(arm, name) for name in names]
        cells = "".join(f"<td>{'–' if number is None else f'{number:.3f}'}</td>" for number in numbers)
        mark = ' style="font-weight:bold"' if arm.action == taken else ""
        rows.append(f'<tr{mark}><th scope="row">{html.escape(arm.action)}</th><td>{arm.pulls:,}</td>{cells}</tr>')
    heads = "".join(f"<th>{name}</th>" for name in ("action", "pulls", *names))
    caption = f"<caption>{html.escape(title)}</caption>"
    return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
