"""Contests, studies and lists: right and wrong input, journals, shards."""

from __future__ import annotations

import copy
import csv
import io
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from games import Stones

import aji

UCT = "uct simulations=60"


# Matches


def test_a_match_is_that_of_the_command_line(told: Any) -> None:
    match = aji.match("tic-tac-toe", UCT, "random", games=40, seed=5)
    assert match.data == told("match", "tic-tac-toe", "--a", UCT, "--b", "random", "--games", "40", "--seed", "5")
    assert match.games == 40 and match.score > 0.7 and match.low < match.score <= match.high
    assert str(match).startswith(f"uct simulations=60 against random: {match.score:.3f} (")
    assert repr(match) == f"<aji.Match {match}>"
    assert "score" in dir(match)
    with pytest.raises(AttributeError, match="Match has no scores; it has a, "):
        match.scores  # noqa: B018


def test_results_are_pickled_and_copied() -> None:
    match = aji.match("tic-tac-toe", UCT, "random", games=4)
    tournament = aji.tournament("tic-tac-toe", [UCT, "random"], games=4)
    tuning = aji.tune("tic-tac-toe", UCT, vary="c=0.5..1", points=3, games=4)
    for result in (match, tournament, tuning):
        for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert other == result and type(other) is type(result)


def test_a_journal_has_the_same_bytes_whatever_the_threads_and_is_resumed(tmp_path: Path) -> None:
    one, two, part, command = (tmp_path / name for name in ("one", "two", "part", "command"))
    agents: tuple[Any, ...] = ("connect-four", UCT, "uct c=0.5 simulations=60")
    first = aji.match(*agents, games=20, threads=1, journal=one)
    assert aji.match(*agents, games=20, threads=2, journal=str(two)).data == first.data
    game, a, b = agents
    aji.command("match", game, "--a", a, "--b", b, "--games", "20", "--journal", str(command))
    lines = one.read_bytes().splitlines(keepends=True)
    assert sorted(two.read_bytes().splitlines(keepends=True)) == sorted(lines)
    assert two.read_bytes() == one.read_bytes() == command.read_bytes()
    part.write_bytes(b"".join(lines[:5]) + lines[5][:20])
    assert aji.match(*agents, games=20, journal=part).data == first.data
    assert part.read_bytes() == one.read_bytes()
    assert first.journal == one
    records = list(first.records())
    assert len(records) == 10 and all(len(record["games"]) == 2 for record in records)
    with pytest.raises(aji.Error, match="--journal .*: --a was"):
        aji.match("connect-four", "random", "random", games=20, journal=one)
    with pytest.raises(aji.Error, match="no journal; give journal=FILE"):
        list(aji.match(*agents, games=2).records())


def test_shards_are_merged(tmp_path: Path) -> None:
    whole = aji.match("tic-tac-toe", UCT, "random", games=20, journal=tmp_path / "whole")
    journals = [tmp_path / f"part{number}" for number in (1, 2, 3)]
    for number, journal in enumerate(journals, 1):
        shard = aji.match("tic-tac-toe", UCT, "random", games=20, journal=journal, shard=f"{number}/3")
        assert shard.data == {} and str(shard) == f"a shard, in {journal}"
        with pytest.raises(AttributeError, match="a shard has only a journal"):
            shard.score  # noqa: B018
    assert "missing" in aji.merge(tmp_path / "two", journals[:2])
    assert "10 of 10 trials" in aji.merge(tmp_path / "all", journals)
    merged = aji.match("tic-tac-toe", UCT, "random", games=20, journal=tmp_path / "all")
    assert merged.data == whole.data
    with pytest.raises(aji.Error, match="cannot read"):
        aji.merge(tmp_path / "none", [tmp_path / "missing"])


def test_a_journal_as_csv(tmp_path: Path) -> None:
    aji.match("tic-tac-toe", UCT, "random", games=6, journal=tmp_path / "journal")
    rows = list(csv.DictReader(io.StringIO(aji.export(tmp_path / "journal"))))
    assert len(rows) == 6 and {row["game"] for row in rows} == {"tic-tac-toe"}
    with pytest.raises(aji.Error, match="cannot read"):
        aji.export(tmp_path / "missing")


def test_a_sequential_test_and_equal_samples() -> None:
    match = aji.match("tic-tac-toe", UCT, "random", sprt=(0, 50), games=200)
    assert match.sprt["verdict"] != "undecided" and match.games < 200
    assert aji.match("connect-four", "uct simulations=50", "rave simulations=50", games=4, equal_samples=True).games == 4


