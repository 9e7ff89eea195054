"""Games of one's own: what they may look like, exact values, laws, exceptions, wrong answers."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from games import Dice, HashedStones, Ring, Stones, StonesInPlace, best, solved

import aji

# What a game may look like


@pytest.mark.parametrize("left", range(1, 13))
@pytest.mark.parametrize("make", [Stones, StonesInPlace, HashedStones])
def test_the_best_move_is_that_of_minimax(make: Any, left: int) -> None:
    report = aji.search(make(left), "uct simulations=2000 solver=on")
    found = str(report.best).removeprefix("take")
    value = solved(make(left))[0]
    assert value < 0 or found in best(make(left))
    assert report.proven == pytest.approx((value + 1) / 2)


def test_a_position_that_is_changed_in_place_is_copied_and_stays_as_it_is() -> None:
    StonesInPlace.copies = 0
    game = StonesInPlace(10)
    assert aji.search(game, "uct simulations=500").best == "2"
    assert StonesInPlace.copies > 0
    assert (game.left, game.mover) == (10, 0)


def test_without_a_copy_method_python_copies() -> None:
    class Plain:
        def __init__(self) -> None:
            self.left, self.mover = [1] * 6, 0

        def turn(self) -> int | None:
            return self.mover if self.left else None

        def actions(self) -> list[int]:
            return [taken for taken in (1, 2, 3) if taken <= len(self.left)]

        def play(self, taken: int) -> None:
            del self.left[:taken]
            self.mover = 1 - self.mover

        def payoff(self) -> int:
            return 1 if self.mover == 1 else -1

    game = Plain()
    assert aji.search(game, "uct simulations=300").best == "2"
    assert game.left == [1] * 6


def test_a_position_that_is_changed_in_place_may_be_returned() -> None:
    class Fluent(StonesInPlace):
        def play(self, taken: int) -> Any:
            super().play(taken)
            return self

    game = Fluent(10)
    assert aji.search(game, "uct simulations=500").best == "2"
    assert game.left == 10


def test_numpy_numbers_are_numbers() -> None:
    class Numpy(Stones):
        def turn(self) -> Any:
            return np.int64(self.mover) if self.left else None

        def actions(self) -> Any:
            return np.arange(1, min(3, self.left) + 1)

        def payoff(self) -> Any:
            return np.float32(1) if self.mover else np.float64(-1)

    assert aji.search(Numpy(10), "uct simulations=500").best == "2"


def test_the_arms_of_both_kinds_are_the_same() -> None:
    first, second = (aji.search(make(10), "uct simulations=700 seed=3").arms for make in (Stones, StonesInPlace))
    assert first.tobytes() == second.tobytes()


def test_chance_and_one_player() -> None:
    exact = aji.search(Dice(2), "exact")
    assert exact.best == "roll"
    value = solved(Dice(2))[0]
    assert exact.points == pytest.approx(value, abs=1e-5) or exact.value == pytest.approx(value / 6, abs=1e-5)
    report = aji.search(Dice(2), "uct simulations=20000 c=0.5")
    assert report.best == "roll" and report.value == pytest.approx(value / 6, abs=0.03)
    session = aji.session(Dice(3), moves="roll")
    assert session.turn == "chance"
    assert session.odds == [2, 1, 1, 1, 1, 1]
    assert session.draw(seed=1) in session_faces()
    assert aji.session(Dice(3)).position.range == (0.0, 6.0)


def session_faces() -> list[str]:
    return [str(face) for face in range(1, 7)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_more_players(players: int) -> None:
    for left in range(1, 8):
        game = Ring(left, players)
        report = aji.search(game, "exact")
        assert report.best in best(game)
        assert report.proven == pytest.approx((solved(game)[0] + 1) / 2)
    session = aji.session(Ring(2, players), moves="2")
    assert session.payoff == [1.0] + [-1.0] * (players - 1)


def test_a_hash_lets_exact_play_and_transpositions() -> None:
    assert aji.search(HashedStones(20), "exact").value == 0.0
    assert aji.search(HashedStones(21), "exact").best == "take1"
    plain, merged = (
        aji.search(HashedStones(12), f"uct simulations=3000 transpositions={word}").nodes for word in ("off", "on")
    )
    assert merged < plain / 3


def test_a_hash_spares_python_questions() -> None:
    asked: dict[type, int] = {Stones: 0, HashedStones: 0}

    def counted(parent: type) -> type:
        def turn(self: Any) -> Any:
            asked[parent] += 1
            return parent.turn(self)  # type: ignore[attr-defined]

        return type("Counted", (parent,), {"turn": turn})

    for parent in asked:
        aji.search(counted(parent)(12), "uct simulations=1000")
    assert asked[HashedStones] < 100 < asked[Stones]


#: What positions may be told apart by. CPython's hashes of -1 and -2 are the same.
HASHES: dict[str, Callable[[Any], Any]] = {
    "a number": lambda number: number,
    "a tuple": lambda number: (number, 0),
    "nested tuples": lambda number: ("a", (b"b", (None, 1.5, number))),
    "numpy's number": np.int8,
    "numpy's numbers": lambda number: tuple(np.array([0, number])),
    "a set": lambda number: frozenset({(0, number), (1, 1)}),
    "a long number": lambda number: 2**70 + number,
    "text": lambda number: "a" * 8 + str(number),
    "bytes": lambda number: bytes([0] * (number + 20)),
    "a float": lambda number: number + 0.25,
    "something deep": lambda number: functools.reduce(lambda inner, _: (inner,), range(200), 2.0**number),
}


@pytest.mark.parametrize("kind", HASHES)
def test_positions_are_told_apart_by_what_hash_gives(kind: str) -> None:
    class Doors:
        """The first door wins, the others lose."""

        players = 1

        def __init__(self, door: int = -9) -> None:
            self.door = door

        def turn(self) -> int | None:
            return 0 if self.door == -9 else None

        def actions(self) -> list[int]:
            return [-3, -2, -1, 0]

        def play(self, door: int) -> Doors:
            return Doors(door)

        def payoff(self) -> int:
            return 1 if self.door == -3 else self.door * 0.25

        def hash(self) -> Any:
            return HASHES[kind](self.door)

    arms = aji.search(Doors(), "uct simulations=40").arms
    assert arms["mean"].tolist() == pytest.approx([1, 0.25, 0.375, 0.5])


@pytest.mark.parametrize("same", [(1, True, 1.0, np.int64(1)), ((2, 0), (2.0, False)), ("x", "x"), (frozenset("ab"), frozenset("ba"))])
def test_equal_hashes_are_the_same_position(same: tuple[Any, ...]) -> None:
    class Ways(HashedStones):
        """Ways to the same position, of which the first is kept with its payoff."""

        def hash(self) -> Any:
            return same[-self.left - 1] if self.left < 0 else "start"

        def turn(self) -> int | None:
            return 0 if self.left == 10 else None

        def actions(self) -> range:
            return range(11, 11 + len(same))

        def payoff(self) -> float:  # type: ignore[override]
            return self.left / 10

    arms = aji.search(Ways(10), "uct simulations=50").arms
    assert len(arms) == len(same) and len(set(arms["mean"].tolist())) == 1


def test_hashes_are_the_same_in_every_process() -> None:
    code = f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from games import HashedStones
import aji

class Stones(HashedStones):
    def hash(self):
        return self.text(), self.mover

# The victim's seeds are hashes of positions.
print(aji.search(Stones(15), "amcts simulations=200 victim=(uct simulations=4)").arms.tobytes().hex())
"""
    found = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1 and found != {b""}


