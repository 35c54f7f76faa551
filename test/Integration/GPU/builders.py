"""Pieces that kernels and their cases are made of."""

import itertools

try:
    import numpy as np
except ModuleNotFoundError:
    np = None  # Kernels can be written, but no cases made.

TYPES = ("bf16", "f16")
NAN = float("nan")


def integers(rng, *shape, high=4):
    return rng.integers(-high, high + 1, shape).astype(np.float64)


def memref(type, *extents):
    """A tensor with dynamic strides but the last."""
    shape = "".join(f"{e}x" for e in extents)
    strides = ", ".join(["?"] * (len(extents) - 1) + ["1"])
    return f"memref<{shape}{type}, strided<[{strides}]>>"


def kernel(name, arguments, body, warpgroups=1):
    arguments = ", ".join(f"%{n}: {t}" for n, t in arguments)
    return f"""attn_gpu.kernel @{name}({arguments}) warpgroups {warpgroups} {{
  %c0 = arith.constant 0 : index
{body}
  attn_gpu.return
}}
"""


def tile(type, rows, columns, panel_rows=None):
    tail = f", panel_rows = {panel_rows}" if panel_rows else ""
    return f"!attn_gpu.tile<{rows}x{columns}x{type}{tail}>"


def window(values, row, column, rows, columns):
    """The box of a matrix, 0 outside."""
    box = np.zeros((rows, columns))
    for i, j in itertools.product(range(rows), range(columns)):
        if 0 <= row + i < values.shape[0] and 0 <= column + j < values.shape[1]:
            box[i, j] = values[row + i, column + j]
    return box


def place(shape, box, row, column):
    """A matrix of `shape`, NaN but where `box` falls."""
    out = np.full(shape, NAN)
    for i, j in np.ndindex(box.shape):
        if 0 <= row + i < shape[0] and 0 <= column + j < shape[1]:
            out[row + i, column + j] = box[i, j]
    return out