def test_games_are_saved(tmp_path: Path) -> None:
    aji.match("tic-tac-toe", "random", "random", games=4, save=tmp_path / "games")
    assert "tic-tac-toe" in (tmp_path / "games").read_text()


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["--games", "9"], {"games": 9}),
        (["--games", "0"], {"games": 0}),
        (["--openings", "-1"], {"openings": -1}),
        (["--shard", "3/2"], {"shard": "3/2"}),
        (["--sprt", "20,0"], {"sprt": (20, 0)}),
        (["--threads", "0"], {"threads": 0}),
    ],
)
def test_a_wrong_match_has_the_message_of_the_command_line(words: list[str], options: Any, refused: Any) -> None:
    with pytest.raises(aji.Error) as raised:
        aji.match("tic-tac-toe", "random", "random", **options)
    message = refused("match", "tic-tac-toe", "--a", "random", "--b", "random", *(f"{words[0]}={words[1]}",))
    assert str(raised.value) == message


# Tournaments, tunings, duels


def test_a_tournament_has_ratings_and_meetings() -> None:
    tournament = aji.tournament("tic-tac-toe", [UCT, "random", "exact"], games=8)
    assert [row["agent"] for row in tournament.ratings][-1] == "random"
    assert len(tournament.meetings) == 3
    frame = tournament.to_pandas()
    assert len(frame) == 3 and frame["elo"].is_monotonic_decreasing
    assert "random" in repr(tournament)
    with pytest.raises(aji.Error, match="at least two agents"):
        aji.tournament("tic-tac-toe", [UCT])


def test_a_tuning_has_a_best_value(tmp_path: Path) -> None:
    tuning = aji.tune("tic-tac-toe", UCT, vary="c=0.1..2", points=3, games=6, svg=tmp_path / "tuning.svg", journal=tmp_path / "journal")
    assert tuning.option == "c" and len(tuning.values) == 3
    assert len(tuning.to_pandas()) == 3
    assert repr(tuning) == f"<aji.Tuning tic-tac-toe: the best c is {tuning.best}>"
    assert (tmp_path / "tuning.svg").read_text().startswith("<svg")
    assert aji.tune("tic-tac-toe", UCT, vary="root=ucb1,voi,kg", games=4).best in {"ucb1", "voi", "kg"}
    for wrong in ("c", "q=1..2", "c=x..y"):
        with pytest.raises(aji.Error):
            aji.tune("tic-tac-toe", UCT, vary=wrong)


def test_a_duel_counts_the_wins_of_the_attacker(tmp_path: Path) -> None:
    drawn = tmp_path / "lines.svg"
    duel = aji.duel("tic-tac-toe", UCT, "random", games=10, attacker_first=True, journal=tmp_path / "duel", line_tree=drawn)
    assert drawn.read_text().startswith("<svg")
    assert duel["games"] == 10 and duel["attacker_first"] is True
    assert duel["low"] < duel["share"] <= duel["high"]
    with pytest.raises(aji.Error, match='unknown agent "foo"'):
        aji.duel("tic-tac-toe", UCT, "foo")


# Judged by exact values


def test_mistakes_are_counted(tmp_path: Path) -> None:
    found = aji.mistakes("tic-tac-toe", "random", positions=30, plies="2..5", seed=3, journal=tmp_path / "journal")
    assert found["positions"] == 30 and found["mistakes"] > 0
    none = aji.mistakes("tic-tac-toe", "exact", positions=30, plies="2..5")
    assert none["mistakes"] == 0
    (tmp_path / "list").write_text("xx./oo./... x\n")
    assert aji.mistakes("tic-tac-toe", "exact", source=tmp_path / "list")["positions"] == 1
    with pytest.raises(aji.Error, match="expected random or hard"):
        aji.mistakes("tic-tac-toe", "uct", kind="nope")


def test_traps_are_positions() -> None:
    found = aji.traps("connect-four", prey="uct simulations=30", plies="16..30", tries=150, most=2)
    assert isinstance(found, list) and all(isinstance(trap, dict) for trap in found)
    with pytest.raises(aji.Error, match="expected plies"):
        aji.traps("connect-four", plies="x")


def test_an_order_is_learned() -> None:
    found = aji.learn("heap-go", "uct c=15 playout=maxi learn=ride unit=points simulations=300", games=2)
    assert found["games"] == 2 and 0 <= found["match_strict"] <= 100
    with pytest.raises(aji.Error, match="known temperatures"):
        aji.learn("tic-tac-toe")


