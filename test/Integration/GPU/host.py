"""Evaluates the host function around an `attn_gpu.launch`, as printed.

Host functions compute with extents, expand dimensions and launch one kernel; so
little is enough to know what a launch gets: its arguments and its blocks.
"""

import re
from dataclasses import dataclass

from tensors import Case, Tensor

ARITH = {
    "addi": lambda x, y: x + y,
    "subi": lambda x, y: x - y,
    "muli": lambda x, y: x * y,
    "divsi": lambda x, y: int(x / y),
    "divui": lambda x, y: x // y,
    "ceildivsi": lambda x, y: -(-x // y),
    "ceildivui": lambda x, y: -(-x // y),
    "floordivsi": lambda x, y: x // y,
    "maxsi": max,
    "minsi": min,
}
COMPARE = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "slt": lambda x, y: x < y,
    "sle": lambda x, y: x <= y,
    "sgt": lambda x, y: x > y,
    "sge": lambda x, y: x >= y,
}


@dataclass
class Call:
    """One call of a function: its tensors, and what it must give, in order.
    `slack`: how far each element of a result may be off."""

    name: str
    tensors: list
    results: list
    slack: list


def names(text):
    return re.findall(r"%[\w#-]+", text)


def parse_tensor(text):
    """Extents, None where dynamic, and element type of `tensor<...>`."""
    *extents, element = re.search(r"tensor<([^>]*)>", text)[1].split("x")
    return [None if e == "?" else int(e) for e in extents], element


def expand(tensor, groups, shape):
    """The tensor with each dimension divided into those of its group."""
    strides = [0] * len(shape)
    for dim, group in enumerate(groups):
        step = tensor.strides[dim]
        for inner in reversed(group):
            strides[inner] = step
            step *= shape[inner]
    values = None if tensor.values is None else tensor.values.reshape(shape)
    return Tensor(tensor.type, tuple(shape), tuple(strides), tensor.lead, values)


def evaluate(call, text):
    """The launch that `call` makes, as a Case."""
    values = dict(zip(names(re.search(r"func\.func @\w+\((.*?)\) ->", text)[1]), call.tensors, strict=True))
    for line in text.splitlines():
        match = re.match(r"\s*(%[\w-]+)(?::\d+)? = ([\w.]+)(.*)", line)
        if not match:
            continue
        result, op, rest = match.groups()
        operands = [values.get(n) for n in names(rest)]
        if op == "arith.constant":
            values[result] = int(re.search(r"-?\d+", rest)[0])
        elif op == "arith.cmpi":
            values[result] = COMPARE[rest.split(",")[0].strip()](*operands)
        elif op == "arith.select":
            values[result] = operands[1] if operands[0] else operands[2]
        elif op.startswith("arith."):
            values[result] = ARITH[op[6:]](*operands)
        elif op == "tensor.dim":
            values[result] = operands[0].shape[operands[1]]
        elif op == "tensor.empty":
            extents, element = parse_tensor(rest)
            dynamic = iter(operands)
            values[result] = Tensor(element, tuple(next(dynamic) if e is None else e for e in extents))
        elif op == "tensor.expand_shape":
            groups = [[int(n) for n in g.split(",")] for g in re.findall(r"\[([\d, ]+)\]", rest.split("output_shape")[0])]
            shape = re.search(r"output_shape \[(.*?)\]", rest)[1].split(", ")
            shape = [values[e] if e.startswith("%") else int(e) for e in shape]
            values[result] = expand(operands[0], groups, shape)
        elif op == "attn_gpu.launch":
            blocks, ins, outs = re.search(r"blocks (%\w+) ins\((.*?) : .*?\) outs\((.*?) : ", rest).groups()
            ins, outs = [values[n] for n in names(ins)], [values[n] for n in names(outs)]
            shaped = lambda arrays: {len(ins) + i: a.reshape(t.shape) for i, (a, t) in enumerate(zip(arrays, outs, strict=True))}
            return Case(call.name, ins + outs, shaped(call.results), values[blocks], slack=shaped(call.slack))
        else:
            raise ValueError(f"unknown host operation: {line.strip()}")
    raise ValueError("the host function launches nothing")
