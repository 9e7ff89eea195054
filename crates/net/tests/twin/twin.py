"""Writes PyTorch networks as files of aji, with their outputs: `python3 twin.py` in this folder.

Debian's package python3-torch is enough. The test `a_twin_in_pytorch_says_the_same` reads the files.
"""

import json
import struct

import torch
from torch import nn
from torch.nn import functional as F

PLANES, ROWS, COLUMNS, ACTIONS = 3, 6, 7, 9
CELLS = ROWS * COLUMNS


class Conv(nn.Module):
    design = "conv channels=16 blocks=2"

    def __init__(self):
        super().__init__()
        three = lambda inputs: nn.Conv2d(inputs, 16, 3, padding=1)
        self.stem = three(PLANES)
        self.blocks = nn.ModuleList(nn.ModuleList([three(16), three(16)]) for _ in range(2))
        self.policy_cells, self.value_cells = nn.Conv2d(16, 8, 1), nn.Conv2d(16, 8, 1)
        self.policy = nn.Linear(8 * CELLS, ACTIONS)
        self.value_hidden, self.value = nn.Linear(8 * CELLS, 64), nn.Linear(64, 1)

    def named(self):
        blocks = {
            f"block{number}.{part}": layer
            for number, block in enumerate(self.blocks)
            for part, layer in zip(["first", "second"], block)
        }
        heads = {"policy.cells": self.policy_cells, "policy": self.policy, "value.cells": self.value_cells}
        return {"stem": self.stem, **blocks, **heads, "value.hidden": self.value_hidden, "value": self.value}

    def forward(self, features):
        board = F.relu(self.stem(features.view(-1, PLANES, ROWS, COLUMNS)))
        for first, second in self.blocks:
            board = F.relu(board + second(F.relu(first(board))))
        logits = self.policy(F.relu(self.policy_cells(board)).flatten(1))
        hidden = F.relu(self.value_hidden(F.relu(self.value_cells(board)).flatten(1)))
        return logits, torch.sigmoid(self.value(hidden))


class Perceptron(nn.Module):
    design = "perceptron hidden=32,16"

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(PLANES * CELLS, 32), nn.Linear(32, 16)
        self.policy, self.value = nn.Linear(16, ACTIONS), nn.Linear(16, 1)

    def named(self):
        return {"first": self.first, "second": self.second, "policy": self.policy, "value": self.value}

    def forward(self, features):
        hidden = F.relu(self.second(F.relu(self.first(features))))
        return self.policy(hidden), torch.sigmoid(self.value(hidden))


def write(path, network):
    header, data = {}, b""
    for name, layer in network.named().items():
        for kind, tensor in [("weight", layer.weight), ("bias", layer.bias)]:
            numbers = tensor.detach().flatten().tolist()
            start = len(data)
            data += struct.pack(f"<{len(numbers)}f", *numbers)
            offsets = [start, len(data)]
            header[f"{name}.{kind}"] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": offsets}
    shape = {"planes": PLANES, "rows": ROWS, "columns": COLUMNS, "actions": ACTIONS}
    about = {"game": "none", "steps": 0, "games": 0, "seed": 0, "commit": ""}
    header["__metadata__"] = {"aji": json.dumps({"design": network.design, **shape, **about})}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


torch.manual_seed(1)
for kind in [Conv, Perceptron]:
    network, name = kind(), kind.__name__.lower()
    write(f"{name}.safetensors", network)
    with open(f"{name}.txt", "w") as file:
        for _ in range(20):
            features = (torch.rand(1, PLANES * CELLS) < 0.3).float()
            logits, value = network(features)
            on = features[0].nonzero().flatten().tolist()
            words = lambda numbers: " ".join(str(number) for number in numbers)
            file.write(f"{words(on)} | {words(logits[0].tolist())} | {value.item()}\n")
