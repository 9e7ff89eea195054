"""
The native part of aji.
"""

from _typeshed import SupportsGetItem
from collections.abc import Callable
from os import PathLike
from typing import Final, SupportsFloat, SupportsIndex, final

__all__ = ["COMMIT", "VERSION", "Bench", "Session", "Thinking", "Trainer", "main", "play_games", "set_quiet"]

COMMIT: Final[str]
"""
The commit that this was built from. That of changed sources has a `+` in it.
"""

VERSION: Final[str]
"""
The version of aji.
"""

@final
class Bench:
    """
    Games and agents by name.
    """
    def __new__(cls, /) -> Bench:
        """
        The built-in games and agents.
        """
    def add_evaluation(self, /, word: str, function: Callable[..., object]) -> None:
        """
        Adds an evaluation of leaves, for `alphazero net=WORD`.
        """
    def add_game(self, /, word: str, make: Callable[..., object], summary: str = "", options: str = "", kept: SupportsIndex = ...) -> None:
        """
        Adds a game, which `make` opens by its options.
        """
    def command(self, /, words: SupportsGetItem[int, str]) -> tuple[str, str | None, bool, bool]:
        """
        Runs a command of the command line. Returns its output, the error, and whether it was interrupted or did only a
        part of its work.
        """
    def copy(self, /) -> Bench:
        """
        Another workbench with the same games and agents, to which more can be added.
        """
    def search_together(self, /, game: str, positions: SupportsGetItem[int, tuple[str | None, SupportsGetItem[int, str]]], agent: str) -> str:
        """
        Searches many positions of a game together, each given by its text or the start, and moves. The evaluation that the
        agent names values the leaves of all of them in a call. Returns a list of reports as JSON.
        """
    def session(self, /, name: str) -> Session:
        """
        Opens a game.
        """

@final
class Session:
    """
    A game in progress.
    """
    def actions(self, /) -> list[str]:
        """
        The names of the legal actions.
        """
    def agent(self, /, agent: str | None = None) -> str:
        """
        The whole name of an agent; None for the strongest one known for the game.
        """
    def begin(self, /, agent: str | None = None, only: SupportsGetItem[int, str] | None = None, without: SupportsGetItem[int, str] | None = None, every: SupportsFloat | SupportsIndex | None = None) -> Thinking:
        """
        Begins a search on a thread of its own. With an interval, in seconds, it leaves a snapshot that often.
        """
    def board(self, /) -> str:
        """
        The board, several lines.
        """
    def check_laws(self, /, seed: SupportsIndex) -> list[str]:
        """
        The traits whose laws hold. An error names the broken law.
        """
    def draw(self, /) -> str | None:
        """
        Draws an outcome of chance. None if a player is to act.
        """
    def encoding(self, /) -> tuple[tuple[int, int, int, int], list[int], list[int]] | None:
        """
        The features that a network sees, with the sizes (planes, rows, columns), and the numbers of the actions.
        """
    def explain(self, /, agent: str | None = None, skip: SupportsIndex = 0, steps: SupportsIndex = 1) -> str:
        """
        Explains simulations, as JSON.
        """
    def load(self, /, agent: str, bytes: bytes) -> int:
        """
        Loads a search that was saved here by the same agent. Returns its simulations.
        """
    def name(self, /) -> str:
        """
        The name of the game, with its options.
        """
    def node(self, /, path: SupportsGetItem[int, str] = ...) -> str:
        """
        What the last search knows at a node, as JSON.
        """
    def odds(self, /) -> list[float]:
        """
        The odds of the outcomes of chance.
        """
    def perft(self, /, length: SupportsIndex) -> int | None:
        """
        The number of sequences of actions of this length. None if it was stopped.
        """
    def play(self, /, action: str) -> str:
        """
        Plays an action by its name. Returns its whole name.
        """
    def playouts(self, /, count: SupportsIndex, seed: SupportsIndex) -> float:
        """
        The mean payoff of player 0 over so many playouts.
        """
    def position(self, /) -> str:
        """
        The position as JSON: players, turn, actions, text, payoff.
        """
    def resign(self, /) -> None:
        """
        The player to act gives up.
        """
    def save(self, /) -> bytes:
        """
        The last search as bytes.
        """
    def seed(self, /, seed: SupportsIndex) -> None:
        """
        Seeds the outcomes of chance.
        """
    def set_position(self, /, text: str) -> None:
        """
        Starts over at a position given in text.
        """
    def tree(self, /, path: SupportsGetItem[int, str] = ..., depth: SupportsIndex = 3, top: SupportsIndex = 5) -> str:
        """
        The tree of the last search below these actions, as JSON.
        """
    def tree_svg(self, /, path: SupportsGetItem[int, str] = ..., depth: SupportsIndex = 3, top: SupportsIndex = 5, best: str | None = None) -> str | None:
        """
        The same as a drawing, with the best action marked.
        """
    def turn(self, /) -> str:
        """
        Who acts, as JSON.
        """
    def undo(self, /) -> bool:
        """
        Takes back the last action. False at the start.
        """

@final
class Thinking:
    """
    A search under way.
    """
    def close(self, /, seconds: SupportsFloat | SupportsIndex) -> bool:
        """
        Stops the search and waits for its end, at most this many seconds.
        """
    def has_ended(self, /) -> bool:
        """
        Whether the search has ended.
        """
    def report(self, /) -> str:
        """
        Waits for the report.
        """
    def snapshot(self, /) -> str | None:
        """
        The next snapshot; None after the last.
        """
    def stop(self, /) -> None:
        """
        Stops the search. Its report has what was found.
        """

@final
class Trainer:
    """
    A training in a folder. It learns here, and its games may be played elsewhere.
    """
    def __new__(cls, /, out: str | PathLike[str], game: str | None = None, net: str | None = None, agent: str | None = None, options: str | None = None, seed: SupportsIndex | None = None, memory: str | None = None, start: str | PathLike[str] | None = None) -> Trainer:
        """
        Begins a run in a folder, or goes on with the one that is there.
        """
    def iterate(self, /, threads: SupportsIndex = 1) -> str:
        """
        Runs the next iteration on so many threads: it plays the games unless they were provided, and learns. Returns its line
        of the journal as JSON.
        """
    def journal(self, /) -> str:
        """
        The lines of the journal as JSON.
        """
    def progress(self, /) -> tuple[int, int, int, int]:
        """
        The finished iterations, games, samples and steps.
        """
    def provide(self, /, parts: SupportsGetItem[int, bytes | bytearray]) -> None:
        """
        Takes the games of the next iteration, in parts that `play_games` made.
        """
    def wanted(self, /) -> tuple[int, int, int, bytes, bytes]:
        """
        The games of the next iteration: its number, the first game, how many, and the files of the network and of the run.
        """

def main(words: SupportsGetItem[int, str]) -> int:
    """
    Runs a command line of this process as the program `aji` does. Returns the exit code.
    """

def play_games(run: bytes, network: bytes, first: SupportsIndex, games: SupportsIndex) -> bytes:
    """
    Plays games of a run with a network, both as their files, on one thread. The bytes depend on nothing else.
    """

def set_quiet(is_quiet: bool) -> None:
    """
    Leaves out progress and notes on standard error, or shows them.
    """
