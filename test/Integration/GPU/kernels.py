#!/usr/bin/env python3
"""One small kernel for each operation of attn_gpu, with cases and results.

    kernels.py OUT      writes OUT/MODULE.mlir

compile_kernels.py makes them cubins, check_kernels.py runs them on a GPU. Inputs
of products are small integers, so that sums are exact and results are compared
bit by bit.
"""

import itertools
import os
import sys

try:
    import numpy as np
    from tensors import Case, Tensor, rounded
except ModuleNotFoundError:
    np = None  # Kernels can be written, but no cases made.

TYPES = ("bf16", "f16")
NAN = float("nan")


class Kernels:
    """What the families make: IR, and with NumPy the cases."""

    def __init__(self, with_cases):
        self.rng = np.random.default_rng(1) if with_cases else None
        self.modules = {}  # name: list of IR
        self.cases = {}  # (module, kernel): list of Case

    def add(self, module, name, text, make_cases):
        self.modules.setdefault(module, []).append(text)
        if self.rng:
            self.cases[module, name] = make_cases(self.rng)


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


# Reads and writes ------------------------------------------------------------------


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


def copies(kernels):
    """read -> load_fragment -> write: strides, edges, alignment, negative offsets."""
    for type, rows, columns in itertools.product(TYPES, (64, 128), (64, 192)):
        groups = rows // 64
        name = f"copy_{rows}x{columns}_{type}"
        source, part = tile(type, rows, columns), tile(type, 64, columns, rows)
        if groups == 1:
            part = source
        body = f"""  %tile = attn_gpu.read %from[%r, %c] : {memref(type, '?', '?')} -> {source}
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : {source} -> {part}
  %x = attn_gpu.load_fragment %mine : {part} -> vector<64x{columns}x{type}>
  %row = arith.addi %to_r, %first : index
  attn_gpu.write %x to %to[%row, %to_c] : vector<64x{columns}x{type}>, {memref(type, '?', '?')}"""
        tensor = memref(type, "?", "?")
        text = kernel(
            name,
            [("from", tensor), ("to", tensor)]
            + [(n, "index") for n in ("r", "c", "to_r", "to_c")],
            body,
            groups,
        )

        def cases(rng):
            made = []
            # shape and row stride of the source, lead; box; the same of the result.
            for label, src, at, dst, to in (
                ("whole", (rows, columns, columns, 0), (0, 0), (rows, columns, columns, 0), (0, 0)),
                ("inside", (300, 256, 264, 8), (40, 8), (300, 256, 258, 2), (17, 4)),
                ("odd strides", (200, 200, 203, 1), (5, 3), (200, 201, 207, 3), (70, 1)),
                ("odd base", (200, 256, 256, 3), (64, 0), (200, 256, 256, 1), (64, 0)),
                ("last rows", (rows + 13, columns, columns, 0), (rows, 0), (rows + 13, columns, columns, 0), (rows, 0)),
                ("last columns", (rows, columns + 24, columns + 24, 0), (0, columns), (rows, columns + 22, columns + 22, 0), (0, columns)),
                ("ragged columns", (rows, columns - 3, columns, 0), (0, 0), (rows, columns - 5, columns, 0), (0, 0)),
                ("before rows", (90, columns, columns, 0), (-7, 0), (90, columns, columns, 0), (-9, 0)),
                ("before columns", (rows, columns, columns, 0), (0, -8), (rows, columns, columns, 0), (0, -5)),
                ("all outside", (16, 64, 64, 0), (16, 0), (16, 64, 64, 0), (-rows, 0)),
                ("far outside", (16, 64, 64, 0), (1 << 40, -(1 << 40)), (16, 64, 64, 0), (0, 1 << 40)),
                ("no rows", (0, columns, columns, 0), (0, 0), (rows, columns, columns, 0), (0, 0)),
                ("no result", (rows, columns, columns, 0), (0, 0), (0, columns, columns, 0), (0, 0)),
            ):
                values = integers(rng, src[0], src[1], high=100)
                box = window(values, *at, rows, columns)
                out = place(dst[:2], box, *to)
                made.append(
                    Case(
                        label,
                        [
                            Tensor(type, src[:2], (src[2], 1), src[3], values),
                            Tensor(type, dst[:2], (dst[2], 1), dst[3]),
                            *at,
                            *to,
                        ],
                        {1: out},
                    )
                )
            return made

        kernels.add("copies", name, text, cases)


def copies_4d(kernels):
    """Rows along another dimension; batch and head strides of their own."""
    type = "bf16"
    tensor = memref(type, "?", "?", "?", "64")
    source, frag = tile(type, 64, 64), f"vector<64x64x{type}>"
    body = f"""  %tile = attn_gpu.read %from[%b, %s, %h, %c0] row_dim 1 : {tensor} -> {source}
  %x = attn_gpu.load_fragment %tile : {source} -> {frag}
  attn_gpu.write %x to %to[%b, %h, %s, %c0] : {frag}, {tensor}"""
    text = kernel(
        "copy_4d",
        [("from", tensor), ("to", tensor)] + [(n, "index") for n in ("b", "h", "s")],
        body,
    )

    def cases(rng):
        made = []
        for b, h, s in ((0, 0, 0), (1, 2, 30), (2, 0, 0), (0, 3, 0), (-1, 0, 0)):
            values = integers(rng, 2, 70, 3, 64, high=100)
            out = np.full((2, 3, 70, 64), NAN)
            if 0 <= b < 2 and 0 <= h < 3:
                count = min(64, 70 - s)
                out[b, h, s : s + count] = values[b, s : s + count, h]
            made.append(
                Case(
                    f"b {b} h {h} s {s}",
                    [
                        Tensor(type, (2, 70, 3, 64), (70 * 300, 216, 72, 1), 0, values),
                        Tensor(type, (2, 3, 70, 64)),
                        b,
                        h,
                        s,
                    ],
                    {1: out},
                )
            )
        return made

    kernels.add("copies", "copy_4d", text, cases)


