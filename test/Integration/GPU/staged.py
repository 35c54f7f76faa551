"""Kernels whose results go through shared memory."""

import itertools

from builders import NAN, TYPES, integers, kernel, memref, place, tile, window

try:
    import numpy as np
    from tensors import Case, Tensor
except ModuleNotFoundError:
    np = None


def staged_copies(kernels):
    """read -> load_fragment -> store_fragment -> copy_out, with what the copy
    engine takes: base, strides, rows and first column in multiples of 16 bytes, no
    offset below 0."""
    for type, groups, columns in itertools.product(TYPES, (1, 2, 3), (64, 128, 256)):
        rows = 64 * groups
        source, part = tile(type, rows, columns), tile(type, 64, columns, rows)
        if groups == 1:
            part = source
        tensor, frag = memref(type, "?", "?"), f"vector<64x{columns}x{type}>"
        name = f"staged_{rows}x{columns}_{type}"
        body = f"""  %stage = attn_gpu.tile_create : {source}
  %tile = attn_gpu.read %from[%c0, %c0] : {tensor} -> {source}
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : {source} -> {part}
  %x = attn_gpu.load_fragment %mine : {part} -> {frag}
  %rows = attn_gpu.subtile %stage[%first] : {source} -> {part}
  attn_gpu.store_fragment %x to %rows : {frag}, {part}
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : {part}, {tensor}
  attn_gpu.copy_wait"""
        text = kernel(name, [("from", tensor), ("to", tensor), ("r", "index"), ("c", "index")], body, groups)

        def cases(rng, type=type, rows=rows, columns=columns):
            made = []
            for label, dst, to in (
                ("whole", (rows, columns, columns, 0), (0, 0)),
                ("inside", (400, 320, 328, 8), (40, 8)),
                ("other columns", (400, 320, 328, 16), (3, 24)),
                ("last rows", (rows + 13, columns, columns, 0), (rows, 0)),
                ("last columns", (rows, columns + 24, columns + 24, 0), (0, columns)),
                ("ragged columns", (rows, columns - 8, columns, 0), (0, 0)),
                ("all outside", (16, 64, 64, 0), (16, 0)),
                ("one row", (1, columns, columns, 0), (0, 0)),
            ):
                values = integers(rng, rows, columns, high=100)
                made.append(
                    Case(
                        label,
                        [
                            Tensor(type, (rows, columns), values=values),
                            Tensor(type, dst[:2], (dst[2], 1), dst[3]),
                            *to,
                        ],
                        {1: place(dst[:2], window(values, 0, 0, rows, columns), *to)},
                    )
                )
            return made

        kernels.add("staged_copies", name, text, cases)


def staged_loops(kernels):
    """One tile for all steps of a loop, each written when the one before has been
    read; rows along each dimension but the last."""
    type, frag = "bf16", "vector<64x64xbf16>"
    t = tile(type, 64, 64)
    for row_dim in range(4):
        tensor = memref(type, *["?"] * 5)
        at = [f"i{d}" for d in range(5)]
        name = f"staged_loop_{row_dim}"
        body = f"""  %stage = attn_gpu.tile_create : {t}
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {{
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %h = arith.truncf %f : f32 to {type}
    %x = vector.broadcast %h : {type} to {frag}
    attn_gpu.copy_wait read
    attn_gpu.store_fragment %x to %stage : {frag}, {t}
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    attn_gpu.copy_out %stage to %to[{', '.join('%at' if d == row_dim else '%c1' if d < 4 else '%c0' for d in range(5))}] row_dim {row_dim} : {t}, {tensor}
  }}
  attn_gpu.copy_wait"""
        text = kernel(name, [("to", tensor), ("n", "index")], body)

        def cases(rng, row_dim=row_dim):
            made = []
            for n, rows in ((1, 64), (5, 300), (9, 600)):
                shape = [2, 3, 2, 2, 64]
                shape[row_dim] = rows
                out = np.full(shape, NAN)
                column = np.arange(rows) // 64
                where = tuple(slice(None) if d == row_dim else 1 for d in range(4))
                out[where] = np.where(column < n, column, NAN)[:, None]
                made.append(Case(f"{n} tiles", [Tensor(type, tuple(shape)), n], {0: out}))
            return made

        kernels.add("staged_loops", name, text, cases)
