"""Games and bots of OpenSpiel, against OpenSpiel's own algorithms."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import open_spiel.python.games  # type: ignore[import-untyped]  # noqa: F401 (adds OpenSpiel's games in Python)
import pyspiel  # type: ignore[import-not-found]
import pytest
from open_spiel.python.algorithms import evaluate_bots, minimax  # type: ignore[import-untyped]
from open_spiel.python.bots import uniform_random  # type: ignore[import-untyped]

import aji
import aji.openspiel
from aji._spiel_rules import RULES, rules_of


def state_after(name: str, actions: list[int]) -> Any:
    """The state of a game after these actions."""
    state = pyspiel.load_game(name).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def random_state(name: str, plies: int, seed: int) -> Any:
    """A state after random actions that is not over."""
    rng = random.Random(seed)
    while True:
        state = pyspiel.load_game(name).new_initial_state()
        for _ in range(plies):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            return state


def value_of(report: aji.Report) -> float:
    """The value of a report on OpenSpiel's scale, from -1 to 1."""
    assert report.value is not None
    return 2.0 * report.value - 1.0


# Games


@pytest.mark.parametrize("seed", range(8))
def test_exact_values_of_tic_tac_toe_are_those_of_minimax(seed: int) -> None:
    state = random_state("tic_tac_toe", seed % 7, seed)
    mover = state.current_player()
    expected, _ = minimax.alpha_beta_search(state.get_game(), state=state, maximizing_player_id=mover)
    report = aji.search(aji.openspiel.game(state), agent="exact")
    assert value_of(report) == expected
    assert report.best in aji.openspiel.names_of(state).values()


@pytest.mark.parametrize("seed", range(4))
def test_exact_values_of_connect_four_endgames_are_those_of_minimax(seed: int) -> None:
    state = random_state("connect_four", 30, seed)
    mover = state.current_player()
    expected, _ = minimax.alpha_beta_search(state.get_game(), state=state, maximizing_player_id=mover)
    assert value_of(aji.search(aji.openspiel.game(state, merge=True), agent="exact")) == expected


