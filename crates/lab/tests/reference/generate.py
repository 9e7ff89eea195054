#!/usr/bin/env python3
"""Writes statistics.json: what scipy and numpy, which share no code with this crate, say of its statistics.

    python3 -m venv /tmp/reference && . /tmp/reference/bin/activate
    pip install numpy==2.4.6 scipy==1.17.1
    python3 generate.py     # takes some seconds

All random choices are seeded. Where scipy has no such function, the formula is written here in another way: clusters
as loops over arrays, constrained likelihoods by brentq on the dual and again by SLSQP, the information of ratings by
complex steps. Infinite numbers are stored as the strings "inf" and "-inf".
"""

import json
import math
import pathlib

import numpy as np
import scipy
from scipy import optimize, stats

LEVELS = [0.5, 0.9, 0.95, 0.99, 0.999]
PRIOR_GAMES = 1.0  # as in rating.rs
REGULAR_COUNT = 1e-3  # as in sprt.rs
ELO = 400 / math.log(10)


def random(seed):
    return np.random.default_rng(seed)


def distributions():
    degrees = [1, 2, 3, 5, 10, 29, 100, 1000, 100_000]
    return {
        "normal_reach": [[level, stats.norm.isf((1 - level) / 2)] for level in LEVELS],
        "student_reach": [[level, df, stats.t.isf((1 - level) / 2, df)] for level in LEVELS for df in degrees],
        "student_two_sided": [
            [t, df, 2 * stats.t.sf(abs(t), df)] for t in [0.01, -0.7, 1.96, -3.3, 8.0, 30.0] for df in degrees
        ],
    }


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = stats.beta.ppf(tail, k, n - k + 1) if k > 0 else 0.0
    high = stats.beta.isf(tail, k + 1, n - k) if k < n else 1.0
    return low, high