def test_keys_let_rave_search() -> None:
    assert aji.search(HashedStones(10), "rave simulations=1500").best == "take2"
    assert aji.search(HashedStones(10), "uct simulations=1500 playout=mast").best == "take2"


def test_an_estimate_serves_alpha_beta() -> None:
    asked = []

    class Estimated(HashedStones):
        def estimate(self) -> float:
            asked.append(self.left)
            return 1.0 if (self.left % 4 != 0) == (self.mover == 0) else -1.0

    assert aji.search(Estimated(30), "alphabeta depth=2").best == "take2"
    assert asked
    assert aji.search(Estimated(30), "uct simulations=400 cutoff=0 eval=on").best == "take2"


@pytest.mark.parametrize(
    ("agent", "needs"),
    [
        ("exact", "exact needs a method hash(), which tells positions apart, and this game has none"),
        ("uct transpositions=on", "transpositions=on needs a method hash()"),
        ("rave", "rave needs a method key() and key_count, which number actions, and this game lacks them"),
        ("uct playout=mast", "playout=mast needs a method key()"),
        ("alphazero", "alphazero needs an evaluation of this game: evaluate=, or net= with the word of one in the workbench"),
    ],
)
def test_what_an_agent_lacks_is_told_in_the_words_of_python(agent: str, needs: str) -> None:
    for ask in (lambda: aji.search(Stones(10), agent), lambda: aji.match(Stones(10), agent, "random", games=2)):
        with pytest.raises(aji.Error, match=re.escape(needs)):
            ask()