def values_by_iteration(game: Any) -> dict[str, float]:
    """The value to player 0 of every state, by plain value iteration over OpenSpiel's states."""
    states, waiting = {}, [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if str(state) not in states:
            states[str(state)] = state
            waiting += [state.child(action) for action in state.legal_actions()]
    children = {text: [(action, str(state.child(action))) for action in state.legal_actions()] for text, state in states.items()}
    values = {text: state.returns()[0] if state.is_terminal() else 0.0 for text, state in states.items()}
    change = 1.0
    while change > 1e-9:
        change = 0.0
        for text, state in states.items():
            if not state.is_terminal():
                odds = dict(state.chance_outcomes()) if state.is_chance_node() else {}
                found = [values[child] for _, child in children[text]]
                expected = sum(odds.get(action, 0.0) * values[child] for action, child in children[text])
                value = expected if odds else max(found) if state.current_player() == 0 else min(found)
                change, values[text] = max(change, abs(value - values[text])), value
    return values


def test_exact_values_with_chance_are_those_of_value_iteration() -> None:
    game = pyspiel.load_game("pig(winscore=8)")
    values = values_by_iteration(game)
    for actions in ([], [0, 3], [0, 3, 1], [0, 5, 1, 0, 2]):
        state = state_after("pig(winscore=8)", actions)
        sign = 1 - 2 * state.current_player()
        report = aji.search(aji.openspiel.game(state, merge=True), agent="exact")
        assert value_of(report) == pytest.approx(sign * values[str(state)], abs=1e-4)
        assert report.best is not None
        best = state.child(aji.openspiel.action_of(state, report.best))
        assert values[str(best)] == pytest.approx(values[str(state)], abs=1e-6)


def test_one_player_wants_the_most() -> None:
    # Along the upper edge of the cliff it takes 13 steps.
    report = aji.search(aji.openspiel.game("cliff_walking(height=2,width=3,horizon=6)", merge=False), agent="uct simulations=3000 seed=1")
    assert report.best == "UP"


def test_more_than_two_players_have_their_own_returns() -> None:
    game = aji.openspiel.game("pig(players=3,winscore=10)")
    assert game.players == 3
    report = aji.search(game, agent="uct simulations=300 seed=1")
    assert report.best in {"roll", "stop"}


def test_playouts_draw_chance_by_its_odds() -> None:
    # Who rolls once from 0 has 2 to 6 with the same odds, or 0 with the odds of a one.
    session = aji.session(aji.openspiel.game("pig"), moves="roll")
    assert session.turn == "chance"
    assert session.odds == pytest.approx([1 / 6] * 6)
    counts: Counter[str] = Counter()
    for seed in range(1200):
        drawn = session.draw(seed)
        assert drawn is not None
        counts[drawn] += 1
        session.undo()
    expected = 1200 / 6
    # Chi-squared with 5 degrees of freedom: 20.5 is passed once in a thousand times, and the seeds are fixed.
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 20.5
    assert len(counts) == 6


def test_means_of_random_playouts_are_those_of_random_games() -> None:
    state = pyspiel.load_game("pig(winscore=20)").new_initial_state()
    mean = aji.session(aji.openspiel.game(state))._native.playouts(4000, 1)
    rng, total = random.Random(2), 0.0
    for _ in range(4000):
        played = state.clone()
        while not played.is_terminal():
            played.apply_action(rng.choice(played.legal_actions()))
        total += played.returns()[0]
    # Four standard errors of the difference.
    assert mean == pytest.approx(total / 4000, abs=4 * (2 / 4000) ** 0.5)


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "pig(winscore=10)", "catch", "dots_and_boxes", "pig(players=3,winscore=9)"])
@pytest.mark.parametrize("merge", [False, True])
def test_laws_of_games_hold(name: str, merge: bool) -> None:
    game = aji.openspiel.game(name, merge=merge)
    assert ("Hashed" in aji.laws(game)) == merge


@pytest.mark.parametrize("merge", [False, True])
def test_results_do_not_depend_on_merging(merge: bool) -> None:
    report = aji.search(aji.openspiel.game("connect_four", merge=merge), agent="uct simulations=500 seed=4")
    other = aji.search(aji.openspiel.game("connect_four", merge=not merge), agent="uct simulations=500 seed=4")
    assert report.arms["pulls"].tolist() == other.arms["pulls"].tolist()


def test_a_game_may_begin_in_the_middle() -> None:
    state = state_after("tic_tac_toe", [4, 0, 1])
    session = aji.session(aji.openspiel.game(state))
    assert session.turn == 1
    assert len(session.actions) == 6
    session.play("o(2,1)")
    assert session.text == "o(2,1)"
    assert str(session).rstrip() == str(state.child(7))
    assert str(state) == str(state_after("tic_tac_toe", [4, 0, 1])), "the user's state must stay as it was"


def test_texts_are_read_back() -> None:
    session = aji.session(aji.openspiel.game("tic_tac_toe"), moves="x(1,1) o(0,0)")
    other = aji.session(aji.openspiel.game("tic_tac_toe"), position=session.text)
    assert str(other) == str(session)


def test_positions_are_pickled() -> None:
    for merge in (False, True):
        game = aji.openspiel.game(state_after("pig", [0, 3, 0]), merge=merge)
        other = pickle.loads(pickle.dumps(game))
        assert str(other) == str(game)
        assert type(other) is type(game)


def test_evaluations_see_states() -> None:
    def evaluate(states: list[aji.openspiel.SpielGame]) -> list[float]:
        return [position.state.is_terminal() * 0.5 for position in states]

    report = aji.search(aji.openspiel.game("tic_tac_toe"), agent="alphazero simulations=50", evaluate=evaluate)
    assert report.simulations >= 50


