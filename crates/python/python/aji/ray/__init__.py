"""Experiments and trainings on a Ray cluster: the same results as on one thread, bit for bit, on as many machines as there are.

>>> import aji.ray                                                                                  # doctest: +SKIP
>>> match = aji.ray.match("connect-four", "uct c=0.5", "uct", games=10_000, journal="match.jsonl")  # doctest: +SKIP
>>> print(aji.ray.run(["bandit", "--rules", "ucb1, voi", "--repeats", "1M"], address="auto"))       # doctest: +SKIP

Every experiment also takes these options of the cluster:

``address``
    the cluster: ``"auto"`` for the one of which this machine is a node, ``"ray://host:10001"`` for another one (it needs
    ``ray[client]``). The default is the environment variable ``RAY_ADDRESS``; without it the call starts Ray on all cores of this
    machine, and ends it. A program that is already connected keeps its connection.
``shards``
    the number of tasks. The default gives every core several.
``retries``
    how often a task runs again after its worker or its node has died.
``workbench``
    a function that makes the ``aji.Workbench`` of a worker, for games and evaluations of one's own.

``aji.ray.train`` lets workers play the games of a training, and learns here.

A finished shard is kept at once in a folder beside the journal, such as ``match.jsonl.shards``. After a driver is killed, the
same call goes on from there. Every node needs the same build of aji. Workers get copies of the files that the experiment names
below the current folder; other files must have the same absolute path on every node.
"""

from ._contests import bandit, duel, match, mistakes, reproduce, tournament, tune
from ._run import run
from ._train import train
from ._words import Experiment

__all__ = ["Experiment", "bandit", "duel", "match", "mistakes", "reproduce", "run", "tournament", "train", "tune"]