def test_names_boards_and_text() -> None:
    session = aji.session(HashedStones(9), moves="take2 take3")
    assert session.text == "4 0" and str(session) == "oooo\n"
    assert session.position.players == ["Ann", "Bob"]
    assert session.actions == ["take1", "take2", "take3"]
    again = aji.session(HashedStones(9), position="4 0")
    assert again.text == session.text
    assert again.search("exact").value == session.search("exact").value == 0.0
    with pytest.raises(aji.Error, match="not enough values"):
        aji.session(HashedStones(9), position="4")


def test_without_text_a_position_is_its_moves() -> None:
    session = aji.session(Stones(9))
    assert session.text == "start"
    session.play("2", "3")
    assert session.text == "2 3"
    assert aji.session(Stones(9), position="2 3").actions == session.actions
    with pytest.raises(aji.Error, match="no action 7 after 2"):
        aji.session(Stones(9), position="2 7")


def test_actions_of_the_same_name_are_numbered() -> None:
    class Same(Stones):
        def action_name(self, taken: int) -> str:
            return "take"

    assert aji.session(Same(9)).actions == ["0", "1", "2"]


def test_facts_may_be_methods() -> None:
    class Margin(Stones):
        def players(self) -> int:
            return 2

        def payoff_range(self) -> tuple[int, int]:
            return (-5, 5)

        def payoff(self) -> int:
            return 5 * super().payoff()

    position = aji.session(Margin(3)).position
    assert position.range == (-5.0, 5.0)
    assert aji.search(Margin(5), "uct simulations=600 unit=points").points == pytest.approx(5, abs=1)


# Workbenches


def test_options_in_the_name_are_given_to_the_class() -> None:
    workbench = aji.Workbench().game("stones", Stones, summary="take stones", options="left=10, most=3")
    assert workbench.session("stones").actions == ["1", "2", "3"]
    assert workbench.session("stones most=5").actions == ["1", "2", "3", "4", "5"]
    assert workbench.search("stones left=2", "uct simulations=100").best == "2"
    listed = next(game for game in workbench.games() if game["name"] == "stones")
    assert listed["summary"] == "take stones"
    with pytest.raises(TypeError, match="unexpected keyword argument 'right'"):
        workbench.session("stones right=1")
    with pytest.raises(ValueError, match="invalid literal"):
        workbench.session("stones left=many")


