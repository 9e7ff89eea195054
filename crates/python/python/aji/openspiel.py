"""Games and bots of OpenSpiel.

Any sequential game with perfect information is a game for aji's searches, with or without chance, for one to four players::

    import aji, aji.openspiel
    aji.search(aji.openspiel.game("connect_four"), agent="uct simulations=1000").best

An agent of aji is a bot for OpenSpiel::

    game = pyspiel.load_game("connect_four")
    bots = [aji.openspiel.AjiBot(game, 0, seed=1), another_bot]
    evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)

Some games of OpenSpiel have the rules of built-in games. :func:`to_aji` opens such a state as a session of the built-in game,
and ``AjiBot(..., native=True)`` searches there, which is many times faster.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ._error import Error
from ._own import CHANCE
from ._report import Report
from ._session import Session
from ._spiel_rules import Mapped, Rules, rules_of
from ._workbench import Workbench

try:
    import pyspiel  # type: ignore[import-not-found]
except ImportError as cause:
    raise Error("openspiel: the module pyspiel is missing, install it by: pip install open_spiel") from cause

__all__ = ["AjiBot", "Mapped", "SpielGame", "action_of", "game", "names_of", "to_aji"]

#: The most players of a game.
PLAYERS_MAX = 4

#: OpenSpiel's number for chance.
_CHANCE = int(pyspiel.PlayerId.CHANCE)

#: Games that last longer than this do not merge positions, unless told to.
MERGED_PLIES_MAX = 20

#: Games whose copied states read the memory of the state that they were copied from, also after it is gone: OpenSpiel crashes.
_UNSAFE = ("morpion_solitaire",)


class SpielGame:
    """A position of OpenSpiel as a game of one's own. :func:`game` makes it.

    ``state`` is the position of OpenSpiel. The facts are attributes of a class that :func:`game` makes for each game. Actions are
    OpenSpiel's numbers; their names are OpenSpiel's, without spaces.
    """

    __slots__ = ("_aji_player", "_named", "_odds", "state")

    players = 2
    payoff_range = (-1.0, 1.0)
    zero_sum = True
    payoff_sum: float | None = None
    has_chance = False

    # Names and odds are set when somebody asks: searches make many positions, and ask few of them.
    _named: tuple[int, dict[int, str]]
    _odds: tuple[int, dict[int, float]]

    def __init__(self, state: Any) -> None:
        self.state = state
        # The extension asks this instead of turn().
        self._aji_player: Callable[[], int] = state.current_player

    def turn(self) -> int | str | None:
        """Who acts: a player from 0, ``"chance"``, or None at the end."""
        player = self._aji_player()
        return player if player >= 0 else CHANCE if player == _CHANCE else None

    def actions(self) -> Sequence[int]:
        """The numbers of the legal actions, or of the outcomes of chance."""
        legal: Sequence[int] = self.state.legal_actions()
        return legal

    def play(self, action: int) -> None:
        """Plays an action in this position itself."""
        self.state.apply_action(action)

    def payoff(self) -> Any:
        """The return of player 0, which tells the others' where returns have a constant sum."""
        return self.state.player_return(0)

    def copy(self) -> SpielGame:
        """A copy, to be played on."""
        return type(self)(self.state.clone())

    def action_name(self, action: int) -> str:
        """OpenSpiel's name of an action, without spaces."""
        ply = self.state.move_number()
        if not hasattr(self, "_named") or self._named[0] != ply:
            self._named = (ply, names_of(self.state))
        return self._named[1][action]

    def board(self) -> str:
        """The position as OpenSpiel shows it."""
        return str(self.state)

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.state.history_str()}>"

    def __reduce__(self) -> tuple[Any, ...]:
        written = pyspiel.serialize_game_and_state(self.state.get_game(), self.state)
        return _read, (written, hasattr(self, "hash"))


class _Bound(SpielGame):
    """A position with OpenSpiel's own methods, so that no Python runs between a playout and OpenSpiel.

    A playout copies a position once, and then changes the copy. A new state for each action (``state.child``) is slower: Connect
    Four has a third fewer simulations per second, Tic-Tac-Toe and Breakthrough about the same.
    """

    __slots__ = ("actions", "play")

    def __init__(self, state: Any) -> None:
        self.state = state
        self._aji_player = state.current_player
        self.actions = state.legal_actions  # type: ignore[method-assign]
        self.play = state.apply_action  # type: ignore[method-assign]


