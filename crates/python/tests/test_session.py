"""Sessions: positions, moves, chance, networks' planes, trees, saved searches."""

from __future__ import annotations

import dataclasses
import pickle
import random
import re
from typing import Any

import numpy as np
import pytest

import aji

GAMES = [game["name"] for game in aji.games()]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_to_its_end_and_back(name: str) -> None:
    session = aji.session(name)
    start, luck = session.text, random.Random(7)
    plies = 0
    while not session.is_over:
        if session.turn == "chance":
            assert session.draw(seed=plies) is not None
        else:
            assert session.draw() is None
            session.play(luck.choice(session.actions))
        plies += 1
        assert plies < 5_000
    position = session.position
    assert position.turn is None and position.actions == [] and not session.actions
    assert session.payoff is not None and len(session.payoff) == len(position.players)
    low, high = position.range
    assert all(low <= payoff <= high for payoff in session.payoff)
    while session.undo():
        plies -= 1
    assert plies == 0 and session.text == start
    assert not session.undo()


@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_read_from_its_text(name: str) -> None:
    session, luck = aji.session(name), random.Random(3)
    for _ in range(6):
        if session.turn == "chance":
            session.draw(seed=1)
        elif not session.is_over:
            session.play(luck.choice(session.actions))
    again = aji.session(name, position=session.text)
    assert again.text == session.text
    assert again.turn == session.turn
    assert again.actions == session.actions
    assert str(again) == str(session)