def test_names_of_actions_are_different() -> None:
    class Twins:
        """Two actions with the same name."""

        def current_player(self) -> int:
            return 0

        def legal_actions(self) -> list[int]:
            return [3, 8]

        def action_to_string(self, player: int, action: int) -> str:
            return "same name"

    assert aji.openspiel.names_of(Twins()) == {3: "3", 8: "8"}


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("kuhn_poker", "imperfect information"),
        ("matrix_pd", "simultaneous"),
        ("goofspiel", "simultaneous"),
        ("stones_and_gems", "draws chance by itself"),
        ("pig(players=5)", "5 players, expected 1 to 4"),
        ("morpion_solitaire", "OpenSpiel cannot copy its states safely"),
        ("start_at(history=34;52,game=morpion_solitaire())", "OpenSpiel cannot copy its states safely"),
        ("no_such_game", "no game no_such_game"),
        ("tic_tac_toe(size=4)", "Unknown parameter 'size'"),
        (17, "17 found, expected the name of a game"),
    ],
)
def test_bad_games_are_refused_in_one_line(source: Any, told: str) -> None:
    with pytest.raises(aji.Error, match="^openspiel: ") as error:
        aji.openspiel.game(source)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_unknown_actions_are_refused() -> None:
    with pytest.raises(aji.Error, match="no action x9, expected one of x0 x1"):
        aji.openspiel.action_of(pyspiel.load_game("connect_four").new_initial_state(), "x9")


MANY = [
    "amazons",
    "antichess",
    "backgammon",
    "banqi",
    "checkers",
    "chess",
    "dots_and_boxes",
    "einstein_wurfelt_nicht",
    "havannah",
    "lines_of_action",
    "maedn",
    "mancala",
    "misere(game=tic_tac_toe())",
    "nine_mens_morris",
    "oware",
    "pentago",
    "python_tic_tac_toe",
    "start_at(history=4;0,game=tic_tac_toe())",
    "ultimate_tic_tac_toe",
]