def writes_f32(kernels):
    """f32 fragments and row values; a column offset makes pairs odd."""
    for columns in (8, 128):
        name = f"write_f32_{columns}"
        matrix, rows = memref("f32", "?", "?"), memref("f32", "?", "?")
        body = f"""  %i = attn_gpu.iota : vector<64x1xi32>
  %j = attn_gpu.iota : vector<1x{columns}xindex>
  %j32 = arith.index_cast %j : vector<1x{columns}xindex> to vector<1x{columns}xi32>
  %is = vector.broadcast %i : vector<64x1xi32> to vector<64x{columns}xi32>
  %js = vector.broadcast %j32 : vector<1x{columns}xi32> to vector<64x{columns}xi32>
  %k = arith.constant dense<1000> : vector<64x{columns}xi32>
  %ik = arith.muli %is, %k : vector<64x{columns}xi32>
  %n = arith.addi %ik, %js : vector<64x{columns}xi32>
  %x = arith.sitofp %n : vector<64x{columns}xi32> to vector<64x{columns}xf32>
  %y = arith.sitofp %i : vector<64x1xi32> to vector<64x1xf32>
  attn_gpu.write %x to %to[%r, %c] : vector<64x{columns}xf32>, {matrix}
  attn_gpu.write %y to %rows[%r, %c] : vector<64x1xf32>, {rows}"""
        text = kernel(
            name,
            [("to", matrix), ("rows", rows), ("r", "index"), ("c", "index")],
            body,
        )

        def cases(rng):
            box = 1000.0 * np.arange(64)[:, None] + np.arange(columns)
            made = []
            for r, c, stride, lead in ((0, 0, columns, 0), (3, 1, columns + 1, 1), (-5, -3, columns + 8, 0), (40, 4, columns + 8, 2)):
                shape = (80, columns)
                made.append(
                    Case(
                        f"at {r}, {c}",
                        [
                            Tensor("f32", shape, (stride, 1), lead),
                            Tensor("f32", (80, 2), (5, 1)),
                            r,
                            c,
                        ],
                        {
                            0: place(shape, box, r, c),
                            1: place((80, 2), np.arange(64.0)[:, None], r, c),
                        },
                    )
                )
            return made

        kernels.add("registers", name, text, cases)


# Products --------------------------------------------------------------------------


def products(kernels):
    """Each role of A, transposes, element types and widths; with and without C."""
    for type, role, tb in itertools.product(TYPES, ("tile", "tile_t", "frag"), (True, False)):
        widths = (8, 64, 80, 128, 256) if tb else (64, 128, 256)
        for n, k in itertools.product(widths, (64, 128)):
            name = f"mma_{role}_{'nk' if tb else 'kn'}_{n}x{k}_{type}"
            a_shape = (k, 64) if role == "tile_t" else (64, k)
            b_shape = (n, k) if tb else (k, n)
            a_tile, b_tile = tile(type, *a_shape), tile(type, *b_shape)
            frag = f"vector<64x{n}xf32>"
            a_memref, b_memref = memref(type, *a_shape), memref(type, *b_shape)
            flags = (" transpose_a" if role == "tile_t" else "") + (" transpose_b" if tb else "")
            load, a, a_type = "", "%a_tile", a_tile
            if role == "frag":
                a, a_type = "%a_frag", f"vector<64x{k}x{type}>"
                load = f"  %a_frag = attn_gpu.load_fragment %a_tile : {a_tile} -> {a_type}\n"
            body = f"""  %a_tile = attn_gpu.read %a[%c0, %c0] : {a_memref} -> {a_tile}
  %b_tile = attn_gpu.read %b[%c0, %c0] : {b_memref} -> {b_tile}
{load}  %one_started = attn_gpu.mma {a}, %b_tile{flags} : {a_type}, {b_tile} -> {frag}
  %one = attn_gpu.mma_wait %one_started : {frag}
  attn_gpu.write %one to %to[%c0, %c0] : {frag}, {memref('f32', 128, n)}
  %half = arith.constant dense<0.5> : {frag}
  %c = arith.mulf %one, %half : {frag}
  %two_started = attn_gpu.mma {a}, %b_tile acc %c{flags} : {a_type}, {b_tile} -> {frag}
  %two = attn_gpu.mma_wait %two_started : {frag}
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : {frag}, {memref('f32', 128, n)}"""
            text = kernel(
                name,
                [("a", a_memref), ("b", b_memref), ("to", memref("f32", 128, n))],
                body,
            )

            def cases(rng):
                av, bv = integers(rng, *a_shape), integers(rng, *b_shape)
                product = (av.T if role == "tile_t" else av) @ (bv.T if tb else bv)
                return [
                        Case(
                            "integers",
                            [
                                Tensor(type, a_shape, values=av),
                                Tensor(type, b_shape, values=bv),
                                Tensor("f32", (128, n)),
                            ],
                            {2: np.concatenate([product, 1.5 * product])},
                        )
                    ]

            kernels.add(f"products_{role}_{'nk' if tb else 'kn'}", name, text, cases)