class _Chance(SpielGame):
    """A game with chance."""

    __slots__ = ()

    has_chance = True

    def weight(self, outcome: int) -> float:
        """The probability of an outcome of chance."""
        ply = self.state.move_number()
        if not hasattr(self, "_odds") or self._odds[0] != ply:
            self._odds = (ply, dict(self.state.chance_outcomes()))
        return self._odds[1][outcome]


class _Returns(SpielGame):
    """A game whose returns have no constant sum."""

    __slots__ = ()

    def payoff(self) -> Any:
        return self.state.returns()


class _Merged(SpielGame):
    """A game whose positions are told apart by their text and the player to act."""

    __slots__ = ()

    def hash(self) -> tuple[str, int]:
        """What equal positions share."""
        return str(self.state), self._aji_player()


def game(source: Any, *, merge: bool | None = None) -> SpielGame:
    """A game of OpenSpiel by its name, such as ``"hex(board_size=5)"``, or a game or a state of ``pyspiel``.

    With ``merge`` positions with the same text and the same player to act are one position, as in OpenSpiel's own solvers.
    ``exact`` and ``transpositions=on`` need that, and small games get faster by it. Leave it off where the text does not tell the
    whole position, as in Go and chess, whose rules forbid or count repetitions. Without a choice, games of at most 20 plies merge.

    >>> import aji, aji.openspiel
    >>> aji.search(aji.openspiel.game("tic_tac_toe"), agent="exact").value
    0.5
    """
    state = _state_of(source)
    opened = state.get_game()
    _check(opened)
    merges = opened.max_game_length() <= MERGED_PLIES_MAX if merge is None else merge
    return _class_of(opened, merges)(state.clone())


def _state_of(source: Any) -> Any:
    """The state that a name, a game or a state means."""
    if isinstance(source, str):
        return _load(source).new_initial_state()
    if isinstance(source, pyspiel.Game):
        return source.new_initial_state()
    if isinstance(source, pyspiel.State):
        return source
    raise Error(f"openspiel: {source!r} found, expected the name of a game, or a game or a state of pyspiel")


def _load(name: str) -> Any:
    """The game with this name."""
    if name.split("(")[0].strip() not in pyspiel.registered_names():
        raise Error(f"openspiel: no game {name}, expected one of pyspiel.registered_names()")
    try:
        return pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        told = " ".join(str(error).split())
        raise Error(f"openspiel: game {name}: {told}") from None


def _check(opened: Any) -> None:
    """Refuses what a search for perfect information cannot play."""
    kind = opened.get_type()
    wrong = None
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        wrong = f"its dynamics are {_word(kind.dynamics)}, expected players who act one after another"
    elif kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        wrong = f"it has {_word(kind.information)}, expected perfect information"
    elif kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        wrong = "it draws chance by itself, expected outcomes with their probabilities"
    elif not 1 <= opened.num_players() <= PLAYERS_MAX:
        wrong = f"it has {opened.num_players()} players, expected 1 to {PLAYERS_MAX}"
    elif not -math.inf < opened.min_utility() < opened.max_utility() < math.inf:
        wrong = f"its utilities go from {opened.min_utility()} to {opened.max_utility()}, expected a finite range"
    elif any(name in str(opened) for name in _UNSAFE):
        wrong = "OpenSpiel cannot copy its states safely, expected a game whose copies stand alone"
    if wrong is not None:
        raise Error(f"openspiel: game {kind.short_name}: {wrong}")


def _word(found: Any) -> str:
    """A value of an enumeration in words."""
    return str(found.name).lower().replace("_", " ")


#: The classes of games by their names, with or without merging.
_CLASSES: dict[tuple[str, bool], type[SpielGame]] = {}