def test_a_workbench_has_the_games_that_were_added_to_it() -> None:
    workbench = aji.Workbench().game("stones", Stones)
    more = workbench.copy().game("ring", Ring)
    assert more.session("stones").game == "stones" and more.session("ring").game == "ring"
    with pytest.raises(aji.Error, match='unknown game "ring"'):
        workbench.session("ring")
    with pytest.raises(aji.Error, match='unknown game "stones"'):
        aji.session("stones")
    with pytest.raises(aji.Error, match="expected a word without spaces"):
        workbench.game("two words", Stones)


def test_a_game_is_a_class_a_function_or_a_position() -> None:
    start = Stones(7)
    for make in (Stones, lambda left=7: Stones(left), start):
        workbench = aji.Workbench().game("stones", make)
        assert workbench.search("stones", "uct simulations=400").best in {"2", "3"}
    assert aji.search(Stones, "uct simulations=10").game == "stones"
    assert aji.search(start, "uct simulations=10").game == "stones"
    assert aji.agent_for(start) == "uct"


def test_matches_and_tournaments() -> None:
    workbench = aji.Workbench().game("stones", Stones)
    match = workbench.match("stones left=15", "uct simulations=200", "random", games=20)
    assert match.score > 0.6 and match.games == 20
    assert match.data == workbench.match("stones left=15", "uct simulations=200", "random", games=20, threads=2).data
    tournament = aji.tournament(HashedStones(11), ["uct simulations=100", "random", "exact"], games=8)
    assert tournament.ratings[-1]["agent"] == "random"
    mistakes = aji.mistakes(HashedStones(15), "uct simulations=300", positions=10, plies="1..3")
    assert mistakes["positions"] == 10


def test_laws_and_sequences() -> None:
    assert "Game" in aji.laws(Stones(6))
    assert {"Game", "Hashed", "Keyed"} <= set(aji.laws(HashedStones(6)))
    assert "Game" in aji.laws(Dice(2))
    assert [aji.perft(Stones(4), length) for length in (1, 2, 3)] == [3, 6, 4]
    assert aji.explain(Stones(6), steps=2).simulations[1].number == 2


@pytest.mark.parametrize("sequence", [list, tuple, iter, dict.fromkeys, lambda numbers: np.array(list(numbers))])
def test_actions_of_any_type_give_the_same_search(sequence: Any) -> None:
    """Playouts take one action of a list or a tuple without looking at the others."""

    class Other(Stones):
        def actions(self) -> Any:
            return sequence(super().actions())

    expect = aji.search(Stones(30), "uct simulations=400").arms
    for kept in (0, 50, 100_000):
        bench = aji.Workbench().game("stones", lambda: Other(30), kept=kept)
        assert bench.search("stones", "uct simulations=400").arms.tobytes() == expect.tobytes()


@pytest.mark.parametrize("found", [[], (), range(0), list(range(70_000)), tuple(range(70_000))], ids=lambda found: f"{type(found).__name__}{len(found)}")
def test_wrong_actions_deep_in_a_playout_are_refused(found: Any) -> None:
    class Deep(Stones):
        def actions(self) -> Any:
            return found if self.left < 5 else super().actions()

    expect = "65,?534 are allowed" if len(found) else "gave none, though turn"
    with pytest.raises(aji.Error, match=rf"actions.*{expect}|actions, at most 65,?534"):
        aji.search(Deep(40), "uct simulations=1")


# Broken laws


class Generous(Stones):
    def payoff(self) -> int:
        return 5


class SameHash(HashedStones):
    def hash(self) -> Any:
        return 0


class Misread(HashedStones):
    def read(self, text: str) -> HashedStones:
        return super().read("9 0")


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Generous(6), r"law of payoffs, ply \d after moves .*: the players get \[5.0, -5.0\]: payoff_range\(\) says -1 to 1"),
        (SameHash(6), "after moves .*: a playout from here does not end"),
        (Misread(6), 'law of names, at the start: "6 0" .* is read as "9 0"'),
    ],
)
def test_a_broken_law_is_told_with_the_moves(game: Any, message: str) -> None:
    with pytest.raises(aji.Error, match=message):
        aji.laws(game)


