"""The connection to Ray: tasks in any order, again after a worker or a node has died."""

from __future__ import annotations

import importlib
import logging
import os
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any

from .._error import Error

#: How often a task runs again after its worker or its node has died.
RETRIES = 10

#: Tasks that wait or run, for each core. Those that wait keep workers busy, and tell an autoscaler what is needed.
UNDERWAY_PER_CORE = 4

#: How many seconds pass between two looks at the tasks.
TICK = 0.2

#: How many seconds the head of a cluster has to answer. Ray itself waits for more than a minute.
ANSWER = 5.0

#: How many seconds tasks have to end once they are interrupted.
GRACE = 3.0

#: The environment variable that names a cluster.
ADDRESS = "RAY_ADDRESS"


def ray_module() -> Any:
    """The module of Ray."""
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise Error("aji.ray needs Ray, which is not installed here: pip install ray") from None


class Cluster:
    """A connection to a cluster, or a cluster on this machine that ends with it."""

    def __init__(self, address: str | None, retries: int) -> None:
        self._ray = ray_module()
        self._address = address or os.environ.get(ADDRESS) or "local"
        self._retries = retries
        self._is_ours = False
        self._underway: dict[Any, str] = {}

    def __enter__(self) -> Cluster:
        self._is_ours = not self._ray.is_initialized()
        if self._is_ours:
            options = {"include_dashboard": False} if self._address == "local" else {}
            _check_answers(self._address)
            try:
                self._ray.init(address=self._address, logging_level=logging.ERROR, log_to_driver=False, **options)
            except Exception as error:
                raise Error(f"--address {self._address}: cannot connect to a Ray cluster: {_line(error)}") from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._cancel()
        if self._is_ours:
            self._ray.shutdown()

    def _cancel(self) -> None:
        """Interrupts the tasks under way, and lets them remove their files."""
        references = list(self._underway)
        self._underway.clear()
        for reference in references:
            self._ray.cancel(reference)
        if references:
            self._ray.wait(references, num_returns=len(references), timeout=GRACE)

    def cores(self) -> int:
        """The cores of the nodes that are there now."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def shared(self, value: Any) -> Any:
        """A value that is sent once to each node, however many calls have it as an argument."""
        return self._ray.put(value)

    def run(
        self, function: Callable[..., Any], shared: Any, calls: Iterable[tuple[str, tuple[Any, ...]]]
    ) -> Iterator[tuple[str, Any] | None]:
        """Calls ``function(shared, *arguments)`` in tasks of one core each, and gives the name and the result of each call as it
        ends. Gives None every few moments, so that progress can be shown."""
        task = self._ray.remote(num_cpus=1, max_retries=self._retries)(function)
        shared, waiting = self._ray.put(shared), iter(calls)
        while True:
            room = UNDERWAY_PER_CORE * self.cores() - len(self._underway)
            for name, arguments in _first(waiting, room):
                self._underway[task.remote(shared, *arguments)] = name
            if not self._underway:
                return
            yield from self._ended()
            yield None

    def _ended(self) -> Iterator[tuple[str, Any]]:
        references = list(self._underway)
        # Half of them at a time: workers still have the other half, and a look at many tasks costs little for each.
        ended, _ = self._ray.wait(references, num_returns=-(-len(references) // 2), timeout=TICK)
        for reference in ended:
            name = self._underway.pop(reference)
            yield name, self._result(name, reference)

    def _result(self, name: str, reference: Any) -> Any:
        failures = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except failures.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, ImportError):
                raise Error(f"{name}: a worker lacks a module: {_line(cause)}; install the same packages on every node") from None
            if isinstance(cause, Exception):
                # An exception of a user's own game, with its traceback in the worker.
                raise cause from error
            raise Error(f"{name}: {_line(error)}") from None
        except failures.RayError as error:
            times = f"{self._retries + 1} times" if self._retries else "once"
            raise Error(f"{name}: its worker or its node died {times}: {_line(error)}") from None


def _check_answers(address: str) -> None:
    """Refuses the address of a host and a port where nobody answers."""
    found = re.fullmatch(r"(?:ray://)?([^:/]+):(\d+)", address)
    if found is None:
        return
    try:
        socket.create_connection((found[1], int(found[2])), timeout=ANSWER).close()
    except (OSError, OverflowError) as error:
        raise Error(f"--address {address}: no Ray cluster answers there: {_line(error)}") from None


def _first(items: Iterator[Any], count: int) -> Iterator[Any]:
    for _ in range(count):
        try:
            yield next(items)
        except StopIteration:
            return


def _line(error: BaseException) -> str:
    """The first line of an error."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
