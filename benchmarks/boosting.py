"""Symmetric trees, boosted: the model by which confidence follows from evidence (`assistant/embedded/confidence.py`).

Each tree asks the same few questions of every row, so it is a list of splits and a table of two to the power of their
number. Trees are added one after another, each fitted to what the others left over, on a part of the rows and columns.

Sources: Friedman, Greedy Function Approximation, Annals of Statistics 2001 (boosting of the logistic loss); Chen and
Guestrin, XGBoost, KDD 2016 (gain with second derivatives); Prokhorenkova et al., CatBoost, NeurIPS 2018 (symmetric
trees).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_TREES = 600
_DEPTH = 5
_RATE = 0.04
_DECAY = 10.0
_BINS = 16
_ROWS = 0.7
_COLUMNS = 0.2
_RIDGE = 1e-6
_STEPS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Splits (column, threshold: above it is 1) whose answers are the binary digits of a place in `leaves`.

    All trees of a model have the same number of splits.
    """

    splits: tuple[tuple[int, float], ...]
    leaves: Floats

    def of(self, found: Floats) -> Floats:
        """What the tree adds to each of `n` rows."""
        place = np.zeros(len(found), dtype=np.int64)
        for column, threshold in self.splits:
            place = 2 * place + (found[:, column] > threshold)
        return self.leaves[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The trees and the logit that they start from."""

    trees: tuple[Tree, ...]
    bias: float

    def logits(self, found: Floats) -> Floats:
        """The log odds of each row."""
        return self.bias + sum((tree.of(found) for tree in self.trees), np.zeros(len(found)))

    def of(self, found: Floats) -> Floats:
        """The probability of each row, 0 to 1."""
        return 1.0 / (1.0 + np.exp(-self.logits(found)))

    def scaled(self, slope: float, shift: float) -> Model:
        """The model whose log odds are `slope` times these, plus `shift`."""
        trees = tuple(Tree(splits=tree.splits, leaves=slope * tree.leaves) for tree in self.trees)
        return Model(trees=trees, bias=slope * self.bias + shift)

    def mean(self, other: Model) -> Model:
        """The model whose log odds are the mean of both."""
        half, rest = self.scaled(0.5, 0.0), other.scaled(0.5, 0.0)
        return Model(trees=(*half.trees, *rest.trees), bias=half.bias + rest.bias)


def scale(logits: Floats, right: Floats) -> tuple[float, float]:
    """The slope and shift of log odds under which they tell best how many are right (`n`, 0 or 1).

    Source: Platt, Probabilistic Outputs for Support Vector Machines, 1999; by Newton's method.
    """
    rows = np.stack([logits, np.ones(len(logits))], axis=1)
    found = np.array([1.0, 0.0])
    for _ in range(_STEPS):
        sure = 1.0 / (1.0 + np.exp(-rows @ found))
        bend = (rows * (sure * (1.0 - sure))[:, None]).T @ rows + _RIDGE * np.eye(2)
        found += np.linalg.solve(bend, rows.T @ (right - sure))
    return float(found[0]), float(found[1])


def boosted(found: Floats, right: Floats, *, seed: int = 0) -> Model:
    """Fit `right` (`n`, 0 or 1) to the evidence `found` (`n x m`)."""
    draw = np.random.default_rng(seed)
    count, width = found.shape
    edges = [_edges(found[:, column]) for column in range(width)]
    bins = np.stack([np.searchsorted(edge, found[:, n], side="left") for n, edge in enumerate(edges)], axis=1)
    bias = float(np.log(right.mean() / (1.0 - right.mean())))
    total = np.full(count, bias)
    trees: list[Tree] = []
    for _ in range(_TREES):
        sure = 1.0 / (1.0 + np.exp(-total))
        slope, bend = right - sure, sure * (1.0 - sure)
        rows = np.flatnonzero(draw.random(count) < _ROWS)
        columns = draw.permutation(width)[: max(1, int(_COLUMNS * width))]
        splits, place = _grown(bins, edges, rows, columns, slope, bend)
        if len(splits) < _DEPTH:  # nothing is left to split by in these columns
            continue
        leaves = 1 << len(splits)
        drift = np.bincount(place[rows], slope[rows], leaves)
        weight = np.bincount(place[rows], bend[rows], leaves)
        tree = Tree(splits=splits, leaves=_RATE * drift / (weight + _DECAY))
        total += tree.leaves[place]
        trees.append(tree)
    return Model(trees=tuple(trees), bias=bias)


def _edges(values: Floats) -> Floats:
    """Where a column may be split: between all its values where they are few, at its quantiles otherwise."""
    held = np.unique(values)
    if len(held) <= _BINS:
        return (held[:-1] + held[1:]) / 2
    return np.unique(np.quantile(values, np.linspace(0, 1, _BINS + 1)[1:-1]))


def _grown(
    bins: Ints, edges: list[Floats], rows: Ints, columns: Ints, slope: Floats, bend: Floats
) -> tuple[tuple[tuple[int, float], ...], Ints]:
    """The splits of one tree, each the best for all its leaves together, and every row's place among the leaves."""
    place = np.zeros(len(bins), dtype=np.int64)
    splits: list[tuple[int, float]] = []
    for depth in range(_DEPTH):
        best, chosen = 0.0, (-1, 0)
        for column in columns:
            width = len(edges[column]) + 1
            if width < 2:
                continue
            key = place[rows] * width + bins[rows, column]
            drift = np.bincount(key, slope[rows], width << depth).reshape(-1, width).cumsum(axis=1)
            weight = np.bincount(key, bend[rows], width << depth).reshape(-1, width).cumsum(axis=1)
            low = drift[:, :-1] ** 2 / (weight[:, :-1] + _DECAY)
            high = (drift[:, -1:] - drift[:, :-1]) ** 2 / (weight[:, -1:] - weight[:, :-1] + _DECAY)
            gain = (low + high).sum(axis=0)
            if gain.max() > best:
                best, chosen = float(gain.max()), (int(column), int(gain.argmax()))
        column, bin_ = chosen
        if column < 0:
            break
        splits.append((column, float(edges[column][bin_])))
        place = 2 * place + (bins[:, column] > bin_)
    return tuple(splits), place