# Exceptions


class Trouble(Exception):
    pass


def broken(method: str) -> Any:
    """A game whose method raises once few stones are left."""

    def raises(self: Any, *words: Any) -> Any:
        if self.left <= 4:
            raise Trouble(f"in {method}")
        return getattr(HashedStones, method)(self, *words)

    return type("Broken", (HashedStones,), {method: raises})(9)


class BrokenCopy(StonesInPlace):
    def copy(self) -> StonesInPlace:
        if self.left <= 4:
            raise Trouble("in copy")
        return super().copy()


class BrokenWeight(Dice):
    def weight(self, face: int) -> float:
        if self.rolls == 1:
            raise Trouble("in weight")
        return 1.0


GAMES: dict[str, Callable[[], Any]] = {
    **{method: (lambda method=method: broken(method)) for method in ("turn", "actions", "play", "payoff", "hash", "key")},
    "copy": lambda: BrokenCopy(9),
    "weight": lambda: BrokenWeight(3),
}

CALLS: dict[str, Callable[[Any], Any]] = {
    "search": lambda game: aji.search(game, "rave simulations=2000" if hasattr(game, "key") else "uct simulations=2000"),
    "threads": lambda game: aji.search(game, ("rave" if hasattr(game, "key") else "uct") + " simulations=2000 threads=2"),
    "watch": lambda game: aji.watch(game, "rave simulations=2000" if hasattr(game, "key") else "uct simulations=2000").report(),
    "match": lambda game: aji.match(game, "rave simulations=200" if hasattr(game, "key") else "uct simulations=200", "random", games=4),
    "match by two threads": lambda game: aji.match(
        game, "rave simulations=200" if hasattr(game, "key") else "uct simulations=200", "random", games=4, threads=2
    ),
    "laws": aji.laws,
    "explain": lambda game: aji.explain(game, "rave" if hasattr(game, "key") else "uct", skip=200),
}


@pytest.mark.parametrize("method", GAMES)
@pytest.mark.parametrize("call", CALLS)
def test_an_exception_comes_back_as_it_is(method: str, call: str) -> None:
    with pytest.raises(Trouble, match=f"in {method}") as raised:
        CALLS[call](GAMES[method]())
    assert any(frame.filename == __file__ for frame in traceback.extract_tb(raised.value.__traceback__)[1:])
    assert aji.search(Stones(10), "uct simulations=300").best == "2"
    assert aji.match("tic-tac-toe", "random", "random", games=2).games == 2


def test_a_session_works_after_an_exception() -> None:
    is_broken = True

    class Sometimes(Stones):
        def play(self, taken: int) -> Stones:
            if is_broken and self.left < 5:
                raise Trouble
            return super().play(taken)

    session = aji.session(Sometimes(10))
    with pytest.raises(Trouble):
        session.search("uct simulations=500")
    is_broken = False
    assert session.search("uct simulations=500").best == "2"
    is_broken = True
    session = aji.session(Sometimes(10), moves="3 3")
    with pytest.raises(Trouble):
        session.play("1")
    assert session.text == "3 3"


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, StopIteration, RecursionError, MemoryError])
def test_exceptions_of_every_kind_come_back(kind: type[BaseException]) -> None:
    class Raises(Stones):
        def play(self, taken: int) -> Stones:
            if self.left < 5:
                raise kind
            return super().play(taken)

    with pytest.raises(kind):
        aji.search(Raises(10), "uct simulations=300")
    with pytest.raises(kind):
        aji.match(Raises(10), "uct simulations=100", "random", games=4)