def subtile_products(kernels):
    """Each of two warpgroups takes its rows of A, and half of the rows of B."""
    type = "bf16"
    a_tile, a_part = tile(type, 128, 128), tile(type, 64, 128, 128)
    b_tile, b_part = tile(type, 256, 128), tile(type, 128, 128, 256)
    frag = "vector<64x128xf32>"
    body = f"""  %a_tile = attn_gpu.read %a[%c0, %c0] : {memref(type, 128, 128)} -> {a_tile}
  %b_tile = attn_gpu.read %b[%c0, %c0] : {memref(type, 256, 128)} -> {b_tile}
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %w, %c64 : index
  %b_row = arith.muli %w, %c128 : index
  %a_mine = attn_gpu.subtile %a_tile[%row] : {a_tile} -> {a_part}
  %b_mine = attn_gpu.subtile %b_tile[%b_row] : {b_tile} -> {b_part}
  %s = attn_gpu.mma %a_mine, %b_mine transpose_b : {a_part}, {b_part} -> {frag}
  %t = attn_gpu.mma %a_mine, %b_mine : {a_part}, {b_part} -> {frag}
  %x = attn_gpu.mma_wait %s pending 1 : {frag}
  attn_gpu.write %x to %to[%row, %c0] : {frag}, {memref('f32', 256, 128)}
  %y = attn_gpu.mma_wait %t : {frag}
  %row2 = arith.addi %row, %c128 : index
  attn_gpu.write %y to %to[%row2, %c0] : {frag}, {memref('f32', 256, 128)}"""
    text = kernel(
        "mma_subtiles",
        [("a", memref(type, 128, 128)), ("b", memref(type, 256, 128)), ("to", memref("f32", 256, 128))],
        body,
        2,
    )

    def cases(rng):
        av, bv = integers(rng, 128, 128), integers(rng, 256, 128)
        halves = [(av[:64], bv[:128]), (av[64:], bv[128:])]
        out = np.concatenate([a @ b.T for a, b in halves] + [a @ b for a, b in halves])
        return [
                Case(
                    "integers",
                    [
                        Tensor(type, (128, 128), values=av),
                        Tensor(type, (256, 128), values=bv),
                        Tensor("f32", (256, 128)),
                    ],
                    {2: out},
                )
            ]

    kernels.add("products_more", "mma_subtiles", text, cases)


def loops(kernels):
    """A plain product over a loop that reads tiles into the same buffers."""
    for type in TYPES:
        a, b = memref(type, "?", "?"), memref(type, "?", 64)
        frag = "vector<64x64xf32>"
        body = f"""  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : {frag}
  %d = memref.dim %b, %c0 : {b}
  %sum = scf.for %k = %c0 to %d step %c64 iter_args(%acc = %zero) -> ({frag}) {{
    %a_tile = attn_gpu.read %a[%c0, %k] : {a} -> {tile(type, 64, 64)}
    %b_tile = attn_gpu.read %b[%k, %c0] : {b} -> {tile(type, 64, 64)}
    %s = attn_gpu.mma %a_tile, %b_tile acc %acc : {tile(type, 64, 64)}, {tile(type, 64, 64)} -> {frag}
    %x = attn_gpu.mma_wait %s : {frag}
    scf.yield %x : {frag}
  }}
  attn_gpu.write %sum to %to[%c0, %c0] : {frag}, {memref('f32', 64, 64)}"""
        text = kernel(
            f"loop_{type}",
            [("a", a), ("b", b), ("to", memref("f32", 64, 64))],
            body,
        )

        def cases(rng):
            made = []
            for k in (0, 1, 64, 200, 640):
                av, bv = integers(rng, 50, k), integers(rng, k, 64)
                out = np.zeros((64, 64))
                out[:50] = av @ bv
                made.append(
                    Case(
                        f"depth {k}",
                        [
                            Tensor(type, (50, k), values=av),
                            Tensor(type, (k, 64), values=bv),
                            Tensor("f32", (64, 64)),
                        ],
                        {2: out},
                    )
                )
            return made

        kernels.add("products_more", f"loop_{type}", text, cases)


# Registers -------------------------------------------------------------------------


def with_fragment(type, n):
    """IR that loads a fragment of f32 from 16-bit elements, `%x`."""
    return f"""  %tile = attn_gpu.read %from[%c0, %c0] : {memref(type, 64, n)} -> {tile(type, 64, n)}
  %half = attn_gpu.load_fragment %tile : {tile(type, 64, n)} -> vector<64x{n}x{type}>
  %x = arith.extf %half : vector<64x{n}x{type}> to vector<64x{n}xf32>"""


def reductions(kernels):
    for kind, n in itertools.product(("add", "maxnumf", "minnumf"), (64, 192)):
        name = f"reduce_{kind}_{n}"
        frag = f"vector<64x{n}xf32>"
        body = f"""{with_fragment('bf16', n)}
  %all = attn_gpu.row_reduce <{kind}> %x : {frag} -> vector<64x1xf32>
  %parts = attn_gpu.row_reduce <{kind}> %x : {frag} -> vector<64x4xf32>
  %two = arith.constant dense<2.0> : vector<64x4xf32>
  %doubled = arith.mulf %parts, %two : vector<64x4xf32>
  %later = attn_gpu.row_reduce <{kind}> %doubled : vector<64x4xf32> -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %all to %to[%c0, %c0] : vector<64x1xf32>, {memref('f32', 64, 2)}
  attn_gpu.write %later to %to[%c0, %c1] : vector<64x1xf32>, {memref('f32', 64, 2)}"""
        text = kernel(name, [("from", memref("bf16", 64, n)), ("to", memref("f32", 64, 2))], body)

        def cases(rng):
            values = integers(rng, 64, n, high=100)
            reduce = {"add": np.sum, "maxnumf": np.max, "minnumf": np.min}[kind](values, axis=1)
            return [
                    Case(
                        "integers",
                        [Tensor("bf16", (64, n), values=values), Tensor("f32", (64, 2))],
                        {1: np.stack([reduce, 2 * reduce], axis=1)},
                    )
                ]

        kernels.add("registers", name, text, cases)