def test_a_position_tells_everything() -> None:
    position = aji.session("tic-tac-toe", moves="b2 a1").position
    assert position == aji.session("tic-tac-toe", moves=["b2", "a1"]).position
    assert position.game == "tic-tac-toe"
    assert position.players == ["x", "o"]
    assert position.turn == 0
    assert position.text == ".../.x./o.. x"
    assert position.actions == ["b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    assert position.payoff is None and position.resigned is None
    assert position.range == (-1.0, 1.0)
    assert pickle.loads(pickle.dumps(position)) == position


def test_moves_are_words_in_one_text_or_many() -> None:
    session = aji.session("tic-tac-toe")
    assert session.play("b2 a1", "c3") is session
    assert session.text == "..x/.x./o.. o"
    assert repr(session) == "<aji.Session tic-tac-toe: ..x/.x./o.. o>"
    assert "x" in str(session)


def test_the_end_has_payoffs_and_resigning_ends_a_game() -> None:
    session = aji.session("tic-tac-toe", moves="a1 b1 a2 b2 a3")
    assert session.is_over and session.payoff == [1.0, -1.0]
    session = aji.session("tic-tac-toe", moves="a1")
    session.resign()
    assert session.position.resigned == 1 and session.payoff == [1.0, -1.0]


def test_chance_has_odds_and_a_seed() -> None:
    session = aji.session("pig", moves="roll")
    assert session.turn == "chance"
    assert session.odds == pytest.approx([1.0] * 6)
    drawn = session.draw(seed=5)
    assert drawn in {"1", "2", "3", "4", "5", "6"}
    assert aji.session("pig", moves="roll").draw(seed=5) == drawn
    faces = {aji.session("pig", moves="roll").draw(seed=seed) for seed in range(60)}
    assert len(faces) == 6
    assert session.draw() is None and session.odds == []


def test_the_planes_of_a_network() -> None:
    session = aji.session("connect-four", moves="d d c")
    encoding = session.encoding()
    assert encoding is not None
    planes, numbers = encoding
    assert planes.dtype == np.float32 and planes.shape == (2, 6, 7)
    assert planes.sum() == 3
    assert list(numbers) == session.actions and sorted(numbers.values()) == list(range(7))
    assert session.action_count == 7 and aji.session("go size=5").action_count == 26
    assert aji.session("nim").encoding() is None and aji.session("nim").action_count is None


@pytest.mark.parametrize(
    ("do", "words"),
    [
        (lambda: aji.session("tic-tac-foe"), ["search", "tic-tac-foe"]),
        (lambda: aji.session("hex size=1"), ["search", "hex", "size=1"]),
        (lambda: aji.session("hex sise=5"), ["search", "hex", "sise=5"]),
        (lambda: aji.session("tic-tac-toe", moves="b2 b2"), ["search", "tic-tac-toe", "--moves", "b2 b2"]),
        (lambda: aji.session("hex", position="zzz"), ["search", "hex", "--position", "zzz"]),
        (lambda: aji.search("tic-tac-toe", "foo"), ["search", "tic-tac-toe", "--agent", "foo"]),
        (lambda: aji.search("tic-tac-toe", "uct q=1"), ["search", "tic-tac-toe", "--agent", "uct q=1"]),
        (lambda: aji.search("pig", "alphazero"), ["search", "pig", "--agent", "alphazero"]),
        (lambda: aji.laws("nope"), ["laws", "nope"]),
        (
            lambda: aji.search("tic-tac-toe", moves="a1 b1 a2 b2 a3"),
            ["search", "tic-tac-toe", "--moves", "a1 b1 a2 b2 a3"],
        ),
    ],
)
def test_bad_input_has_the_message_of_the_command_line(do: Any, words: list[str], refused: Any) -> None:
    with pytest.raises(aji.Error) as raised:
        do()
    assert str(raised.value) == refused(*words)


def test_bad_moves_leave_the_session_as_it_is() -> None:
    session = aji.session("tic-tac-toe", moves="b2")
    with pytest.raises(aji.Error, match="is not legal here"):
        session.play("z9")
    with pytest.raises(aji.Error, match="position"):
        session.set_position("nonsense")
    assert session.text == ".../.x./... o"
    session.set_position("xx./oo./... x")
    assert session.search("exact").best == "c3"


def test_what_a_session_cannot_tell_is_a_clear_error() -> None:
    session = aji.session("tic-tac-toe")
    with pytest.raises(aji.Error, match="no search here"):
        session.tree()
    assert session.node() is None
    with pytest.raises(aji.Error, match="no search to save"):
        session.save()
    report = session.search("uct simulations=100")
    session.play("b2")
    with pytest.raises(aji.Error, match="gone on since"):
        report.tree()
    with pytest.raises(aji.Error, match="not both"):
        session.search("uct", only=["a1"], without=["c3"])


def test_an_agent_keeps_its_tree_from_move_to_move() -> None:
    session = aji.session("connect-four")
    first = session.search("uct simulations=2000 reuse=on")
    assert first.best is not None
    before = next(arm["pulls"] for arm in first.arms if arm["action"] == first.best)
    session.play(first.best)
    node = session.node()
    assert node is not None and abs(node["visits"] - int(before)) <= 1
    assert session.search("uct simulations=10 reuse=on").arms["pulls"].sum() >= before


def test_the_tree_and_its_nodes() -> None:
    session = aji.session("tic-tac-toe", moves="b2")
    report = session.search("uct simulations=3000 seed=2")
    tree = report.tree(depth=2, top=3)
    assert len(tree.data["children"]) == 3 and tree.data["left_out"] == 5
    paths = [path for path, _ in tree]
    assert paths[0] == [] and len(paths) == 1 + 3 + 9
    assert paths[1][0] == report.best
    assert tree.svg.startswith("<svg") and tree._repr_svg_() == tree.svg
    below = session.tree(path=[report.best or ""], depth=1, top=2)
    assert below.data["action"] == report.best
    node = session.node()
    assert node is not None
    assert [arm["action"] for arm in node["arms"]] == session.actions
    assert node["visits"] == 3000 and node["rule"].startswith("ucb1")


def test_simulations_are_explained(told: Any) -> None:
    explanation = aji.explain("tic-tac-toe", "uct", skip=9, steps=30)
    found = told("explain", "tic-tac-toe", "--skip", "9", "--steps", "30")
    assert explanation.data == {name: found[name] for name in ("rules", "simulations", "arms")}
    assert [one.number for one in explanation.simulations] == list(range(10, 40))
    assert sum(arm.pulls for arm in explanation.arms) == 39
    assert explanation.rules[0].rule == "ucb1(c=1.4)" and "√" in explanation.rules[0].formula
    step = explanation.simulations[0].selection[0]
    assert step.rule == explanation.rules[0]
    assert step.arm.filled[-1].endswith(f"= {step.arm.bound:.3f}")
    assert pickle.loads(pickle.dumps(explanation)) == explanation
    with pytest.raises(dataclasses.FrozenInstanceError):
        explanation.simulations[0].number = 1  # type: ignore[misc]


def test_the_phases_of_a_simulation_fit_together() -> None:
    """The moves lead to the position, the rewards follow from the payoff, and each mean from the one before."""
    for simulation in aji.explain("tic-tac-toe", "uct solver=on", steps=400).simulations:
        selection, expansion, playout, backup = simulation.selection, simulation.expansion, simulation.playout, simulation.backup
        session = aji.session("tic-tac-toe", moves=simulation.path)
        assert (session.text, str(session.board())) == (expansion.position, expansion.board)
        assert len(selection) + (expansion.tried is not None) == len(simulation.path) == len(backup.updates)
        assert (expansion.tried is not None) == (expansion.kind == "opened")
        for step in selection:
            assert step.arm.action == step.action
            # UCB1 takes what was never tried, or the highest bound. What is proven lost is left alone.
            if step.arm.pulls and step.arm.bounds is None:
                assert all(arm.pulls for arm in step.arms)
                highest = max(arm.bound or 0.0 for arm in step.arms if arm.bounds is None)
                assert step.arm.bound == pytest.approx(highest, abs=1e-5)
        if playout.moves is not None:
            assert session.play(*playout.moves).payoff == playout.payoff
        if playout.payoff is not None:
            assert backup.rewards == [(payoff + 1) / 2 for payoff in playout.payoff]
        for update in backup.updates:
            reward = backup.rewards["xo".index(update.player)]
            if update.bounds is None:
                before = 0.0 if update.mean_before is None else update.mean_before * (update.pulls - 1)
                assert update.mean == pytest.approx((before + reward) / update.pulls, abs=1e-5)


def test_an_explanation_is_readable() -> None:
    explanation = aji.explain("tic-tac-toe", "uct", skip=20, steps=2)
    simulation = explanation.simulations[0]
    assert repr(explanation) == "Explanation(2 simulations by ucb1(c=1.4))"
    assert repr(simulation) == "Simulation(21: c3 a1, opened; c2 b2 c1: 1, -1)"
    assert repr(simulation.selection) == "[Selection(x takes c3, 1 pull, mean 0.000, bound 2.423)]"
    assert repr(simulation.expansion) == "Expansion(opened, o tries a1: ..x/.../o.. x)"
    assert repr(simulation.playout) == "Playout(c2 b2 c1: 1, -1)"
    assert repr(simulation.backup) == "Backup(1, 0 to 2 actions)"
    assert repr(simulation.backup.updates) == "[Update(c3: 0.000 -> 0.500, 2 pulls), Update(a1: 0.000, 1 pull)]"
    page = explanation._repr_html_()
    assert page.count("<caption>") == 3 and page.count(">selection<") == 2 and "<pre>" in page
    assert '<tr style="font-weight:bold"><th scope="row">c3</th><td>1</td><td>0.000</td><td>2.423</td></tr>' in simulation.selection[0]._repr_html_()


def test_a_network_values_a_leaf_that_is_explained() -> None:
    def evaluate(states: Any) -> tuple[Any, Any]:
        return np.full(len(states), 0.5), np.ones((len(states), 9))

    bench = aji.Workbench().evaluation("mine", evaluate)
    simulation = bench.explain("tic-tac-toe", "alphazero net=mine", skip=12).simulations[0]
    assert simulation.expansion.kind == "opened" and simulation.expansion.tried is None
    assert simulation.playout.by_network and simulation.playout.share == 0.0 and simulation.playout.moves is None
    assert repr(simulation.playout) == "Playout(valued by a network)"
    assert all(arm.prior == pytest.approx(1 / 9) for arm in simulation.selection[0].arms)


def test_sequences_are_counted(told: Any) -> None:
    session = aji.session("tic-tac-toe")
    assert [session.perft(length) for length in range(4)] == [1, 9, 72, 504]
    assert aji.perft("connect-four", 4) == 7**4
    assert aji.perft("tic-tac-toe", 1, moves="b2 a1") == 7


def test_a_saved_search_goes_on_elsewhere() -> None:
    first = aji.session("connect-four", moves="d")
    first.search("uct simulations=1000 seed=4")
    saved = first.save()
    assert isinstance(saved, bytes)
    second = aji.session("connect-four", moves="d")
    assert second.load("uct simulations=1000 seed=4", saved) == 1000
    again = first.search("uct simulations=2000 seed=4")
    assert second.search("uct simulations=2000 seed=4").arms.tobytes() == again.arms.tobytes()
    with pytest.raises(aji.Error):
        aji.session("connect-four", moves="e").load("uct simulations=1000 seed=4", saved)
    with pytest.raises(aji.Error):
        aji.session("connect-four", moves="d").load("uct simulations=1000 seed=4", saved[:50])
    with pytest.raises(aji.Error):
        aji.session("connect-four", moves="d").load("rave", saved)


def test_a_board_is_text_and_a_drawing() -> None:
    session = aji.session("tic-tac-toe", moves="b2")
    board = session.board()
    assert str(board) == str(session)
    assert re.match(r"<svg .*</svg>\s*$", board._repr_svg_(), re.DOTALL)
    assert aji.search("tic-tac-toe", "uct simulations=50").board()._repr_svg_().startswith("<svg")


def test_moves_that_were_made_are_counted() -> None:
    session = aji.session("pig", moves="roll")
    made = session.moves_made
    session.draw(seed=1)
    assert session.moves_made == made + 1
    assert session.draw() is None
    assert session.moves_made == made + 1