@pytest.mark.parametrize("name", MANY)
def test_all_kinds_of_games_are_searched(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    game = aji.openspiel.game(state)
    assert str(pickle.loads(pickle.dumps(game))) == str(state)
    report = aji.search(game, agent="uct simulations=12 seed=1")
    assert report.best is not None
    assert aji.openspiel.action_of(state, report.best) in state.legal_actions()
    bot = aji.openspiel.AjiBot(state.get_game(), state.current_player(), "uct simulations=5", seed=1)
    bot.restart_at(state)
    assert bot.step(state) in state.legal_actions()


def test_exact_needs_merging() -> None:
    with pytest.raises(aji.Error, match=r"needs a method hash\(\)"):
        aji.search(aji.openspiel.game("tic_tac_toe", merge=False), agent="exact")


def test_without_openspiel_an_error_says_how_to_install_it() -> None:
    program = "import sys; sys.modules['pyspiel'] = None\nimport aji\ntry:\n import aji.openspiel\nexcept aji.Error as error: print(error)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.strip().endswith("pip install open_spiel")


def test_aji_itself_does_not_import_openspiel() -> None:
    program = "import aji, sys; print('pyspiel' in sys.modules or 'gymnasium' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "False"


# Built-in rules

MAPPED = [
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "hex(board_size=3)",
    "hex(board_size=7)",
    "othello",
    "go(board_size=5)",
    "go(board_size=9,komi=0.5)",
    "mnk(m=4,n=5,k=3)",
    "clobber",
    "clobber(rows=3,columns=4)",
    "nim",
    "nim(is_misere=false,pile_sizes=3;4)",
    "pig(winscore=30)",
    "pig(players=3,winscore=30)",
]


def test_every_mapped_game_is_tested() -> None:
    assert {name.split("(")[0] for name in MAPPED} == set(RULES)


def compare(state: Any, mapped: aji.openspiel.Mapped) -> None:
    """Asserts that the two positions have the same turn, the same legal actions, and the same odds."""
    session = mapped.session
    assert session.turn == ("chance" if state.is_chance_node() else state.current_player())
    assert sorted(mapped.names.values()) == sorted(session.actions)
    for action in state.legal_actions():
        assert mapped.action(mapped.name(action)) == action
    if state.is_chance_node():
        odds = dict(zip(session.actions, session.odds, strict=True))
        for action, probability in state.chance_outcomes():
            assert odds[mapped.name(action)] / sum(odds.values()) == pytest.approx(probability)


@pytest.mark.parametrize("name", MAPPED)
def test_built_in_rules_agree_along_random_games(name: str) -> None:
    passes = 0
    for seed in range(12):
        rng, state = random.Random(f"{name} {seed}"), pyspiel.load_game(name).new_initial_state()
        follower = aji.openspiel._Follower(state, rules_of(state.get_game()))
        while not state.is_terminal():
            compare(state, aji.openspiel.Mapped(follower.session, follower.names()))
            action = rng.choice(state.legal_actions())
            passes += follower.names()[action] == "pass"
            follower.go_to(state, action)
            state.apply_action(action)
        if name.startswith("go") and not follower.session.is_over:
            continue  # OpenSpiel ends a game of Go where stones repeat a position.
        payoff = follower.session.payoff
        assert payoff is not None
        assert np.sign(payoff).tolist() == np.sign(state.returns()).tolist()
    if name == "othello":
        assert passes > 0, "no random game of Othello has passed"


def test_a_state_opens_as_a_session() -> None:
    mapped = aji.openspiel.to_aji(state_after("breakthrough", []))
    assert mapped.session.game == "breakthrough"
    state = state_after("tic_tac_toe", [0, 4, 8])
    mapped = aji.openspiel.to_aji(state)
    assert mapped.session.text == "x../.o./..x o"
    compare(state, mapped)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("chess", "no built-in game has the rules of chess"),
        ("connect_four(rows=5)", "rows=5 is not built in, expected rows=6"),
        ("breakthrough(rows=6,columns=6)", "rows=6 is not built in"),
        ("hex(num_rows=4,num_cols=5)", "num_cols=5 is not built in"),
        ("hex(swap=true)", "swap=True is not built in"),
        ("go(handicap=2)", "handicap=2 is not built in"),
        ("pig(diceoutcomes=4)", "diceoutcomes=4 is not built in"),
    ],
)
def test_games_without_built_in_rules_are_refused(name: str, told: str) -> None:
    with pytest.raises(aji.Error, match="^openspiel: ") as error:
        aji.openspiel.to_aji(pyspiel.load_game(name).new_initial_state())
    assert told in str(error.value)


def test_illegal_actions_are_not_mapped() -> None:
    mapped = aji.openspiel.to_aji(state_after("tic_tac_toe", [4]))
    with pytest.raises(aji.Error, match="no legal action 4"):
        mapped.name(4)
    with pytest.raises(aji.Error, match="no legal action b2"):
        mapped.action("b2")


# Bots


@pytest.mark.parametrize("native", [False, True])
def test_bots_never_lose_tic_tac_toe(native: bool) -> None:
    game = pyspiel.load_game("tic_tac_toe")
    for seed in range(4):
        bots: list[Any] = [uniform_random.UniformRandomBot(player, np.random.RandomState(seed)) for player in range(2)]
        bots[seed % 2] = aji.openspiel.AjiBot(game, seed % 2, "uct simulations=2000", seed=seed, native=native)
        returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(seed))
        assert returns[seed % 2] >= 0


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("name", ["connect_four", "pig(winscore=15)", "hex(board_size=4)"])
def test_bots_play_beside_those_of_openspiel(name: str, native: bool) -> None:
    game = pyspiel.load_game(name)
    total = 0.0
    for seed in range(4):
        own = seed % 2
        other = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, 10, 100, False, seed, False)
        bots = [other, other]
        bots[own] = aji.openspiel.AjiBot(game, own, "uct simulations=150", seed=seed, native=native)
        # Both loops over bots: the one in C++ and the one in Python.
        for returns in (
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed),
            evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(seed)),
        ):
            total += returns[own]
    # Many simulations against 10; pig is luck.
    assert total >= (4 if name != "pig(winscore=15)" else -8)