def _class_of(opened: Any, merges: bool) -> type[SpielGame]:
    """The class of a game's positions, with its facts."""
    key = str(opened), merges
    if key not in _CLASSES:
        parts = (*((_Merged,) if merges else ()), *_parts_of(opened), _Bound)
        made: Any = type(f"openspiel_{opened.get_type().short_name}", parts, _facts_of(opened))
        _CLASSES[key] = made
    return _CLASSES[key]


def _parts_of(opened: Any) -> tuple[type[SpielGame], ...]:
    """What the class of a game's positions is made of."""
    has_chance = opened.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
    has_sum = opened.num_players() == 1 or opened.num_players() == 2 and opened.utility_sum() is not None
    return (*((_Chance,) if has_chance else ()), *(() if has_sum else (_Returns,)))


def _facts_of(opened: Any) -> dict[str, Any]:
    """What is the same in all positions of a game."""
    return {
        "__slots__": (),
        "__doc__": f"A position of OpenSpiel's {opened}.",
        "players": opened.num_players(),
        "payoff_range": (opened.min_utility(), opened.max_utility()),
        "zero_sum": opened.utility_sum() == 0.0,
        "payoff_sum": opened.utility_sum(),
    }


def _read(written: str, merges: bool) -> SpielGame:
    """A position that was pickled."""
    _, state = pyspiel.deserialize_game_and_state(written)
    return game(state, merge=merges)


def names_of(state: Any) -> dict[int, str]:
    """The names by which aji knows the legal actions of a state: OpenSpiel's without spaces, or numbers if two are the same.

    >>> import pyspiel, aji.openspiel
    >>> aji.openspiel.names_of(pyspiel.load_game("tic_tac_toe").new_initial_state())[4]
    'x(1,1)'
    """
    player = state.current_player()
    actions = state.legal_actions()
    names = {action: "".join(state.action_to_string(player, action).split()) for action in actions}
    are_good = all(names.values()) and len(set(names.values())) == len(names)
    return names if are_good else {action: str(action) for action in actions}


def action_of(state: Any, name: str) -> int:
    """The legal action with this name, such as a report's best.

    >>> import pyspiel, aji, aji.openspiel
    >>> state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    >>> report = aji.search(aji.openspiel.game(state), agent="uct simulations=500 seed=1")
    >>> state.apply_action(aji.openspiel.action_of(state, report.best))
    """
    names = names_of(state)
    for action, known in names.items():
        if known == name:
            return action
    raise Error(f"openspiel: no action {name}, expected one of {' '.join(names.values())}")


def to_aji(state: Any) -> Mapped:
    """A state of OpenSpiel as a session of the built-in game with the same rules.

    The games are tic_tac_toe, connect_four, breakthrough, hex, othello, go, mnk, clobber, nim and pig. Built-in payoffs may be
    points where OpenSpiel tells only who won: a margin of discs in Othello and of area in Go. OpenSpiel ends a game of Go also
    where stones repeat a position, and after many moves.

    >>> import pyspiel, aji.openspiel
    >>> mapped = aji.openspiel.to_aji(pyspiel.load_game("connect_four").new_initial_state())
    >>> mapped.session.game, mapped.name(3), mapped.action("d")
    ('connect-four', 'd', 3)
    """
    start = state.get_game().new_initial_state()
    follower = _Follower(start, rules_of(state.get_game()))
    follower.go_to(state)
    if str(follower.state) != str(state):
        raise Error("openspiel: this state does not begin at the game's start, expected one with its whole history")
    return Mapped(follower.session, follower.names())


