"""Monte Carlo tree search: games, agents, exact values, and experiments that can be trusted.

>>> import aji
>>> report = aji.search("connect-four", agent="uct simulations=2000 seed=7", moves="d d c")
>>> report.best in {arm["action"] for arm in report.arms}
True

Names of games and agents are those of the command ``aji``, and so are the results: the same seed gives the same bytes.
``aji.Workbench`` holds games and evaluations of your own beside the built-in ones.
"""

from ._contests import Contest, Match, Tournament, Tuning
from ._error import Error
from ._explanation import Arm, Backup, Expansion, Explanation, Playout, Rule, Selection, Simulation, Update
from ._native import COMMIT as __commit__
from ._native import VERSION as __version__
from ._own import CHANCE, Evaluate, Game
from ._report import Report, Tree, Watch
from ._session import Position, Session
from ._workbench import Workbench

_default = Workbench()

session = _default.session
search = _default.search
search_many = _default.search_many
watch = _default.watch
explain = _default.explain
laws = _default.laws
perft = _default.perft
match = _default.match
tournament = _default.tournament
tune = _default.tune
duel = _default.duel
mistakes = _default.mistakes
traps = _default.traps
learn = _default.learn
bandit = _default.bandit
thermograph = _default.thermograph
cgt = _default.cgt
train = _default.train
reproduce = _default.reproduce
merge = _default.merge
export = _default.export
command = _default.command
games = _default.games
agents = _default.agents
rules = _default.rules
agent_for = _default.agent_for

__all__ = [
    "Arm",
    "Backup",
    "CHANCE",
    "Contest",
    "Error",
    "Evaluate",
    "Expansion",
    "Explanation",
    "Game",
    "Match",
    "Playout",
    "Position",
    "Report",
    "Rule",
    "Selection",
    "Session",
    "Simulation",
    "Tournament",
    "Tree",
    "Tuning",
    "Update",
    "Watch",
    "Workbench",
    "__commit__",
    "__version__",
    "agent_for",
    "agents",
    "bandit",
    "cgt",
    "command",
    "duel",
    "explain",
    "export",
    "games",
    "laws",
    "learn",
    "match",
    "merge",
    "mistakes",
    "perft",
    "reproduce",
    "rules",
    "search",
    "search_many",
    "session",
    "thermograph",
    "tournament",
    "train",
    "traps",
    "tune",
    "watch",
]