@pytest.mark.parametrize("native", [False, True])
def test_bots_keep_their_tree(native: bool) -> None:
    game = pyspiel.load_game("connect_four")
    bot = aji.openspiel.AjiBot(game, 0, "uct simulations=3000", seed=1, native=native)
    state = game.new_initial_state()
    action = bot.step(state)
    state.apply_action(action)
    reply = int(state.legal_actions()[3])
    kept = bot._follower.session.node([bot._follower.names()[action]])
    assert kept is not None
    bot.inform_action(state, 1, reply)
    state.apply_action(reply)
    session = bot._follower.session
    node = session.node()
    assert node is not None and node["visits"] > 0
    bot.step(state)
    assert bot._follower.session is session


@pytest.mark.parametrize("native", [False, True])
def test_bots_follow_the_state_alone(native: bool) -> None:
    """Without inform_action, at states that jump about, and after restarts."""
    game = pyspiel.load_game("connect_four")
    bot = aji.openspiel.AjiBot(game, 0, "uct simulations=50", seed=1, native=native)
    for plies in (0, 4, 8, 2, 3, 7):
        state = random_state("connect_four", plies, plies)
        assert bot.step(state) in state.legal_actions()
        assert bot._follower.state.history() == state.history()
    bot.restart()
    bot.restart_at(random_state("connect_four", 5, 1))
    assert len(bot._follower.state.history()) == 5
    assert bot.step(state) in state.legal_actions()


def test_policies_are_shares_of_visits() -> None:
    state = pyspiel.load_game("connect_four").new_initial_state()
    bot = aji.openspiel.AjiBot("connect_four", 0, "uct simulations=500", seed=2)
    policy, action = bot.step_with_policy(state)
    assert [known for known, _ in policy] == state.legal_actions()
    assert sum(share for _, share in policy) == pytest.approx(1.0)
    assert max(policy, key=lambda pair: pair[1])[0] == action
    assert bot.provides_policy() and not bot.is_clonable() and bot.player_id() == 0


def test_the_policy_of_a_solver_is_its_best_action() -> None:
    state = state_after("tic_tac_toe", [0, 3, 1, 4])
    policy = aji.openspiel.AjiBot("tic_tac_toe", 0, "exact").get_policy(state)
    assert dict(policy) == {2: 1.0, 5: 0.0, 6: 0.0, 7: 0.0, 8: 0.0}


def test_the_same_seed_gives_the_same_game() -> None:
    def moves(seed: int) -> list[int]:
        state = pyspiel.load_game("connect_four").new_initial_state()
        bots: Any = [aji.openspiel.AjiBot("connect_four", player, "uct simulations=60", seed=seed) for player in range(2)]
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        return list(state.history())

    assert moves(3) == moves(3)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tic_tac_toe", 2), "player 2, expected 0 to 1"),
        (("tic_tac_toe", 0, "uct simulations=ten"), "simulations"),
        (("tic_tac_toe", 0, "uct seed=3", 4), "not both"),
        (("leduc_poker", 0), "imperfect information"),
    ],
)
def test_bad_bots_are_refused(arguments: tuple[Any, ...], told: str) -> None:
    with pytest.raises(aji.Error, match=told):
        aji.openspiel.AjiBot(*arguments)


def test_bots_act_only_where_a_player_does() -> None:
    bot = aji.openspiel.AjiBot("pig", 0)
    with pytest.raises(aji.Error, match="chance acts in this state"):
        bot.step(state_after("pig", [0]))
    with pytest.raises(aji.Error, match="the game is over"):
        aji.openspiel.AjiBot("tic_tac_toe", 0).step(state_after("tic_tac_toe", [0, 3, 1, 4, 2]))