def narrow_reductions(kernels):
    """Fragments of fewer columns than chains: from products, the only source."""
    for n in (8, 16, 24):
        name = f"reduce_narrow_{n}"
        frag = f"vector<64x{n}xf32>"
        a, b = tile("f16", 64, 64), tile("f16", n, 64)
        body = f"""  %a_tile = attn_gpu.read %a[%c0, %c0] : {memref('f16', 64, 64)} -> {a}
  %b_tile = attn_gpu.read %b[%c0, %c0] : {memref('f16', n, 64)} -> {b}
  %s = attn_gpu.mma %a_tile, %b_tile transpose_b : {a}, {b} -> {frag}
  %x = attn_gpu.mma_wait %s : {frag}
  %sum = attn_gpu.row_reduce <add> %x : {frag} -> vector<64x1xf32>
  %max = attn_gpu.row_reduce <maxnumf> %x : {frag} -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %sum to %to[%c0, %c0] : vector<64x1xf32>, {memref('f32', 64, 2)}
  attn_gpu.write %max to %to[%c0, %c1] : vector<64x1xf32>, {memref('f32', 64, 2)}"""
        text = kernel(
            name,
            [("a", memref("f16", 64, 64)), ("b", memref("f16", n, 64)), ("to", memref("f32", 64, 2))],
            body,
        )

        def cases(rng):
            av, bv = integers(rng, 64, 64), integers(rng, n, 64)
            product = av @ bv.T
            return [
                    Case(
                        "integers",
                        [
                            Tensor("f16", (64, 64), values=av),
                            Tensor("f16", (n, 64), values=bv),
                            Tensor("f32", (64, 2)),
                        ],
                        {2: np.stack([product.sum(1), product.max(1)], axis=1)},
                    )
                ]

        kernels.add("registers", name, text, cases)


def functions(kernels):
    """The hardware's functions against f64, and conversions to 16 bits."""
    n = 64
    frag = f"vector<64x{n}xf32>"
    tensor = memref("f32", 64, n)
    for name, code, expect, low, high, rtol, atol in (
        ("exp2", "%y = math.exp2 %x : F", lambda x: np.exp2(x), -100, 100, 4e-7, 0),
        ("log2", "%a = math.absf %x : F\n  %y = math.log2 %a : F", lambda x: np.log2(np.abs(x)), 1, 1000, 3e-7, 3e-7),
        ("sqrt", "%a = math.absf %x : F\n  %y = math.sqrt %a : F", lambda x: np.sqrt(np.abs(x)), 1, 1000, 3e-7, 0),
        ("div", "%t = arith.constant dense<3.7> : F\n  %y = arith.divf %t, %x : F", lambda x: np.float64(np.float32(3.7)) / x, 1, 1000, 4e-7, 0),
        ("max0", "%z = arith.constant dense<0.0> : F\n  %y = arith.maxnumf %x, %z : F", lambda x: np.maximum(x, 0), -10, 10, 0, 0),
        ("fma", "%t = arith.constant dense<0.5> : F\n  %y = math.fma %x, %t, %x : F", lambda x: 1.5 * x, -10, 10, 0, 0),
    ):
        body = f"""{with_fragment('bf16', n)}
  {code.replace('F', frag)}
  attn_gpu.write %y to %to[%c0, %c0] : {frag}, {tensor}"""
        text = kernel(name, [("from", memref("bf16", 64, n)), ("to", tensor)], body)

        def cases(rng):
            values = rounded(rng.uniform(low, high, (64, n)), "bf16").astype(np.float64)
            return [
                    Case(
                        "uniform",
                        [Tensor("bf16", (64, n), values=values), Tensor("f32", (64, n))],
                        {1: expect(values)},
                        rtol=rtol,
                        atol=atol,
                    )
                ]

        kernels.add("functions", name, text, cases)
    for type in TYPES:
        name = f"round_{type}"
        out = memref(type, 64, n)
        body = f"""{with_fragment('bf16', n)}
  %third = arith.constant dense<0.33333334> : {frag}
  %y = arith.mulf %x, %third : {frag}
  %z = arith.truncf %y : {frag} to vector<64x{n}x{type}>
  attn_gpu.write %z to %to[%c0, %c0] : vector<64x{n}x{type}>, {out}"""
        text = kernel(name, [("from", memref("bf16", 64, n)), ("to", out)], body)

        def cases(rng):
            values = rounded(rng.uniform(-10, 10, (64, n)), "bf16")
            third = values * np.float32(0.33333334)
            return [
                    Case(
                        "uniform",
                        [Tensor("bf16", (64, n), values=values), Tensor(type, (64, n))],
                        {1: rounded(third, type)},
                    )
                ]

        kernels.add("functions", name, text, cases)


def masks(kernels):
    """Positions, comparisons and selections, with index and i32."""
    n = 64
    for type in ("index", "i32"):
        cast = "%s = arith.index_cast %shift : index to i32" if type == "i32" else "%z = arith.constant 0 : index\n  %s = arith.addi %shift, %z : index"
        frag, ints = f"vector<64x{n}xf32>", f"vector<64x{n}x{type}>"
        body = f"""{with_fragment('bf16', n)}
  {cast}
  %i = attn_gpu.iota : vector<64x1x{type}>
  %j = attn_gpu.iota : vector<1x{n}x{type}>
  %is = vector.broadcast %i : vector<64x1x{type}> to {ints}
  %js = vector.broadcast %j : vector<1x{n}x{type}> to {ints}
  %ss = vector.broadcast %s : {type} to {ints}
  %last = arith.addi %is, %ss : {ints}
  %seen = arith.cmpi sle, %js, %last : {ints}
  %none = arith.constant dense<-1.0> : {frag}
  %y = arith.select %seen, %x, %none : vector<64x{n}xi1>, {frag}
  attn_gpu.write %y to %to[%c0, %c0] : {frag}, {memref('f32', 64, n)}"""
        name = f"mask_{type}"
        text = kernel(
            name,
            [("from", memref("bf16", 64, n)), ("to", memref("f32", 64, n)), ("shift", "index")],
            body,
        )

        def cases(rng):
            values = integers(rng, 64, n, high=100)
            made = []
            for shift in (0, 5, -10, -100, 100):
                seen = np.arange(n)[None, :] <= np.arange(64)[:, None] + shift
                made.append(
                    Case(
                        f"shift {shift}",
                        [Tensor("bf16", (64, n), values=values), Tensor("f32", (64, n)), shift],
                        {1: np.where(seen, values, -1.0)},
                    )
                )
            return made

        kernels.add("registers", name, text, cases)


