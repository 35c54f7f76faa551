"""Kernels whose tiles come by rings, and those with roles and turns."""

import itertools

from builders import NAN, TYPES, integers, kernel, memref, tile, window

try:
    import numpy as np
    from tensors import Case, Tensor
except ModuleNotFoundError:
    np = None

# Rings -----------------------------------------------------------------------------


def ring(tile_type, stages):
    return f"!attn_gpu.ring<{stages} x {tile_type}>"


def ring_copies(kernels):
    """ring_fill -> ring_wait -> load_fragment -> write, as `copies` with what the
    copy engine takes: base, strides and first column in multiples of 16 bytes."""
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
                ("other columns", (400, 320, 328, 16), (3, 24)),
                ("last rows", (rows + 13, columns, columns, 0), (rows, 0)),
                ("last columns", (rows, columns + 24, columns + 24, 0), (0, columns)),
                ("ragged columns", (rows, columns - 3, columns, 0), (0, 0)),
                ("before rows", (90, columns, columns, 0), (-7, 0)),
                ("before columns", (rows, columns, columns, 0), (0, -16)),
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
                    place[-1], place[row_dim] = 16, 5 if shift is None else shift
                    if shift is None:
                        # Beyond along a dimension that is neither, or along the rows.
                        others = [d for d in range(rank - 1) if d != row_dim]
                        place[others[0] if others else row_dim] = 100
                    box = np.zeros((64, 128))
                    for i in range(64):
                        row = list(place[:-1])
                        row[row_dim] += i
                        if all(0 <= p < e for p, e in zip(row, extents)):
                            line = values[tuple(row)][16 : 16 + 128]
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
