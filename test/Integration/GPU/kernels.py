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

from attention import passes_attention
from builders import NAN, TYPES, integers, kernel, memref, place, tile, window
from passes_products import passes_products
from staged import staged_copies, staged_loops
from rings import ring_copies, ring_loops, ring_ranks, rings_and_reads, roles, turns

try:
    import numpy as np
    from tensors import Case, Tensor, rounded
except ModuleNotFoundError:
    np = None  # Kernels can be written, but no cases made.


class Kernels:
    """What the families make: IR, and of one module, with NumPy, the cases."""

    def __init__(self, module):
        self.module = module
        self.modules = {}  # name: list of IR
        self.cases = {}  # (module, kernel): list of Case, or of Call

    def add(self, module, name, text, make_cases):
        self.modules.setdefault(module, []).append(text)
        if module == self.module:
            self.cases[module, name] = make_cases(np.random.default_rng(1))


# Reads and writes ------------------------------------------------------------------


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


def persistent_work(kernels):
    """Thread blocks that run several points: every point once, in any grid; groups
    that do not divide the points; what is carried from point to point."""
    schedules = ("once", "strided", "dynamic")
    for schedule, group, with_roles in itertools.product(schedules, (None, 1, 3, 100), (False, True)):
        name = f"work_{schedule}_{group}{'_roles' if with_roles else ''}"
        tensor, row = memref("f32", "?", "?", "?", 1), "vector<64x1xf32>"
        grouped = " group %g" if group else ""
        loop = f"""attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2]{grouped} schedule {schedule}"""
        point = f"""    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to {row}
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : {row}, {tensor}"""
        # What is carried: how many points the thread block has begun.
        counted = group == 100 and not with_roles
        begin, end, after = "", "", ""
        if counted:
            name += "_counted"
            begin = " iter_args(%m = %c0) -> (index)"
            end = """
    %c1 = arith.constant 1 : index
    %next = arith.addi %m, %c1 : index
    attn_gpu.yield %next : index"""
            after = f"""
  %n = arith.index_cast %count : index to i32
  %f = arith.sitofp %n : i32 to f32
  %x = vector.broadcast %f : f32 to {row}
  attn_gpu.write %x to %counts[%c0, %c0] : {row}, {memref('f32', '?', 1)}"""
        body = f"""  %g = arith.constant {group or 1} : index
  {'%count = ' if counted else ''}{loop}{begin} {{
{point}{end}
  }}{after}"""
        if with_roles:
            body = f"""  %g = arith.constant {group or 1} : index
  attn_gpu.warp_specialize producer 40 {{
    {loop} {{
    }}
  }} consumers 232 {{
    {loop} {{
{point}
    }}
  }}"""
        text = kernel(
            name,
            [("to", tensor), ("counts", memref("f32", "?", 1))] + [(n, "index") for n in ("a", "b", "c")],
            body,
            2 if with_roles else 1,
        )

        def cases(rng, schedule=schedule, counted=counted):
            made = []
            for a, b, c in ((2, 3, 4), (1, 1, 1), (3, 1, 5), (2, 0, 3), (5, 7, 1), (4, 3, 9)):
                points = a * b * c
                out = np.repeat(np.arange(points, dtype=np.float64), 64).reshape(a, b, c * 64, 1)
                grids = {max(points, 1), points + 3}
                if schedule != "once":
                    grids |= {1, 2, 7}
                for grid in sorted(grids):
                    expected = {0: out}
                    if counted:
                        # Several blocks would all write theirs.
                        if grid != 1:
                            continue
                        expected[1] = np.full((64, 1), float(points))
                    made.append(
                        Case(
                            f"{a} {b} {c} in {grid}",
                            [Tensor("f32", (a, b, c * 64, 1)), Tensor("f32", (64, 1)), a, b, c],
                            expected,
                            grid,
                        )
                    )
            return made

        kernels.add("persistent_work", name, text, cases)


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


def make_kernels(cases_of=None):
    """All modules, and the cases of one."""
    kernels = Kernels(cases_of)
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
        persistent_work,
        staged_copies,
        staged_loops,
        ring_copies,
        ring_ranks,
        ring_loops,
        rings_and_reads,
        roles,
        turns,
        attention,
        passes_attention,
        passes_products,
    ):
        family(kernels)
    return kernels


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for module, texts in make_kernels().modules.items():
        with open(os.path.join(sys.argv[1], module + ".mlir"), "w") as out:
            out.write("\n".join(texts))
