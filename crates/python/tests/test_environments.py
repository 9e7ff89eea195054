"""Environments of Gymnasium and PettingZoo, by their own checkers and against sessions."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]

import aji
import aji.environments
from aji._pettingzoo import MOVES

ONE_PLAYER = ["2048", "2048 seed=3", "sailing", "sailing size=9 wind=3", "canadian-traveller", "canadian-traveller vertices=15 seed=4"]

SEVERAL = [
    "tic-tac-toe",
    "mnk m=4 n=3 k=3",
    "connect-four",
    "othello size=4",
    "hex size=3",
    "go size=4",
    "breakthrough",
    "heap-go heaps=3 counters=3",
    "nim heaps=3,2",
    "nim players=3",
    "domineering rows=4 columns=3",
    "clobber rows=3 columns=4",
    "toads-and-frogs rows=2",
    "sum boards=.../...+../..",
    "sum game=clobber boards=xo/ox+oxo",
    "sum game=toads-and-frogs boards=T.F+TF.",
    "pig goal=20",
    "pig players=4 goal=15",
]


def random_play(env: Any, seed: int) -> list[tuple[Any, float, str]]:
    """The observations, rewards and positions of a random game."""
    rng = np.random.default_rng(seed)
    seen, told = env.reset(seed=seed)
    steps, is_over = [(seen, 0.0, told["position"])], False
    while not is_over:
        action = rng.choice(np.flatnonzero(told["action_mask"]))
        seen, reward, is_over, _, told = env.step(action)
        steps.append((seen, reward, told["position"]))
    return steps


# One player


def test_every_game_has_an_environment() -> None:
    words = {entry["name"] for entry in aji.games()}
    assert words == {name.split()[0] for name in ONE_PLAYER + SEVERAL}


@pytest.mark.parametrize("rewards", ["steps", "end"])
@pytest.mark.parametrize("game", ONE_PLAYER)
def test_gymnasium_finds_no_fault(game: str, rewards: Any) -> None:
    env = aji.environments.gym(game, rewards=rewards, render_mode="ansi")
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        check_env(env)
    # An environment that is not made by gymnasium.make has no spec; nothing else may be wrong.
    assert all("not having a spec" in str(one.message) for one in found), [str(one.message) for one in found]


@pytest.mark.parametrize("game", ONE_PLAYER)
def test_rewards_add_up_to_the_payoff(game: str) -> None:
    by_step, at_end = aji.environments.gym(game), aji.environments.gym(game, rewards="end")
    for seed in range(3):
        steps, ends = random_play(by_step, seed), random_play(at_end, seed)
        payoff = by_step.session.payoff
        assert payoff is not None
        assert sum(reward for _, reward, _ in steps) == pytest.approx(payoff[0], rel=1e-4)
        assert [reward for _, reward, _ in ends[:-1]] == [0.0] * (len(ends) - 1)
        assert ends[-1][1] == pytest.approx(payoff[0])
        assert [position for _, _, position in steps] == [position for _, _, position in ends]
        assert all(by_step.observation_space.contains(seen) for seen, _, _ in steps)


@pytest.mark.parametrize("game", ONE_PLAYER)
def test_different_positions_are_seen_as_different(game: str) -> None:
    env = aji.environments.gym(game)
    positions: dict[bytes, str] = {}
    for seed in range(3):
        for seen, _, position in random_play(env, seed):
            # The score of 2048 is no part of its board.
            position = position.split()[0] if game.startswith("2048") else position
            if "canadian" in game:
                position = position.removesuffix(" taxi")
            known = positions.setdefault(seen.tobytes(), position)
            # The minutes of a sailing trip may be the same for different legs.
            assert known.split()[:3] == position.split()[:3]


def test_observations_of_2048_are_powers() -> None:
    env = aji.environments.gym("2048 seed=1")
    seen, told = env.reset(seed=1)
    tiles = [tile for row in told["position"].split()[0].split("/") for tile in row.split(",")]
    assert seen.shape == (4, 4)
    assert [2**power if power else "." for power in seen.reshape(-1).tolist()] == [int(tile) if tile != "." else "." for tile in tiles]


def test_2048_starts_with_other_tiles_unless_it_has_a_seed() -> None:
    def starts(game: str) -> set[str]:
        env = aji.environments.gym(game)
        env.reset(seed=5)
        return {env.reset()[1]["position"] for _ in range(8)}

    assert len(starts("2048")) > 1
    assert len(starts("2048 seed=4")) == 1


def test_an_illegal_action_changes_nothing() -> None:
    env = aji.environments.gym("sailing")
    seen, told = env.reset(seed=1)
    illegal = int(np.flatnonzero(told["action_mask"] == 0)[0])
    after, reward, is_over, is_cut, said = env.step(illegal)
    assert (after.tolist(), reward, is_over, is_cut) == (seen.tolist(), 0.0, False, False)
    assert said["illegal"] and not told["illegal"]
    assert said["position"] == told["position"]


def test_a_good_policy_earns_more_than_a_random_one() -> None:
    """The names of actions are those of the game: an agent's advice is followed by its number."""
    env = aji.environments.gym("sailing size=4")
    _, told = env.reset(seed=2)
    is_over, total = False, 0.0
    while not is_over:
        best = env.session.search("exact").best
        assert best is not None
        _, reward, is_over, _, told = env.step(env.action_names.index(best))
        total += reward
    assert total > sum(reward for _, reward, _ in random_play(env, 2))