def test_actions_may_be_any_objects() -> None:
    class Take:
        def __init__(self, taken: int) -> None:
            self.taken = taken

        def __str__(self) -> str:
            return f"take {self.taken}"

    class Objects(Stones):
        def actions(self) -> Any:
            return (Take(taken) for taken in super(Objects, self).actions())

        def play(self, take: Any) -> Any:
            return super().play(take.taken)

    session = aji.session(Objects(10))
    assert session.actions == ["take1", "take2", "take3"]
    assert session.search("uct simulations=500").best == "take2"


def test_exceptions_of_names_and_boards() -> None:
    for method in ("action_name", "board", "text", "player_name"):
        game = type("Broken", (HashedStones,), {method: lambda *_: 1 / 0})(9)
        with pytest.raises(ZeroDivisionError):
            session = aji.session(game)
            str(session), session.position


def test_a_class_that_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        aji.search(type("Needs", (Stones,), {"__init__": lambda self, left: None}))


# Wrong answers


def stones_with(**methods: Any) -> Any:
    return type("Odd", (HashedStones,), methods)(9)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (lambda: stones_with(turn=lambda self: 7), r"turn\(\) gave 7, expected a player from 0 to 1, None at the end"),
        (lambda: stones_with(turn=lambda self: "x"), r"turn\(\) gave 'x'"),
        (lambda: stones_with(turn=lambda self: -1), r"turn\(\) gave -1"),
        (lambda: stones_with(turn=lambda self: 0.0), r"turn\(\) gave 0.0"),
        (lambda: stones_with(turn=lambda self: np.float64(0)), r"turn\(\) gave .*0.0"),
        (lambda: stones_with(turn=lambda self: "chance"), r'"chance" needs has_chance = True'),
        (lambda: stones_with(actions=lambda self: []), r"actions\(\) gave none"),
        (lambda: stones_with(actions=lambda self: range(70_000)), "70000 actions, at most 65534"),
        (lambda: stones_with(payoff=lambda self: float("nan")), r"payoff\(\) gave nan, expected 2 numbers"),
        (lambda: stones_with(payoff=lambda self: [1, 2, 3]), r"payoff\(\) gave \[1, 2, 3\], expected 2 numbers"),
        (lambda: stones_with(payoff=lambda self: None), r"payoff\(\) gave None"),
        (lambda: stones_with(players=5), "players is 5, expected a whole number from 1 to 4"),
        (lambda: stones_with(payoff_range=(1, -1)), "payoff_range is .*, expected the lowest and the highest payoff"),
        (lambda: stones_with(zero_sum=False), r"payoff\(\) gave .*, expected 2 numbers"),
        (lambda: stones_with(key_count="x"), "key_count is x, expected a whole number"),
        (lambda: type("Odd", (Dice,), {"weight": lambda self, face: -1.0})(), r"weight\(\) gave -1.0, expected a number from 0"),
        (lambda: type("Odd", (Dice,), {"weight": lambda self, face: 0.0})(), "no outcome of chance has positive odds"),
        (lambda: 5, r"<class 'int'> has no method turn\(\)"),
        (lambda: None, r"has no method turn\(\)"),
        (lambda: stones_with(turn=None), r"has no method turn\(\)"),
    ],
)
def test_a_wrong_answer_is_a_clear_error(game: Any, message: str) -> None:
    with pytest.raises(aji.Error, match=message):
        aji.search(game(), "uct simulations=200")
    assert aji.search(Stones(10), "uct simulations=300").best == "2"


def test_a_wrong_key_is_a_clear_error() -> None:
    with pytest.raises(aji.Error, match=r"key\(\) gave 9, expected a number below key_count, 4"):
        aji.search(stones_with(key=lambda self, taken: 9), "rave simulations=100")


def test_a_long_game_is_searched() -> None:
    report = aji.search(Stones(3_000, most=1), "uct simulations=5")
    assert report.simulations == 5
    session = aji.session(Stones(3_000, most=1))
    for _ in range(2_500):
        session.play("1")
    assert session.actions == ["1"]
