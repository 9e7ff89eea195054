"""A network in numpy that values the leaves of a search, 32 at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import aji

Floats = npt.NDArray[np.float32]


class Network:
    """Two layers with random weights. Yours was trained, in any framework."""

    def __init__(self, inputs: int, actions: int, width: int = 64, seed: int = 7) -> None:
        luck = np.random.default_rng(seed)
        self.first = luck.normal(0, inputs**-0.5, (inputs, width)).astype(np.float32)
        self.second = luck.normal(0, width**-0.5, (width, actions + 1)).astype(np.float32)
        self.sizes: list[int] = []

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """The values of the leaves for their players to act, and a weight for each numbered action."""
        self.sizes.append(len(planes))
        found = np.maximum(planes.reshape(len(planes), -1) @ self.first, 0) @ self.second
        return np.tanh(found[:, 0]), np.exp(found[:, 1:])


network = Network(inputs=2 * 6 * 7, actions=7)
report = aji.search("connect-four", "alphazero wave=32 simulations=2000", evaluate=network)
print(report)
print(f"{len(network.sizes)} calls of up to {max(network.sizes)} leaves")
assert max(network.sizes) == 32

# Many positions at once, each searched as if it were alone: a call gets a leaf of each.
reports = aji.search_many("connect-four", ["", "d", "d d", "d d c"], "gumbel simulations=32", evaluate=network)
print([one.best for one in reports])
