"""Environments for reinforcement learning: Gymnasium for games of one player, PettingZoo for games of several.

>>> import aji.environments
>>> env = aji.environments.gym("2048")
>>> board, told = env.reset(seed=7)
>>> board, reward, is_over, _, told = env.step(int(told["action_mask"].argmax()))

>>> env = aji.environments.aec("connect-four")
>>> env.reset()
>>> env.observe("player_0")["action_mask"].tolist()
[1, 1, 1, 1, 1, 1, 1]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ._error import Error

if TYPE_CHECKING:
    import pettingzoo  # type: ignore[import-untyped]

    from ._gymnasium import OnePlayer

__all__ = ["Rewards", "aec", "gym"]

#: When rewards are paid: with each step, or at the end.
Rewards = Literal["steps", "end"]


def gym(game: str, *, rewards: Rewards = "steps", render_mode: str | None = None) -> OnePlayer:
    """A Gymnasium environment of a built-in game of one player: 2048, sailing or canadian-traveller.

    The observations are arrays of numbers, and the actions are numbered as in ``env.action_names``. ``action_mask`` in the
    information has 1 for each legal action; an illegal one changes nothing, is rewarded by 0, and sets ``illegal`` in the
    information.

    ``rewards="steps"`` pays with each step what the payoff has grown by, and ``"end"`` pays it all at the end: the sum is the same.
    Chance is drawn by the seed of ``reset``. Each reset of 2048 draws new first tiles, unless the game's name has a seed.
    """
    try:
        from ._gymnasium import OnePlayer
    except ImportError as cause:
        raise Error("environments: the module gymnasium is missing, install it by: pip install gymnasium") from cause
    return OnePlayer(game, rewards, render_mode)


def aec(game: str, *, render_mode: str | None = None) -> pettingzoo.AECEnv[Any, Any, Any]:
    """A PettingZoo environment of a built-in game of two to four players, such as ``"connect-four"`` or ``"hex size=5"``.

    An observation has ``observation`` and ``action_mask``, which is zero for a player who is not to act. The observation is the
    planes of :meth:`aji.Session.encoding`, as the player to act sees them, and actions have the numbers of the encoding. In a game
    without an encoding the observation has the codes of the letters of the position's text, and an action is a place in
    ``env.unwrapped.action_names``. The text itself is ``position`` in the information of each player.

    The rewards are the payoffs, at the end. Chance is drawn by the seed of ``reset``. An illegal action is an error.
    """
    try:
        from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]

        from ._pettingzoo import Players
    except ImportError as cause:
        raise Error("environments: the module pettingzoo is missing, install it by: pip install pettingzoo") from cause
    return OrderEnforcingWrapper(Players(game, render_mode))