def control(kernels):
    """scf.if and scf.while around fragments; each thread of a row the same."""
    row = "vector<64x1xf32>"
    body = f"""  %i = attn_gpu.iota : vector<64x1xi32>
  %x = arith.sitofp %i : vector<64x1xi32> to {row}
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %big = arith.cmpi sgt, %n, %c3 : index
  %y = scf.if %big -> ({row}) {{
    %t = arith.constant dense<10.0> : {row}
    %u = arith.mulf %x, %t : {row}
    scf.yield %u : {row}
  }} else {{
    scf.yield %x : {row}
  }}
  %z, %m = scf.while (%v = %y, %k = %n) : ({row}, index) -> ({row}, index) {{
    %more = arith.cmpi sgt, %k, %c0 : index
    scf.condition(%more) %v, %k : {row}, index
  }} do {{
  ^bb0(%v: {row}, %k: index):
    %one = arith.constant dense<1.0> : {row}
    %next = arith.addf %v, %one : {row}
    %less = arith.subi %k, %c1 : index
    scf.yield %next, %less : {row}, index
  }}
  attn_gpu.write %z to %to[%c0, %c0] : {row}, {memref('f32', 64, 1)}"""
    text = kernel("control", [("to", memref("f32", 64, 1)), ("n", "index")], body)

    def cases(rng):
        made = []
        for n in (-1, 0, 3, 4, 9):
            out = np.arange(64.0) * (10 if n > 3 else 1) + max(n, 0)
            made.append(Case(f"n {n}", [Tensor("f32", (64, 1)), n], {0: out[:, None]}))
        return made

    kernels.add("registers", "control", text, cases)


# Work ------------------------------------------------------------------------------


def work(kernels):
    """Each point once, blocks beyond the last do nothing."""
    for descending in ("", " descending [0]", " descending [1, 2]"):
        name = "work" + descending.replace(" descending ", "_").translate(str.maketrans("", "", "[], "))
        tensor = memref("f32", "?", "?", "?", 1)
        body = f"""  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c){descending} {{
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %row = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %row, %c0] : vector<64x1xf32>, {tensor}
  }}"""
        text = kernel(
            name, [("to", tensor)] + [(n, "index") for n in ("a", "b", "c")], body
        )

        def cases(rng):
            made = []
            for a, b, c, grid in ((2, 3, 4, 24), (1, 1, 1, 7), (3, 1, 5, 40), (2, 0, 3, 5), (5, 7, 1, 35)):
                out = np.repeat(np.arange(a * b * c, dtype=np.float64), 64).reshape(a, b, c * 64, 1)
                made.append(
                    Case(f"{a} {b} {c}", [Tensor("f32", (a, b, c * 64, 1)), a, b, c], {0: out}, grid)
                )
            return made

        kernels.add("work", name, text, cases)


# Rings -----------------------------------------------------------------------------


def ring(tile_type, stages):
    return f"!attn_gpu.ring<{stages} x {tile_type}>"


def ring_copies(kernels):
    """ring_fill -> ring_wait -> load_fragment -> write, as `copies` with what the
    copy engine takes: base and strides in multiples of 16 bytes."""
    shapes = ((64, 64), (64, 128), (64, 256), (128, 128), (128, 192), (192, 64), (320, 64))
    for type, (rows, columns) in itertools.product(TYPES, shapes):
        groups = rows // 64
        source, part = tile(type, rows, columns), tile(type, 64, columns, rows)
        if groups == 1:
            part = source
        r, tensor = ring(source, 1), memref(type, "?", "?")
        name = f"ring_copy_{rows}x{columns}_{type}"
        body = f"""  %ring = attn_gpu.ring_create : {r}
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : {r}, {tensor}
  %tile = attn_gpu.ring_wait %ring[%c0] : {r}
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : {source} -> {part}
  %x = attn_gpu.load_fragment %mine : {part} -> vector<64x{columns}x{type}>
  attn_gpu.ring_release %ring[%c0] : {r}
  attn_gpu.write %x to %to[%first, %c0] : vector<64x{columns}x{type}>, {tensor}"""
        text = kernel(name, [("from", tensor), ("to", tensor), ("r", "index"), ("c", "index")], body, groups)

        def cases(rng):
            made = []
            # shape and row stride of the source, lead; box.
            for label, src, at in (
                ("whole", (rows, columns, columns, 0), (0, 0)),
                ("inside", (400, 320, 328, 8), (40, 8)),
                ("odd columns", (400, 320, 328, 16), (3, 5)),
                ("last rows", (rows + 13, columns, columns, 0), (rows, 0)),
                ("last columns", (rows, columns + 24, columns + 24, 0), (0, columns)),
                ("ragged columns", (rows, columns - 3, columns, 0), (0, 0)),
                ("before rows", (90, columns, columns, 0), (-7, 0)),
                ("before columns", (rows, columns, columns, 0), (0, -9)),
                ("all outside", (16, 64, 64, 0), (16, 0)),
                ("far outside", (16, 64, 64, 0), (1 << 30, -(1 << 30))),
                ("one row", (1, columns, columns, 0), (0, 0)),
            ):
                values = integers(rng, src[0], src[1], high=100)
                made.append(
                    Case(
                        label,
                        [
                            Tensor(type, src[:2], (src[2], 1), src[3], values),
                            Tensor(type, (rows, columns)),
                            *at,
                        ],
                        {1: window(values, *at, rows, columns)},
                    )
                )
            return made

        kernels.add("ring_copies", name, text, cases)