def proportions():
    rows = []
    for n in [1, 2, 3, 10, 29, 100, 1000, 12_345, 1_000_000]:
        for k in sorted({0, 1, n // 10, n // 3, n // 2, n - n // 7, n - 1, n}):
            for level in LEVELS:
                wilson = stats.binomtest(k, n).proportion_ci(level, method="wilson")
                exact = clopper_pearson(k, n, level)
                again = stats.binomtest(k, n).proportion_ci(level, method="exact")
                assert np.allclose(exact, again, rtol=1e-6, atol=1e-10), (k, n, level, exact, again)
                rows.append([k, n, level, wilson.low, wilson.high, *exact])
    return rows


def means():
    rows = []
    for seed, (count, centre, spread) in enumerate([(2, 0, 1), (5, 0.5, 0.3), (40, -3, 2), (200, 1e6, 0.1)]):
        values = random(seed).normal(centre, spread, count)
        interval = stats.t.interval(0.95, count - 1, values.mean(), stats.sem(values))
        rows.append({
            "values": values.tolist(), "mean": values.mean(), "variance": values.var(ddof=1),
            "error": stats.sem(values), "low": interval[0], "high": interval[1],
        })
    return rows


def clusters():
    rows = []
    for seed, count in enumerate([2, 5, 30]):
        generator = random(100 + seed)
        keys, values = [], []
        for key in range(count):
            common = generator.normal()
            for _ in range(generator.integers(1, 9)):
                keys.append(key)
                values.append(common + generator.normal(0, 0.5))
        order = generator.permutation(len(keys))
        keys, values = np.array(keys)[order], np.array(values)[order]
        mean = values.mean()
        # The sandwich of a regression on a constant: (X'X)^-1 (sum of outer products of the clusters' scores) (X'X)^-1.
        design = np.ones((len(values), 1))
        bread = np.linalg.inv(design.T @ design)
        meat = np.zeros((1, 1))
        for key in range(count):
            score = design[keys == key].T @ (values - mean)[keys == key]
            meat += np.outer(score, score)
        error = math.sqrt(count / (count - 1) * (bread @ meat @ bread)[0, 0])
        rows.append({"keys": keys.tolist(), "values": values.tolist(), "mean": mean, "error": error})
    return rows


def paired():
    rows = []
    for seed, (count, shift) in enumerate([(2, 0.3), (10, 0.0), (25, 0.4), (300, 0.5)]):
        generator = random(200 + seed)
        a = generator.normal(0, 1, count)
        b = a + generator.normal(shift, 0.8, count)
        test = stats.ttest_rel(a, b)
        interval = test.confidence_interval(0.9)
        rows.append({
            "a": a.tolist(), "b": b.tolist(), "difference": (a - b).mean(), "t": test.statistic, "p": test.pvalue,
            "low": interval.low, "high": interval.high,
        })
    return rows


def lines():
    rows = []
    for seed, count in enumerate([3, 8, 100]):
        generator = random(300 + seed)
        x = np.sort(generator.uniform(1, 50, count))
        y = 3 * x**-0.4 * np.exp(generator.normal(0, 0.2, count))
        row = {"x": x.tolist(), "y": y.tolist()}
        for name, fit in [("line", stats.linregress(x, y)), ("log_log", stats.linregress(np.log(x), np.log(y)))]:
            reach = stats.t.isf(0.025, count - 2)
            row[name] = {
                "slope": fit.slope, "error": fit.stderr, "intercept": fit.intercept,
                "intercept_error": fit.intercept_stderr,
                "low": fit.slope - reach * fit.stderr, "high": fit.slope + reach * fit.stderr,
            }
        rows.append(row)
    return rows


def elo(score):
    if score in (0, 1):
        return math.inf if score == 1 else -math.inf
    return -400 * math.log10(1 / score - 1)


def expected(difference):
    return 1 / (1 + 10 ** (-difference / 400))


def score_of(scores, counts, level):
    """Outcomes one by one, their error, and Wilson's interval as the roots of its quadratic equation."""
    values = np.repeat(scores, counts)
    p, n = values.mean(), len(values)
    error = values.std(ddof=1) / math.sqrt(n) if len(set(values)) > 1 else 0.0
    effective = p * (1 - p) / error**2 if error > 0 else n
    z = stats.norm.isf((1 - level) / 2)
    # (p - q)^2 = z^2 q (1 - q) / n_eff, for q.
    a, b, c = 1 + z * z / effective, -(2 * p + z * z / effective), p * p
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    low, high = (-b - root) / (2 * a), (-b + root) / (2 * a)
    low, high = (0.0 if p == 0 else low), (1.0 if p == 1 else high)
    return [p, error, effective, low, high, elo(p), elo(low), elo(high)]


PAIRS = [
    [1, 0, 0, 0, 1], [0, 1, 0, 0, 0], [0, 0, 9, 0, 0], [0, 0, 0, 0, 50], [7, 0, 0, 0, 0], [0, 1, 40, 3, 0],
    [10, 30, 80, 55, 25], [100, 400, 900, 420, 130], [3, 0, 20, 0, 44], [2500, 1200, 4000, 1250, 2600],
]
GAMES = [[1, 0, 0], [0, 5, 0], [12, 0, 0], [60, 0, 40], [10, 80, 10], [300, 500, 260], [3, 1, 17], [4000, 100, 3900]]


def scores():
    quarters, halves = np.arange(5) / 4, np.array([1, 0.5, 0])
    return {
        "elo": [[s, elo(s)] for s in [0.001, 0.2, 0.5, 0.512, 0.76, 0.9999]],
        "expected": [[d, expected(d)] for d in [-800, -35.5, 0, 1, 20, 400]],
        "pairs": [{"counts": c, "level": l, "expect": score_of(quarters, c, l)} for c in PAIRS for l in [0.9, 0.95]],
        "games": [{"counts": c, "level": l, "expect": score_of(halves, c, l)} for c in GAMES for l in [0.9, 0.95]],
    }


def constrained(x, counts, s):
    """The highest log-likelihood of counts with mean s: by the dual's root, and again by SLSQP on the frequencies."""
    frequencies = counts / counts.sum()
    edge = 1e-15
    low, high = -1 / (x[-1] - s), 1 / (s - x[0])
    theta = optimize.brentq(
        lambda t: np.sum(frequencies * (x - s) / (1 + t * (x - s))), low * (1 - edge), high * (1 - edge),
        xtol=1e-16, rtol=1e-15, maxiter=1000,
    )
    dual = frequencies / (1 + theta * (x - s))
    assert abs(dual.sum() - 1) < 1e-8 and abs(dual @ x - s) < 1e-8, (counts, s, dual)
    # Over logarithms of the frequencies, which keeps rare ones apart from 0.
    start = np.log(frequencies)
    direct = optimize.minimize(
        lambda log: -(frequencies @ log), start, jac=lambda log: -frequencies, method="SLSQP",
        bounds=[(-60, 0)] * len(x),
        constraints=[
            {"type": "eq", "fun": lambda log: np.exp(log).sum() - 1, "jac": lambda log: np.exp(log)},
            {"type": "eq", "fun": lambda log: np.exp(log) @ x - s, "jac": lambda log: np.exp(log) * x},
        ],
        options={"ftol": 1e-15, "maxiter": 2000},
    )
    assert np.isfinite(direct.x).all(), (counts, s, direct)
    return counts @ np.log(dual), counts @ direct.x


def ratios():
    rows = []
    worst = 0.0
    for elo0, elo1 in [(0, 10), (-5, 25), (0, 100)]:
        for kind, all_counts in [("pairs", PAIRS), ("games", GAMES)]:
            for counts in all_counts:
                ordered = np.array(counts if kind == "pairs" else counts[::-1], dtype=float)
                x = np.linspace(0, 1, len(ordered))
                regular = np.where(ordered == 0, REGULAR_COUNT, ordered)
                (dual0, direct0), (dual1, direct1) = (constrained(x, regular, expected(e)) for e in (elo0, elo1))
                worst = max(worst, abs((dual1 - dual0) - (direct1 - direct0)))
                rows.append({"kind": kind, "counts": counts, "elo0": elo0, "elo1": elo1, "ratio": dual1 - dual0})
    print("log-likelihood ratios: dual and SLSQP differ by", worst)
    assert worst < 1e-4
    return rows


def tournament(points):
    points = np.array(points, dtype=float)
    np.fill_diagonal(points, 0)
    count = len(points)
    sigma = lambda r: 1 / (1 + np.exp(-r))

    def likelihood(r):
        differences = r[:, None] - r[None, :]
        return np.sum(points * np.log(sigma(differences))) + PRIOR_GAMES / 2 * np.sum(np.log(sigma(r) * sigma(-r)))

    def gradient(r):
        differences = r[:, None] - r[None, :]
        return (points - (points + points.T) * sigma(differences)).sum(axis=1) + PRIOR_GAMES * (0.5 - sigma(r))

    rough = optimize.minimize(lambda r: -likelihood(r), np.zeros(count), method="BFGS").x
    best = optimize.root(gradient, rough, tol=1e-14).x
    assert np.abs(rough - best).max() < 1e-2
    step = 1e-30
    columns = [-gradient(best + 1j * step * unit).imag / step for unit in np.eye(count)]
    centring = np.eye(count) - 1 / count
    covariance = ELO**2 * centring @ np.linalg.inv(np.array(columns)) @ centring
    value = ELO * (best - best.mean())
    difference = math.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    return {
        "points": points.tolist(), "elo": value.tolist(), "error": np.sqrt(np.diag(covariance)).tolist(),
        "difference_error": difference,
    }


def tournaments():
    rows = [tournament([[0, 7], [3, 0]]), tournament([[0, 10, 10], [0, 0, 6.5], [0, 3.5, 0]])]
    generator = random(400)
    strength = generator.normal(0, 1, 6)
    points = np.zeros((6, 6))
    for i in range(6):
        for j in range(i):
            games = int(generator.integers(0, 60)) * 2
            points[i, j] = generator.binomial(games, 1 / (1 + math.exp(strength[j] - strength[i])))
            points[j, i] = games - points[i, j]
    return rows + [tournament(points)]


def bootstraps():
    values = random(500).lognormal(0, 1, 40)
    row = {"values": values.tolist(), "level": 0.9}
    for name, statistic in [("mean", np.mean), ("deviation", lambda v, axis: np.std(v, axis=axis, ddof=1))]:
        for method in ["percentile", "BCa"]:
            found = stats.bootstrap(
                (values,), statistic, confidence_level=0.9, n_resamples=200_000, method=method, batch=10_000,
                rng=random(501),
            ).confidence_interval
            row[f"{name}_{method.lower()}"] = [found.low, found.high]
    return row


def plain(value):
    """Numbers of numpy as numbers of Python, and infinite ones as strings."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else ("inf" if value > 0 else "-inf")
    return value.item() if isinstance(value, np.generic) else value


def written(sections):
    """JSON with one line a case."""
    lines = []
    for name, section in sections.items():
        if isinstance(section, list):
            text = "[\n" + ",\n".join(json.dumps(row) for row in section) + "\n]"
        elif isinstance(section, dict):
            text = "{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in section.items()) + "\n}"
        else:
            text = json.dumps(section)
        lines.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sections = plain({
        "made_by": f"generate.py with scipy {scipy.__version__} and numpy {np.__version__}",
        "distributions": distributions(), "proportions": proportions(), "means": means(), "clusters": clusters(),
        "paired": paired(), "lines": lines(), "scores": scores(), "ratios": ratios(), "tournaments": tournaments(),
        "bootstraps": bootstraps(),
    })
    (pathlib.Path(__file__).parent / "statistics.json").write_text(written(sections))
