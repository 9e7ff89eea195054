"""A search that is watched, and stopped once it has settled."""

from __future__ import annotations

import aji

with aji.watch("hex size=7", "uct time=20s", every=0.05) as search:
    for snapshot in search:
        pulls = snapshot.arms["pulls"]
        print(f"{snapshot.simulations:>9,} simulations: {snapshot.best}, {pulls.max() / pulls.sum():.0%} of them")
        if snapshot.simulations > 5_000:
            search.stop()

report = search.report()
print(report)
assert report.stopped == "interrupted"