def test_text_is_shown_where_it_is_asked_for() -> None:
    env = aji.environments.gym("2048 seed=1", render_mode="ansi")
    env.reset(seed=1)
    shown: Any = env.render()
    assert "score 0" in shown
    assert aji.environments.gym("2048").render() is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"game": "connect-four"}, "a game of 2, use aji.environments.aec"),
        ({"game": "no-such-game"}, "no-such-game"),
        ({"game": ""}, "game"),
        ({"game": "2048", "rewards": "sometimes"}, "expected 'steps' or 'end'"),
        ({"game": "2048", "render_mode": "human"}, "expected 'ansi' or None"),
        ({"game": "sailing size=99"}, "size"),
    ],
)
def test_bad_environments_are_refused(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(aji.Error, match=told):
        aji.environments.gym(**arguments)


def test_bad_steps_are_refused() -> None:
    env: Any = aji.environments.gym("2048")
    with pytest.raises(aji.Error, match="step before reset"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(aji.Error, match="action 4, expected 0 to 3"):
        env.step(4)


# Several players


@pytest.mark.parametrize("game", SEVERAL)
def test_pettingzoo_finds_no_fault(game: str) -> None:
    with warnings.catch_warnings(record=True) as found, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        api_test(aji.environments.aec(game), num_cycles=60)
        seed_test(lambda: aji.environments.aec(game), num_cycles=30)
    # PettingZoo's own classic games have such observations, too, and an empty board is all zeros.
    usual = ("should be gymnasium.spaces.box", "not a NumPy array", "all zeros")
    assert all(any(word in str(one.message) for word in usual) for one in found), [str(one.message) for one in found]


@pytest.mark.parametrize("game", SEVERAL)
def test_masks_are_the_legal_actions_of_every_position(game: str) -> None:
    env: Any = aji.environments.aec(game)
    played: Any = env.unwrapped
    for seed in range(6):
        rng = np.random.default_rng(seed)
        env.reset(seed=seed)
        total = np.zeros(len(env.possible_agents))
        for agent in env.agent_iter():
            seen, reward, is_over, _, told = env.last()
            total[env.possible_agents.index(agent)] += reward
            assert env.observation_space(agent).contains(seen)
            assert told["position"] == played.session.text
            if is_over:
                assert not seen["action_mask"].any()
                env.step(None)
                continue
            assert agent == env.possible_agents[played.session.turn]
            assert seen["action_mask"].sum() == len(played.session.actions)
            for other in env.agents:
                assert other == agent or not env.observe(other)["action_mask"].any()
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        assert total.tolist() == played.session.payoff


def test_moves_are_numbered_where_there_is_no_encoding() -> None:
    numbered = {game.split()[0] for game in SEVERAL if aji.session(game).encoding() is None}
    assert numbered == set(MOVES)
    env: Any = aji.environments.aec("domineering rows=2 columns=2").unwrapped
    assert env.action_names == ["a1-a2", "a1-b1", "a2-b2", "b1-b2"]
    env.reset(seed=1)
    assert env.legal() == {"a1-a2": 0, "b1-b2": 3}
    assert bytes(env.observe("player_0")["observation"]).rstrip(b"\0").decode() == env.session.text


def test_planes_and_numbers_are_those_of_the_encoding() -> None:
    env: Any = aji.environments.aec("connect-four")
    env.reset(seed=1)
    env.step(3)
    session = aji.session("connect-four", moves="d")
    encoded = session.encoding()
    assert encoded is not None
    assert (env.observe("player_1")["observation"] == encoded[0]).all()
    assert env.unwrapped.legal() == encoded[1]


def test_chance_is_drawn_by_the_seed() -> None:
    def positions(seed: int) -> list[str]:
        env: Any = aji.environments.aec("pig goal=100")
        env.reset(seed=seed)
        found = []
        for _ in range(12):
            if env.unwrapped.session.is_over:
                break
            env.step(1)
            found.append(env.unwrapped.session.text)
        return found

    assert positions(3) == positions(3)
    assert positions(3) != positions(4)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"game": "2048"}, "a game of one player, use aji.environments.gym"),
        ({"game": "no-such-game"}, "no-such-game"),
        ({"game": "hex size=99"}, "size"),
        ({"game": "hex", "render_mode": "human"}, "expected 'ansi' or None"),
    ],
)
def test_bad_environments_of_several_players_are_refused(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(aji.Error, match=told):
        aji.environments.aec(**arguments)


def test_an_illegal_action_is_an_error() -> None:
    env: Any = aji.environments.aec("tic-tac-toe", render_mode="ansi")
    env.reset(seed=1)
    env.step(4)
    for action in (4, 9, -1):
        with pytest.raises(aji.Error, match=rf"action {action} is not legal, expected one of action_mask, such as 0 \("):
            env.step(action)
    assert "x" in env.render()


@pytest.mark.parametrize(("module", "call"), [("gymnasium", "gym('2048')"), ("pettingzoo", "aec('hex')")])
def test_without_its_package_an_error_says_how_to_install_it(module: str, call: str) -> None:
    program = (
        f"import sys; sys.modules['{module}'] = None\nimport aji, aji.environments\n"
        f"try:\n aji.environments.{call}\nexcept aji.Error as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.strip().endswith(f"pip install {module}")