def ring_ranks(kernels):
    """Each rank, rows along each dimension but the last."""
    type = "bf16"
    source, frag = tile(type, 64, 128), f"vector<64x128x{type}>"
    r, out = ring(source, 1), memref(type, 64, 128)
    for rank in (2, 3, 4, 5):
        for row_dim in range(rank - 1):
            name = f"ring_rank{rank}_row{row_dim}"
            tensor = memref(type, *["?"] * rank)
            at = [f"i{d}" for d in range(rank)]
            body = f"""  %ring = attn_gpu.ring_create : {r}
  attn_gpu.ring_fill %ring[%c0] from %from[{', '.join('%' + a for a in at)}] row_dim {row_dim} : {r}, {tensor}
  %tile = attn_gpu.ring_wait %ring[%c0] : {r}
  %x = attn_gpu.load_fragment %tile : {source} -> {frag}
  attn_gpu.ring_release %ring[%c0] : {r}
  attn_gpu.write %x to %to[%c0, %c0] : {frag}, {out}"""
            text = kernel(name, [("from", tensor), ("to", out)] + [(a, "index") for a in at], body)

            def cases(rng, rank=rank, row_dim=row_dim):
                extents = [3, 2, 4, 3][: rank - 1] + [150]
                extents[row_dim] = 100
                strides, step = [1], 152
                for extent in reversed(extents[:-1]):
                    strides.insert(0, step)
                    step = step * extent + 8
                made = []
                for label, shift in (("inside", 0), ("ragged", 60), ("before", -20), ("outside", None)):
                    values = integers(rng, *extents, high=100)
                    place = [extent // 2 for extent in extents]
                    place[-1], place[row_dim] = 10, 5 if shift is None else shift
                    if shift is None:
                        # Beyond along a dimension that is neither, or along the rows.
                        others = [d for d in range(rank - 1) if d != row_dim]
                        place[others[0] if others else row_dim] = 100
                    box = np.zeros((64, 128))
                    for i in range(64):
                        row = list(place[:-1])
                        row[row_dim] += i
                        if all(0 <= p < e for p, e in zip(row, extents)):
                            line = values[tuple(row)][10 : 10 + 128]
                            box[i, : len(line)] = line
                    made.append(
                        Case(
                            label,
                            [Tensor(type, tuple(extents), tuple(strides), 8, values), Tensor(type, (64, 128)), *place],
                            {1: box},
                        )
                    )
                return made

            kernels.add("ring_ranks", name, text, cases)


def ring_loops(kernels):
    """Stages used again and again; fills that run ahead; two loops over one ring."""
    type = "f16"
    t, frag = tile(type, 128, 64), f"vector<64x64x{type}>"
    part = tile(type, 64, 64, 128)
    tensor = memref(type, "?", 64)
    for stages, ahead in ((1, 0), (2, 0), (2, 1), (3, 2), (4, 3), (5, 0), (8, 7)):
        r = ring(t, stages)
        name = f"ring_loop_{stages}_{ahead}"
        prologue = "".join(
            f"""  %a{i} = arith.constant {i} : index
  %ar{i} = arith.muli %a{i}, %c128 : index
  attn_gpu.ring_fill %ring[%a{i}] from %from[%ar{i}, %c0] : {r}, {tensor}
"""
            for i in range(ahead)
        )
        step = lambda: f"""    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : {r}, {tensor}
    %tile = attn_gpu.ring_wait %ring[%i] : {r}
    %mine = attn_gpu.subtile %tile[%first] : {t} -> {part}
    %x = attn_gpu.load_fragment %mine : {part} -> {frag}
    attn_gpu.ring_release %ring[%i] : {r}
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : {frag}, {tensor}"""
        body = f"""  %ring = attn_gpu.ring_create : {r}
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ahead = arith.constant {ahead} : index
  %w = attn_gpu.warpgroup_index
  %first = arith.muli %w, %c64 : index
{prologue}  %middle = arith.minsi %n, %c3 : index
  scf.for %i = %c0 to %middle step %c1 {{
{step()}
  }}
  scf.for %i = %middle to %n step %c1 {{
{step()}
  }}"""
        # Copies that nobody waits for must have landed before the block ends.
        for i in range(ahead):
            body += f"""
  %e{i} = arith.addi %n, %a{i} : index
  %et{i} = attn_gpu.ring_wait %ring[%e{i}] : {r}
  attn_gpu.ring_release %ring[%e{i}] : {r}"""
        text = kernel(name, [("from", tensor), ("to", tensor), ("n", "index")], body, 2)

        def cases(rng):
            made = []
            for n in (0, 1, 2, 3, 7, 40):
                values = integers(rng, 128 * n + 20, 64, high=100)
                made.append(
                    Case(
                        f"{n} tiles",
                        [Tensor(type, (128 * n + 20, 64), values=values), Tensor(type, (128 * n, 64)), n],
                        {1: values[: 128 * n]},
                    )
                )
            return made

        kernels.add("ring_loops", name, text, cases)


def rings_and_reads(kernels):
    """A product of a tile that all threads read and one that comes by a ring."""
    type, frag = "bf16", "vector<64x64xf32>"
    t = tile(type, 64, 64)
    r, tensor = ring(t, 2), memref(type, "?", 64)
    body = f"""  %ring = attn_gpu.ring_create : {r}
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c1 {{
    %row = arith.muli %i, %c64 : index
    attn_gpu.ring_fill %ring[%i] from %b[%row, %c0] : {r}, {tensor}
    %a_tile = attn_gpu.read %a[%row, %c0] : {tensor} -> {t}
    %b_tile = attn_gpu.ring_wait %ring[%i] : {r}
    %started = attn_gpu.mma %a_tile, %b_tile : {t}, {t} -> {frag}
    %s = attn_gpu.mma_wait %started : {frag}
    attn_gpu.ring_release %ring[%i] : {r}
    attn_gpu.write %s to %to[%row, %c0] : {frag}, {memref('f32', '?', 64)}
  }}"""
    text = kernel(
        "rings_and_reads",
        [("a", tensor), ("b", tensor), ("to", memref("f32", "?", 64)), ("n", "index")],
        body,
    )

    def cases(rng):
        n = 5
        a, b = integers(rng, n, 64, 64), integers(rng, n, 64, 64)
        return [
            Case(
                "integers",
                [
                    Tensor(type, (64 * n, 64), values=a.reshape(-1, 64)),
                    Tensor(type, (64 * n, 64), values=b.reshape(-1, 64)),
                    Tensor("f32", (64 * n, 64)),
                    n,
                ],
                {2: (a @ b).reshape(-1, 64)},
            )
        ]

    kernels.add("rings_and_reads", "rings_and_reads", text, cases)


# Roles -----------------------------------------------------------------------------

REGISTERS = {1: (56, 256), 2: (40, 232), 3: (32, 160), 4: (24, 112)}


def roles(kernels):
    """A producer fills two rings; each consumer multiplies its rows, all at once or
    in turns, with two products in flight."""
    type = "bf16"
    for consumers, stages, turns in itertools.product((1, 2, 3, 4), (1, 2, 3), (False, True)):
        rows = 64 * consumers
        a, b = tile(type, rows, 64), tile(type, 64, 64)
        part = tile(type, 64, 64, rows)
        frag = "vector<64x64xf32>"
        ra, rb = ring(a, stages), ring(b, stages)
        tensor, out = memref(type, "?", 64), memref("f32", "?", 64)
        wait, give = ("attn_gpu.turn_wait", "attn_gpu.turn_pass") if turns else ("", "")
        producer, consumer = REGISTERS[consumers]
        name = f"roles_{consumers}_{stages}{'_turns' if turns else ''}"
        body = f"""  %ring_a = attn_gpu.ring_create : {ra}
  %ring_b = attn_gpu.ring_create : {rb}
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant {rows} : index
  attn_gpu.warp_specialize producer {producer} {{
    attn_gpu.work_loop (%block) in (%blocks) {{
      scf.for %i = %c0 to %n step %c1 {{
        %a_row = arith.muli %i, %rows : index
        %b_row = arith.muli %i, %c64 : index
        attn_gpu.ring_fill %ring_a[%i] from %a[%a_row, %c0] : {ra}, {tensor}
        attn_gpu.ring_fill %ring_b[%i] from %b[%b_row, %c0] : {rb}, {tensor}
      }}
    }}
  }} consumers {consumer} {{
    attn_gpu.work_loop (%block) in (%blocks) {{
      %zero = arith.constant dense<0.0> : {frag}
      %w = attn_gpu.warpgroup_index
      %first = arith.muli %w, %c64 : index
      %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %zero, %v = %zero) -> ({frag}, {frag}) {{
        %a_tile = attn_gpu.ring_wait %ring_a[%i] : {ra}
        %mine = attn_gpu.subtile %a_tile[%first] : {a} -> {part}
        %b_tile = attn_gpu.ring_wait %ring_b[%i] : {rb}
        {wait}
        %p = attn_gpu.mma %mine, %b_tile acc %u : {part}, {b} -> {frag}
        %q = attn_gpu.mma %mine, %b_tile acc %v transpose_b : {part}, {b} -> {frag}
        {give}
        %x = attn_gpu.mma_wait %p pending 1 : {frag}
        %x2 = arith.addf %x, %x : {frag}
        %y = attn_gpu.mma_wait %q : {frag}
        attn_gpu.ring_release %ring_a[%i] : {ra}
        attn_gpu.ring_release %ring_b[%i] : {rb}
        %half = arith.constant dense<0.5> : {frag}
        %x1 = arith.mulf %x2, %half : {frag}
        scf.yield %x1, %y : {frag}, {frag}
      }}
      %all = arith.muli %block, %rows : index
      %row = arith.addi %all, %first : index
      attn_gpu.write %sums#0 to %to[%row, %c0] : {frag}, {out}
      attn_gpu.write %sums#1 to %to_t[%row, %c0] : {frag}, {out}
    }}
  }}"""
        text = kernel(
            name,
            [("a", tensor), ("b", tensor), ("to", out), ("to_t", out), ("n", "index"), ("blocks", "index")],
            body,
            consumers,
        )

        def cases(rng, rows=rows):
            made = []
            for n, blocks, grid in ((0, 1, 1), (1, 1, 3), (2, 2, 2), (13, 300, 300)):
                av, bv = integers(rng, n, rows, 64, high=2), integers(rng, n, 64, 64, high=2)
                sums = [np.tile(s.sum(0), (blocks, 1)) for s in (av @ bv, av @ bv.transpose(0, 2, 1))]
                # A tensor without elements has no map; the product of none is 0.
                size = max(n, 1)
                av, bv = (np.resize(x, (size * x.shape[1], 64)) if n else np.ones((x.shape[1], 64)) for x in (av, bv))
                made.append(
                    Case(
                        f"{n} steps, {blocks} of {grid} blocks",
                        [
                            Tensor(type, av.shape, values=av),
                            Tensor(type, bv.shape, values=bv),
                            Tensor("f32", (blocks * rows, 64)),
                            Tensor("f32", (blocks * rows, 64)),
                            n,
                            blocks,
                        ],
                        {2: sums[0], 3: sums[1]},
                        grid,
                    )
                )
            return made

        kernels.add(f"roles_{consumers}", name, text, cases)


def turns(kernels):
    """All consumers write one place, the earlier ones after more work: the turns
    alone say whose value is the last."""
    row = "vector<64x1xf32>"
    for consumers, with_roles in itertools.product((2, 3, 4), (False, True)):
        name = f"turns_{consumers}{'_roles' if with_roles else ''}"
        program = f"""  %c1 = arith.constant 1 : index
  %many = arith.constant {consumers} : index
  %last = arith.constant {consumers - 1} : index
  %w = attn_gpu.warpgroup_index
  scf.for %i = %c0 to %n step %c1 {{
    %before = arith.subi %last, %w : index
    %c500 = arith.constant 500 : index
    %delay = arith.muli %before, %c500 : index
    %one = arith.constant dense<0.7> : {row}
    %slow = scf.for %j = %c0 to %delay step %c1 iter_args(%x = %one) -> ({row}) {{
      %y = math.exp2 %x : {row}
      %minus = arith.negf %y : {row}
      %z = math.exp2 %minus : {row}
      scf.yield %z : {row}
    }}
    %zero = arith.constant dense<0.0> : {row}
    %nothing = arith.mulf %slow, %zero : {row}
    attn_gpu.turn_wait
    %all = arith.muli %i, %many : index
    %k = arith.addi %all, %w : index
    %k32 = arith.index_cast %k : index to i32
    %f = arith.sitofp %k32 : i32 to f32
    %v = vector.broadcast %f : f32 to {row}
    %u = arith.addf %v, %nothing : {row}
    attn_gpu.write %u to %to[%c0, %c0] : {row}, {memref('f32', 64, 1)}
    attn_gpu.turn_pass
  }}"""
        body = program
        if with_roles:
            producer, consumer = REGISTERS[consumers]
            body = f"""  attn_gpu.warp_specialize producer {producer} {{
  }} consumers {consumer} {{
{program}
  }}"""
        text = kernel(name, [("to", memref("f32", 64, 1)), ("n", "index")], body, consumers)

        def cases(rng, consumers=consumers):
            return [
                Case(
                    f"{n} rounds",
                    [Tensor("f32", (64, 1)), n],
                    {0: np.full((64, 1), float(n * consumers - 1) if n else NAN)},
                )
                for n in (0, 1, 2, 9)
            ]

        kernels.add("turns", name, text, cases)


# Attention -------------------------------------------------------------------------


def attention(kernels):
    """The causal kernel that shows the dialect (test/Dialect/AttnGPU/ops.mlir)."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "../../Dialect/AttnGPU/ops.mlir")) as f:
        text = f.read()

    def cases(rng):
        made = []
        for b, h, sq, sk in ((1, 1, 128, 128), (2, 3, 200, 200), (1, 2, 77, 300), (1, 1, 1024, 1024), (1, 2, 130, 60)):
            q, k, v = (
                rounded(rng.standard_normal(s), "bf16").astype(np.float64)
                for s in ((b, h, sq, 64), (b, h, sk, 64), (b, h, sk, 64))
            )
            scale = 1 / 8.0
            s = np.einsum("bhid,bhjd->bhij", q, k) * scale
            seen = np.arange(sk)[None, :] <= np.arange(sq)[:, None] + sk - sq
            s = np.where(seen, s, -np.inf)
            m = s.max(-1, keepdims=True)
            p = np.where(seen, np.exp(s - np.where(np.isinf(m), 0, m)), 0)
            total = p.sum(-1, keepdims=True)
            with np.errstate(divide="ignore", invalid="ignore"):
                out = np.where(total == 0, 0, p @ v / total)
                lse = np.where(total == 0, -np.inf, m + np.log(total))
            factor = np.float32(scale * np.log2(np.e))
            tiles = -(-sq // 128)
            made.append(
                Case(
                    f"{b} {h} {sq} {sk}",
                    [
                        Tensor("bf16", (b, h, sq, 64), (h * sq * 64, 64, h * 64, 1), values=q),
                        Tensor("bf16", (b, h, sk, 64), values=k),
                        Tensor("bf16", (b, h, sk, 64), values=v),
                        Tensor("bf16", (b, h, sq, 64)),
                        Tensor("f32", (b, h, sq, 1)),
                        b,
                        h,
                        sq,
                        sk,
                        factor,
                    ],
                    {3: out, 4: lse},
                    b * h * tiles,
                    atol=8e-3,
                    rtol=8e-3,
                )
            )
        return made

    kernels.add("attention", "attention", text, cases)


def make_kernels(with_cases):
    kernels = Kernels(with_cases)
    for family in (
        copies,
        copies_4d,
        writes_f32,
        products,
        subtile_products,
        loops,
        reductions,
        narrow_reductions,
        functions,
        masks,
        control,
        work,
        ring_copies,
        ring_ranks,
        ring_loops,
        rings_and_reads,
        roles,
        turns,
        attention,
    ):
        family(kernels)
    return kernels


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for module, texts in make_kernels(with_cases=False).modules.items():
        with open(os.path.join(sys.argv[1], module + ".mlir"), "w") as out:
            out.write("\n".join(texts))
