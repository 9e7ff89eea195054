"""Evaluations in Python: what they are asked, and what they may answer."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from games import Dice, HashedStones, Ring, Stones, best, solved

import aji


def zeros(leaves: Any) -> npt.NDArray[np.float32]:
    return np.zeros(len(leaves), np.float32)


def perfect(states: list[Any]) -> list[float]:
    """The value of each position to its player to act."""
    return [solved(state)[state.turn()] for state in states]


# Batches


@pytest.mark.parametrize("wave", [1, 8, 32])
def test_a_built_in_game_gives_planes_in_batches(wave: int) -> None:
    sizes, kinds = [], set()

    def evaluate(planes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        sizes.append(len(planes))
        kinds.add((planes.dtype.name, planes.shape[1:]))
        assert planes.flags.writeable and planes.flags.c_contiguous
        assert set(np.unique(planes)) <= {0.0, 1.0}
        return zeros(planes)

    report = aji.search("connect-four", f"alphazero simulations=400 wave={wave}", evaluate=evaluate)
    assert report.simulations == 400
    assert kinds == {("float32", (2, 6, 7))}
    assert max(sizes) == wave and sizes[0] == 1
    assert sum(size == wave for size in sizes) >= 0.7 * len(sizes)
    assert sum(sizes) <= 401


def test_the_planes_are_those_of_the_session() -> None:
    seen = []

    def evaluate(planes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        seen.extend(planes.copy())
        return zeros(planes)

    aji.search("connect-four", "alphazero simulations=8", moves="d d c", evaluate=evaluate)
    encoding = aji.session("connect-four", moves="d d c").encoding()
    assert encoding is not None
    np.testing.assert_array_equal(seen[0], encoding[0])


def test_an_own_game_gives_its_positions_in_batches() -> None:
    sizes = []

    def evaluate(states: list[Stones]) -> list[float]:
        sizes.append(len(states))
        assert all(type(state) is Stones and state.left > 0 for state in states)
        return [0.0] * len(states)

    report = aji.search(Stones(40), "alphazero simulations=600 wave=16", evaluate=evaluate)
    assert report.simulations == 600
    assert max(sizes) == 16
    assert sum(size == 16 for size in sizes) >= 0.6 * len(sizes)


def test_many_positions_share_a_call() -> None:
    sizes = []

    def evaluate(states: list[Stones]) -> list[float]:
        sizes.append(len(states))
        return perfect(states)

    positions = ["", "1", "1 1", "3 3"]
    reports = aji.search_many(Stones(10), positions, "gumbel simulations=32", evaluate=evaluate)
    assert max(sizes) == 4
    for position, report in zip(positions, reports, strict=True):
        session = aji.session(Stones(10), moves=position)
        alone = aji.search(Stones(10), "gumbel simulations=32", moves=position, evaluate=perfect)
        assert report.arms.tobytes() == alone.arms.tobytes()
        assert report.position == session.text


def test_many_positions_tell_their_seconds() -> None:
    def slow(planes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        time.sleep(0.005)
        return zeros(planes)

    (report,) = aji.search_many("connect-four", [""], "gumbel simulations=8", evaluate=slow)
    assert report.seconds >= 0.005


@pytest.mark.parametrize("game", ["connect-four", Stones(2_000)])
def test_256_leaves_are_valued_in_a_call(game: Any) -> None:
    sizes = []

    def evaluate(leaves: Any) -> tuple[Any, Any]:
        sizes.append(len(leaves))
        return zeros(leaves), np.ones((len(leaves), 7 if game == "connect-four" else 3))

    moves = aji.session(game).actions
    positions = [" ".join(place) for place in itertools.islice(itertools.product(moves, repeat=6), 256)]
    reports = aji.search_many(game, positions, "gumbel simulations=4", evaluate=evaluate)
    assert len(reports) == 256 and sizes == [256] * 5
    assert all(report.simulations == 4 for report in reports)
    sizes.clear()
    assert aji.search(game, "alphazero simulations=2000 wave=256", evaluate=evaluate).simulations == 2000
    assert 256 in sizes


def test_many_positions_are_checked() -> None:
    with pytest.raises(aji.Error, match="net= or evaluate=, not both"):
        aji.search_many("connect-four", [""], "gumbel simulations=8 net=x", evaluate=zeros)
    with pytest.raises(aji.Error, match="position 1: "):
        aji.search_many("connect-four", ["", "q"], "gumbel simulations=8", evaluate=zeros)
    with pytest.raises(aji.Error, match="simulations="):
        aji.search_many("connect-four", [""], "gumbel time=1s", evaluate=zeros)
    with pytest.raises(ZeroDivisionError):
        aji.search_many("connect-four", [""], "gumbel simulations=8", evaluate=lambda planes: 1 / 0)
    assert aji.search_many("connect-four", [], "gumbel simulations=8", evaluate=zeros) == []


# Values and policies


def test_perfect_values_find_the_best_move_in_few_simulations() -> None:
    for left in (left for left in range(2, 30) if left % 4):
        report = aji.search(Stones(left), "alphazero simulations=40", evaluate=perfect)
        assert report.best in best(Stones(left))
        assert report.evaluation == 1.0
    assert aji.search(Stones(21), "gumbel simulations=12", evaluate=perfect).best == "1"


def test_values_by_mover_and_by_player_are_the_same_search() -> None:
    def by_player(states: list[Stones]) -> list[list[float]]:
        return [solved(state) for state in states]

    def column(states: list[Stones]) -> npt.NDArray[np.float64]:
        return np.array(perfect(states))[:, None]

    agent = "alphazero simulations=100 wave=4"
    arms = {
        aji.search(Stones(13), agent, evaluate=evaluate).arms.tobytes() for evaluate in (perfect, by_player, column)
    }
    assert len(arms) == 1


@pytest.mark.parametrize("wave", [1, 2, 3])
@pytest.mark.parametrize("number", [float, np.float32, np.array])
def test_a_tuple_of_values_is_no_pair(wave: int, number: Any) -> None:
    def as_tuple(states: list[Stones]) -> Any:
        return tuple(number(value) for value in perfect(states))

    agent = f"alphazero simulations=100 wave={wave}"
    first, second = (aji.search(Stones(13), agent, evaluate=evaluate).arms for evaluate in (perfect, as_tuple))
    assert first.tobytes() == second.tobytes()


def test_three_players_have_a_value_each() -> None:
    def by_player(states: list[Ring]) -> list[list[float]]:
        return [solved(state) for state in states]

    assert aji.search(Ring(5, 3), "alphazero simulations=60", evaluate=by_player).best in best(Ring(5, 3))
    with pytest.raises(aji.Error, match=r"values for 3 players, expected an array of shape \(1, 3\)"):
        aji.search(Ring(5, 3), "alphazero simulations=60", evaluate=zeros)


def test_priors_are_seen_in_the_report() -> None:
    def evaluate(states: list[Stones]) -> tuple[Any, Any]:
        return zeros(states), [[float(action) for action in state.actions()] for state in states]

    report = aji.search(Stones(10), "alphazero simulations=30 wave=4", evaluate=evaluate)
    assert report.arms["prior"].tolist() == pytest.approx([1 / 6, 2 / 6, 3 / 6])

    def columns(planes: npt.NDArray[np.float32]) -> tuple[Any, Any]:
        return zeros(planes), np.tile(np.arange(7.0), (len(planes), 1))

    report = aji.search("connect-four", "alphazero simulations=30", moves="a a a a a a", evaluate=columns)
    session = aji.session("connect-four", moves="a a a a a a")
    encoding = session.encoding()
    assert encoding is not None and "a" not in session.actions
    for arm in report.arms:
        assert arm["prior"] == pytest.approx(encoding[1][str(arm["action"])] / 21)


def test_without_policies_priors_are_uniform() -> None:
    report = aji.search("connect-four", "alphazero simulations=30", evaluate=zeros)
    assert report.arms["prior"].tolist() == pytest.approx([1 / 7] * 7)


def test_ragged_policies_and_padded_policies_are_the_same_search() -> None:
    def ragged(states: list[Stones]) -> tuple[Any, Any]:
        return perfect(states), [[1.0 + action for action in state.actions()] for state in states]

    def padded(states: list[Stones]) -> tuple[Any, Any]:
        width = max(len(state.actions()) for state in states)
        return perfect(states), np.array([[1.0 + place for place in range(1, width + 1)] for _ in states])

    agent = "alphazero simulations=100 wave=8"
    first, second = (aji.search(Stones(6), agent, evaluate=evaluate).arms for evaluate in (ragged, padded))
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda count: [2.0] * count, r"values of leaf 0, column 0: 2.0 found, expected numbers from -1 to 1"),
        (lambda count: [float("nan")] * count, "values of leaf 0, column 0: nan found"),
        (lambda count: [float("inf")] * count, "values of leaf 0, column 0: inf found"),
        (lambda count: [0.0] * (count + 1), r"values of shape \(2,\), expected \(1,\) or \(1, 2\)"),
        (lambda count: 0.0, r"values of shape \(\), expected \(1,\)"),
        (lambda count: None, "values"),
        (lambda count: "x", "values: could not convert"),
        (lambda count: [[0.0] * 3] * count, r"values of shape \(1, 3\)"),
        (lambda count: (zeros("x" * count), [[1.0, -1.0, 1.0]] * count), "policies of leaf 0, column 1: -1.0 found, expected weights from 0"),
        (lambda count: (zeros("x" * count), [[1.0, float("nan"), 1.0]] * count), "policies of leaf 0, column 1: nan found"),
        (lambda count: (zeros("x" * count), [[1.0] * 2] * count), "policy 0 has 2 weights, expected 3, one for each action"),
        (lambda count: (zeros("x" * count), np.ones((count, 9))), r"policies of shape \(1, 9\), expected \(1, 3\): a column"),
        (lambda count: (zeros("x" * count), np.ones(count)), r"policies of shape \(1,\), expected \(1, 3\)"),
        (lambda count: (zeros("x" * count), [[1.0] * 3] * (count + 1)), "2 policies, expected 1, one for each leaf"),
        (lambda count: (zeros("x" * count), 5), "0 policies, expected 1"),
        (lambda count: (zeros("x" * count), [["a", "b", "c"]] * count), "policies: could not convert"),
    ],
)
@pytest.mark.parametrize("wave", [1, 4])
def test_a_wrong_answer_is_a_clear_error(answer: Any, message: str, wave: int) -> None:
    with pytest.raises(aji.Error, match=f"^evaluate: {message}"):
        aji.search(Stones(10), f"alphazero simulations=50 wave={wave}", evaluate=lambda states: answer(len(states)))
    assert aji.search(Stones(10), "alphazero simulations=50", evaluate=perfect).best == "2"


def test_a_built_in_game_wants_a_column_for_each_numbered_action() -> None:
    with pytest.raises(aji.Error, match=r"policies of shape \(1, 3\), expected \(1, 7\)"):
        aji.search("connect-four", "alphazero simulations=5", evaluate=lambda planes: (zeros(planes), np.ones((len(planes), 3))))
    with pytest.raises(aji.Error, match="policies"):
        aji.search("connect-four", "alphazero simulations=50 wave=2", evaluate=lambda planes: (zeros(planes), [[1.0], [1.0, 2.0]]))


def test_weights_of_zero_are_a_uniform_policy() -> None:
    report = aji.search("connect-four", "alphazero simulations=20", evaluate=lambda planes: (zeros(planes), np.zeros((len(planes), 7))))
    assert report.arms["prior"].tolist() == pytest.approx([1 / 7] * 7)


# Exceptions and calls within calls


class Trouble(Exception):
    pass


@pytest.mark.parametrize("game", ["connect-four", Stones(40)])
@pytest.mark.parametrize("agent", ["alphazero simulations=500 wave=8", "gumbel simulations=500"])
def test_an_exception_comes_back_as_it_is(game: Any, agent: str) -> None:
    calls = itertools.count()

    def evaluate(leaves: Any) -> Any:
        if next(calls) == 5:
            raise Trouble("in a network")
        return zeros(leaves)

    with pytest.raises(Trouble, match="in a network"):
        aji.search(game, agent, evaluate=evaluate)
    assert aji.search(game, agent, evaluate=zeros).simulations == 500


def test_an_evaluation_may_search() -> None:
    def evaluate(states: list[Stones]) -> list[float]:
        found = [aji.search(Stones(state.left), "uct simulations=200 seed=1").value for state in states]
        return [2 * value - 1 for value in found if value is not None]

    assert aji.search(Stones(10), "alphazero simulations=40", evaluate=evaluate).best == "2"


def test_an_evaluation_may_play_a_match() -> None:
    played = []

    def evaluate(planes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        if not played:
            played.append(aji.match("tic-tac-toe", "random", "random", games=2).games)
        return zeros(planes)

    aji.search("connect-four", "alphazero simulations=10", evaluate=evaluate)
    assert played == [2]


# Names


def test_evaluations_have_words_in_a_workbench() -> None:
    workbench = aji.Workbench().game("stones", HashedStones).evaluation("perfect", perfect).evaluation("none", zeros)
    assert workbench.search("stones", "alphazero simulations=30 net=perfect").best == "take2"
    match = workbench.match(
        "stones left=21", "alphazero simulations=20 net=perfect", "alphazero simulations=20 net=none", games=20
    )
    assert match.score > 0.5
    again = workbench.match(
        "stones left=21", "alphazero simulations=20 net=perfect", "alphazero simulations=20 net=none", games=20, threads=2
    )
    assert again.data == match.data
    with pytest.raises(aji.Error, match="net= or evaluate=, not both"):
        workbench.search("stones", "alphazero net=perfect", evaluate=zeros)


def test_an_evaluation_needs_an_agent_with_a_network() -> None:
    with pytest.raises(aji.Error, match="need a search with a network"):
        aji.search(Stones(10), "uct simulations=10", evaluate=zeros)


@pytest.mark.parametrize("agent", ["alphazero simulations=10", "gumbel simulations=10", "uct simulations=10 lambda=0.5"])
def test_a_built_in_game_without_planes_is_refused(agent: str) -> None:
    refusal = "networks cannot play pig, as it has no encoding; take another agent, such as uct"
    with pytest.raises(aji.Error, match=refusal):
        aji.search("pig", agent, evaluate=zeros)
    with pytest.raises(aji.Error, match=refusal):
        aji.search_many("pig", [""], agent, evaluate=zeros)


def test_an_own_game_with_chance_is_evaluated() -> None:
    seen = []

    def evaluate(states: list[Dice]) -> list[float]:
        seen.extend(states)
        return [state.face / 3 - 1 for state in states]

    report = aji.search(Dice(2), "alphazero simulations=2000 c=0.5", evaluate=evaluate)
    assert report.best == "roll" and {state.turn() for state in seen} == {0}


def test_an_evaluation_in_a_playout() -> None:
    report = aji.search(Stones(10), "uct simulations=200 lambda=0.5", evaluate=perfect)
    assert report.best == "2"
