"""Tensors with any strides, as the bytes that a GPU sees.

What does not belong to a tensor (before and behind it, between its rows) holds
0xFF bytes, NaN in every float type: a read there shows in the results, a write
there in the comparison.
"""

from dataclasses import dataclass

import numpy as np

RAW = {"f32": np.uint32, "bf16": np.uint16, "f16": np.uint16}
PAD = 64


def to_bits(values, type):
    """Values rounded to nearest even, as raw bits."""
    values = np.asarray(values, dtype=np.float32)
    if type == "f32":
        return values.view(np.uint32)
    if type == "f16":
        return values.astype(np.float16).view(np.uint16)
    bits = values.view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    rounded = np.where(np.isnan(values), 0x7FFF, rounded)
    return rounded.astype(np.uint16)


def from_bits(bits, type):
    if type == "f32":
        return bits.view(np.float32)
    if type == "f16":
        return bits.view(np.float16).astype(np.float32)
    return (bits.astype(np.uint32) << 16).view(np.float32)


def rounded(values, type):
    """What `values` are once stored as `type`."""
    return from_bits(to_bits(values, type), type)


@dataclass
class Tensor:
    type: str
    shape: tuple
    strides: tuple = None  # in elements; default: dense
    lead: int = 0  # elements before the first one, beyond the padding
    values: object = None  # None: to be written

    def __post_init__(self):
        if self.strides is None:
            strides = [1]
            for extent in reversed(self.shape[1:]):
                strides.insert(0, strides[0] * extent)
            self.strides = tuple(strides)

    @property
    def first(self):
        """Index of the first element in the buffer."""
        return PAD + self.lead

    def indices(self):
        """Index in the buffer of each element."""
        grids = np.indices(self.shape).reshape(len(self.shape), -1)
        return self.first + np.tensordot(np.array(self.strides), grids, 1)

    def buffer(self, values=None):
        """The buffer with `values` in it; where they are NaN it stays as it is."""
        values = self.values if values is None else values
        size = self.first + PAD
        if all(self.shape):
            size += sum((e - 1) * s for e, s in zip(self.shape, self.strides)) + 1
        raw = np.full(size, np.iinfo(RAW[self.type]).max, dtype=RAW[self.type])
        if values is not None and all(self.shape):
            values = np.asarray(values, dtype=np.float64).reshape(-1)
            known = ~np.isnan(values)
            raw[self.indices()[known]] = to_bits(values[known], self.type)
        return raw


@dataclass
class Case:
    """One launch: arguments in the kernel's order, and what it must leave."""

    name: str
    arguments: list
    expected: dict  # argument: values, NaN where nothing is written
    grid: int = 1
    # 0, 0: equal in each bit.
    atol: float = 0.0
    rtol: float = 0.0
    # argument: how far each element may be off, instead.
    slack: dict = None


def faults(case, argument, got):
    """Why buffer `got` of `argument` is wrong; empty if it is right."""
    tensor = case.arguments[argument]
    want = tensor.buffer(case.expected[argument])
    if case.atol == 0 and case.rtol == 0 and not case.slack:
        wrong = got != want
    else:
        poison = want == np.iinfo(want.dtype).max
        g, w = from_bits(got, tensor.type), from_bits(want, tensor.type)
        with np.errstate(invalid="ignore"):
            allowed = case.atol + case.rtol * np.abs(w)
            if case.slack:
                # Held against the values, not against what these are once stored.
                w, allowed = w.astype(np.float64), np.zeros(w.shape)
                w[tensor.indices()] = np.asarray(case.expected[argument]).reshape(-1)
                allowed[tensor.indices()] = case.slack[argument].reshape(-1)
            near = np.abs(g - w) <= allowed
        wrong = np.where(poison, got != want, ~(near | (g == w)))
    if not wrong.any():
        return ""
    if case.slack:
        with np.errstate(invalid="ignore"):
            worst = np.where(wrong & ~poison, np.abs(g - w) / np.maximum(allowed, 1e-30), 0)
        where = int(np.nanargmax(np.where(worst > 0, worst, wrong)))
    else:
        where = int(np.argmax(wrong))
    at = np.flatnonzero(tensor.indices() == where)
    place = np.unravel_index(at[0], tensor.shape) if len(at) else "outside"
    return (
        f"{int(wrong.sum())} of {wrong.size} elements, first at {place}: "
        f"expected {from_bits(want[where:where+1], tensor.type)[0]}, "
        f"got {from_bits(got[where:where+1], tensor.type)[0]}"
    )