def test_bandits_are_compared(tmp_path: Path) -> None:
    rows = aji.bandit(["ucb1", "voi"], arms=4, budgets=[16, 64], repeats=50, svg=tmp_path / "bandit.svg")
    assert {(row["rule"].split("(")[0], row["budget"]) for row in rows} == {(rule, budget) for rule in ("ucb1", "voi") for budget in (16, 64)}
    assert all(row["simple_regret"] >= 0 for row in rows)
    assert rows == aji.bandit("ucb1, voi", arms=4, budgets="16,64", repeats=50, threads=2)
    assert aji.bandit("ucb1", means=[0.1, 0.9], arms=2, budgets=[64], repeats=20)[0]["simple_regret"] < 0.4
    shard = aji.bandit("ucb1", budgets=[16], repeats=20, journal=tmp_path / "shard", shard="1/2")
    assert (shard[0]["bandits"], shard[0]["planned_bandits"]) in {(10, 20), (10, 10)}
    with pytest.raises(aji.Error, match='unknown rule "nope"'):
        aji.bandit("nope")


# Sums of games


def test_temperatures_are_exact(tmp_path: Path) -> None:
    told = aji.thermograph("B3R5B5", svg=tmp_path / "thermograph.svg")
    assert [(state["mean"], state["temperature"]) for state in told["states"]] == [(2, 6), (-2.5, 7.5), (0, 5)]
    assert (tmp_path / "thermograph.svg").read_text().startswith("<svg")
    board = aji.thermograph("../..", game="domineering")
    assert (board["form"], board["temperature"]) == ("+-1", 1)
    with pytest.raises(aji.Error, match="expected R or B"):
        aji.thermograph("zz")


@pytest.mark.parametrize(
    ("expression", "value"),
    [("1 + 2", "3"), ("-1", "-1"), ("-{2|1} + {2|1}", "0"), ("temp({3|-1})", "2"), ("mean({3|-1})", "1"), ("* + *", "0"), ("{2|1} > 0", "true"), ("{1|0} > 0", "false")],
)
def test_expressions_of_combinatorial_games(expression: str, value: str) -> None:
    assert str(aji.cgt(expression)).lower() == value


def test_a_wrong_expression() -> None:
    with pytest.raises(aji.Error, match="expected a game"):
        aji.cgt("temp({")


# Trainings and papers


def test_a_network_is_trained_and_used(tmp_path: Path) -> None:
    run = tmp_path / "run"
    done = aji.train("tic-tac-toe", out=run, games=10, seed=3, progress=False)
    assert done["iterations"] == 1 and Path(done["network"]).exists()
    report = aji.search("tic-tac-toe", f"alphazero net={done['network']} simulations=50")
    assert report.arms["prior"].sum() == pytest.approx(1, abs=1e-4)
    again = aji.train("tic-tac-toe", out=run, games=10, seed=3, progress=False)
    assert again["games"] == done["games"]
    with pytest.raises(aji.Error, match="--foo"):
        aji.train("tic-tac-toe", out=run, foo=8, progress=False)
    with pytest.raises(aji.Error, match="no encoding"):
        aji.train("pig", out=tmp_path / "pig", progress=False)


def test_a_paper_that_is_unknown() -> None:
    with pytest.raises(aji.Error, match='unknown paper "nope"'):
        aji.reproduce("nope", progress=False)


# Commands and lists


def test_lists_are_those_of_the_command_line(told: Any) -> None:
    assert aji.games() == told("list", "games")
    assert aji.agents() == told("list", "agents")
    assert aji.rules() == told("list", "rules")
    assert {"tic-tac-toe", "go", "hex"} <= {game["name"] for game in aji.games()}
    assert aji.agent_for("hex size=7") == "alphazero" and aji.agent_for("hex") == "rave"


def test_a_command_gives_what_it_prints(command: Any) -> None:
    words = ("search", "tic-tac-toe", "--agent", "exact")
    first, second = aji.command(*words), command(*words).stdout
    assert first.splitlines()[:5] == second.splitlines()[:5]
    assert json.loads(aji.command("perft", "tic-tac-toe", "3", "--json"))
    assert "Usage: aji match" in aji.command("match", "--help")
    assert aji.__version__ in aji.command("--version")
    for wrong in (("play", "tic-tac-toe"), ("nope",), ("search", "tic-tac-toe", "--nope")):
        with pytest.raises(aji.Error):
            aji.command(*wrong)


def test_progress_is_shown_only_if_asked(capfd: pytest.CaptureFixture[str]) -> None:
    aji.match("tic-tac-toe", UCT, "random", games=4)
    aji.match(Stones(9), UCT, "random", games=4)
    assert capfd.readouterr() == ("", "")