class _Follower:
    """A session of aji that follows a game of OpenSpiel, action by action."""

    def __init__(self, root: Any, rules: Rules | None) -> None:
        self._rules = rules
        self._bench = Workbench()
        self._root: Any = None
        self.start_at(root)

    def start_at(self, root: Any) -> None:
        """Starts over at this state. What is known of the positions below the same state stays."""
        is_same = self._root is not None and self._root.history() == root.history() and str(self._root) == str(root)
        if not is_same:
            self._root = root.clone()
            self._word = self._open()
        self.state = root.clone()
        self.session: Session = self._bench.session(self._word)

    def _open(self) -> str:
        """The name of the game in the workbench."""
        if self._rules is not None:
            return self._rules.game
        start = game(self._root)
        self._bench.game(type(start).__name__, start)
        return type(start).__name__

    def go_to(self, state: Any, last: int | None = None) -> None:
        """Follows the game to a state, and plays one more action if it is given."""
        wanted, played = state.history(), self.state.history()
        if wanted[: len(played)] != played:
            self._begin_before(state)
            played = self.state.history()
        for action in [*wanted[len(played) :], *([] if last is None else [last])]:
            self.session.play(self.names()[action])
            self.state.apply_action(action)

    def _begin_before(self, state: Any) -> None:
        """Goes back to the root, or to this state if the root does not lead to it."""
        root = self._root.history()
        if state.history()[: len(root)] == root:
            self.start_at(self._root)
        elif self._rules is None:
            self.start_at(state)
        else:
            self.start_at(state.get_game().new_initial_state())

    def names(self) -> dict[int, str]:
        """The names of the legal actions in the session."""
        return names_of(self.state) if self._rules is None else self._rules.names(self.state)


class AjiBot(pyspiel.Bot):  # type: ignore[misc]
    """An agent of aji as a bot of OpenSpiel. It keeps its tree from move to move.

    ``native=True`` searches by the built-in rules (:func:`to_aji`). The bot follows a game by ``inform_action``, and by the history
    of the state that it is asked about, so any loop over bots will do.

    >>> import pyspiel, aji.openspiel
    >>> game = pyspiel.load_game("tic_tac_toe")
    >>> bot = aji.openspiel.AjiBot(game, 0, "uct simulations=2000", seed=1)
    >>> bot.step(game.new_initial_state())
    4
    """

    def __init__(
        self, game: Any, player_id: int, agent: str = "uct simulations=1000", seed: int | None = None, *, native: bool = False
    ) -> None:
        super().__init__()
        root = _state_of(game)
        opened = root.get_game()
        _check(opened)
        if not 0 <= player_id < opened.num_players():
            raise Error(f"bot: player {player_id}, expected 0 to {opened.num_players() - 1}")
        if seed is not None and " seed=" in agent:
            raise Error(f"bot: agent {agent}: give seed= in the agent's name or as an argument, not both")
        self._player_id = player_id
        self._agent = agent if seed is None else f"{agent} seed={seed}"
        self._follower = _Follower(root, rules_of(opened) if native else None)
        self._follower.session._native.agent(self._agent)

    def player_id(self) -> int:
        """The player for whom the bot acts."""
        return self._player_id

    def restart(self) -> None:
        """Starts over at the state where the last game began."""
        self._follower.start_at(self._follower._root)

    def restart_at(self, state: Any) -> None:
        """Starts over at this state."""
        if self._follower._rules is None:
            self._follower.start_at(state)
        else:
            self._follower.start_at(state.get_game().new_initial_state())
            self._follower.go_to(state)

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Hears that a player, or chance, plays an action in this state."""
        self._follower.go_to(state, action)

    def search(self, state: Any) -> Report:
        """The report of the bot's search of this state."""
        if state.current_player() < 0:
            acting = "the game is over" if state.is_terminal() else "chance acts"
            raise Error(f"bot: {acting} in this state, expected a player's turn")
        self._follower.go_to(state)
        return self._follower.session.search(self._agent)

    def step(self, state: Any) -> int:
        """The action that the agent recommends."""
        return int(self.step_with_policy(state)[1])

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """The shares of the visits, and the recommended action, of one search."""
        report = self.search(state)
        names = self._follower.names()
        pulls = dict(zip(report.arms["action"].tolist(), report.arms["pulls"].tolist(), strict=True))
        best = report.best or max(names.values(), key=lambda name: pulls.get(name, 0))
        total = sum(pulls.values())
        if total == 0:
            # A solver knows the best action without trying any.
            pulls, total = {best: 1}, 1
        policy = [(action, pulls.get(name, 0) / total) for action, name in names.items()]
        return policy, next(action for action, name in names.items() if name == best)

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """The probability of each legal action: its share of the visits of a search."""
        return self.step_with_policy(state)[0]

    def provides_policy(self) -> bool:
        """True: the bot has policies."""
        return True

    def is_clonable(self) -> bool:
        """False: the bot's tree cannot be copied."""
        return False
