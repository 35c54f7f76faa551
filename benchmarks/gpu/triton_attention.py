"""Flash attention as one would write it in Triton: a peer of the benchmarks.

A program per query tile; keys and values come by tensor descriptors (the copy
engine), Triton's own pipelining overlaps them with the products. Key tiles that the
mask leaves alone are walked without it. Tile sizes, warps and stages are tuned for
each length. Gives the log-sum-exp, too, as compiled attention does.
"""

import math

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

# By extent of a head: rows of a query tile, of a key tile, warps, stages.
TILES = {
    64: [(128, 128, 8, 2), (128, 128, 8, 3), (128, 64, 4, 3), (128, 64, 8, 3), (64, 128, 4, 3)],
    128: [(128, 128, 8, 2), (128, 128, 8, 3), (128, 64, 8, 2), (128, 64, 8, 3), (64, 128, 4, 2), (64, 64, 4, 3)],
    256: [(128, 64, 8, 2), (128, 32, 8, 2), (128, 32, 8, 3), (64, 64, 4, 2), (64, 32, 4, 3)],
}


def set_boxes(arguments):
    """What of a tensor a descriptor copies at a time follows from the tiles."""
    rows, keys, dim = (arguments[name] for name in ("ROWS", "KEYS", "DIM"))
    for name, extent in (("q", rows), ("k", keys), ("v", keys), ("out", rows)):
        arguments[name].block_shape = [1, 1, extent, dim]


CONFIGS = {
    dim: [
        triton.Config({"ROWS": rows, "KEYS": keys}, num_warps=warps, num_stages=stages, pre_hook=set_boxes)
        for rows, keys, warps, stages in tiles
    ]
    for dim, tiles in TILES.items()
}


@triton.jit
def walk(acc, total, top, queries, k, v, batch, kv_head, first, last, positions, keys, left, factor,
         MASK: tl.constexpr, MASKED: tl.constexpr, KEYS: tl.constexpr, DIM: tl.constexpr):
    """Online softmax over the key tiles from `first` to before `last`. `top` is the
    largest score, times `factor`, of each row."""
    for start in tl.range(first, last, KEYS):
        key_tile = k.load([batch, kv_head, start, 0]).reshape(KEYS, DIM)
        scores = tl.dot(queries, key_tile.T)
        if MASKED:
            columns = start + tl.arange(0, KEYS)[None, :]
            seen = columns < keys
            if MASK != "full":
                seen = seen & (columns <= positions[:, None])
            if MASK == "window":
                seen = seen & (columns >= positions[:, None] - left)
            scores = tl.where(seen, scores, float("-inf"))
        new_top = tl.maximum(top, tl.max(scores, 1) * factor)
        base = new_top
        if MASKED:
            # A row that has seen no key yet.
            base = tl.where(new_top == float("-inf"), 0.0, new_top)
        weights = tl.exp2(scores * factor - base[:, None])
        rescale = tl.exp2(top - base)
        total = total * rescale + tl.sum(weights, 1)
        acc = acc * rescale[:, None]
        values = v.load([batch, kv_head, start, 0]).reshape(KEYS, DIM)
        acc = tl.dot(weights.to(values.dtype), values, acc)
        top = new_top
    return acc, total, top


@triton.jit
def attention(q, k, v, out, lse, queries_extent, keys_extent, heads, left, factor,
              GROUP: tl.constexpr, MASK: tl.constexpr, DIM: tl.constexpr, ROWS: tl.constexpr, KEYS: tl.constexpr):
    tile = tl.program_id(0)
    if MASK == "causal":
        # Long walks first.
        tile = tl.num_programs(0) - 1 - tile
    head, batch = tl.program_id(1), tl.program_id(2)
    kv_head = head // GROUP
    row = tile * ROWS
    # Of the tile's first and last row, the position among the keys.
    low = row + keys_extent - queries_extent
    high = low + ROWS - 1
    positions = low + tl.arange(0, ROWS)
    # Keys that some row sees, and those of key tiles that all rows see.
    first, last = 0, keys_extent
    if MASK != "full":
        last = tl.minimum(last, tl.maximum(high + 1, 0))
    if MASK == "window":
        first = tl.maximum(low - left, 0) // KEYS * KEYS
    full_first, full_last = first, last // KEYS * KEYS
    if MASK != "full":
        full_last = tl.minimum(full_last, tl.maximum(low + 1, 0) // KEYS * KEYS)
    if MASK == "window":
        full_first = tl.maximum(first, (tl.maximum(high - left, 0) + KEYS - 1) // KEYS * KEYS)
        full_first = tl.minimum(full_first, (last + KEYS - 1) // KEYS * KEYS)
    full_last = tl.maximum(full_last, full_first)

    queries = q.load([batch, head, row, 0]).reshape(ROWS, DIM)
    acc = tl.zeros([ROWS, DIM], tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    top = tl.full([ROWS], float("-inf"), tl.float32)
    if MASK == "window":
        acc, total, top = walk(acc, total, top, queries, k, v, batch, kv_head, first, full_first, positions,
                               keys_extent, left, factor, MASK, True, KEYS, DIM)
    acc, total, top = walk(acc, total, top, queries, k, v, batch, kv_head, full_first, full_last, positions,
                           keys_extent, left, factor, MASK, False, KEYS, DIM)
    acc, total, top = walk(acc, total, top, queries, k, v, batch, kv_head, full_last, last, positions,
                           keys_extent, left, factor, MASK, True, KEYS, DIM)

    rows = row + tl.arange(0, ROWS)
    place = (batch * heads + head).to(tl.int64) * queries_extent + rows
    # log 0 is -inf: a row without keys.
    tl.store(lse + place, top * 0.6931471805599453 + tl.log(total), mask=rows < queries_extent)
    acc = acc / tl.where(total == 0.0, 1.0, total)[:, None]
    out.store([batch, head, row, 0], acc.to(out.dtype).reshape(1, 1, ROWS, DIM))


TUNED = {
    dim: triton.autotune(configs, key=["queries_extent", "keys_extent", "MASK", "GROUP"])(attention)
    for dim, configs in CONFIGS.items()
}


def bind(q, k, v, mask, left=1023, kernel=None):
    """A call without arguments that gives (out, lse), each time in the same memory.
    q is (batch, heads, queries, head dimension), k and v have a divisor of its heads;
    `mask` is full, causal or window (causal and `left` keys back), aligned at the last
    query and key. `kernel` takes the place of the tuned one. The first call tunes."""
    batch, heads, queries, dim = q.shape
    if mask not in ("full", "causal", "window") or heads % k.shape[1] or k.shape != v.shape:
        raise ValueError(f"no kernel for mask {mask!r}, q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)}")
    out, lse = torch.empty_like(q), torch.empty(batch, heads, queries, dtype=torch.float32, device=q.device)

    def describe(tensor):
        return TensorDescriptor(tensor, list(tensor.shape), list(tensor.stride()), [1, 1, 64, dim])

    descriptors = [describe(t) for t in (q, k, v, out)]
    factor = math.log2(math.e) / math.sqrt(dim)

    def call():
        (kernel or TUNED[dim])[lambda meta: (triton.cdiv(queries, meta["ROWS"]), heads, batch)](
            *descriptors, lse, queries, k.shape[2], heads, left, factor,
            GROUP=heads // k.shape[1], MASK=mask, DIM=dim)
        return out, lse

    return call
