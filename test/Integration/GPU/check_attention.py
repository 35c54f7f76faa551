#!/usr/bin/env python3
"""Checks compiled attention functions on a GPU against f64.

    test/Integration/GPU/check_attention.py ARTIFACTS [--seed=N]

ARTIFACTS is what benchmarks/gpu/compile.py has written. Needs PyTorch. The rule is
that of docs/Numerics.md: the error may be twice that of the plain computation, and
two units in the last place. Results are written over NaN, each call is made twice
and must give the same bits, and calls on several streams at once must, too.
"""

import argparse
import fnmatch
import json
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python-bindings"))
sys.path.append(str(ROOT / "benchmarks/gpu"))
import attn_mlir  # noqa: E402
from timing import import_torch  # noqa: E402

TYPES = {"bf16": "bfloat16", "f16": "float16"}
ULP = {"bf16": 2.0**-8, "f16": 2.0**-11}
# B, Hq, Hkv, Sq, Skv
SMALL_SHAPES = [(1, 2, 1, 70, 130), (1, 1, 1, 1, 1), (1, 2, 2, 129, 64)]
SHAPES = [
    (2, 3, 3, 1024, 1024), (1, 4, 2, 1000, 1000), (1, 8, 1, 333, 777), (1, 2, 2, 700, 130),
    (3, 7, 7, 1, 513), (1, 2, 2, 1, 1), (2, 4, 4, 128, 128), (1, 6, 2, 129, 127), (1, 2, 1, 64, 4097),
    (1, 2, 2, 17, 0), (0, 2, 2, 64, 64), (1, 3, 1, 2, 3), (1, 8, 8, 257, 1025), (1, 1, 1, 3000, 3000),
]
# Of these, keys that no query of a window or of top_left sees: some of a tile, and whole tiles.
UNSEEN_SHAPES = [(1, 2, 1, 70, 1200), (1, 4, 2, 1, 1100), (2, 2, 2, 300, 2000), (1, 3, 3, 1, 300)]


def get_type(name):
    return getattr(torch, TYPES[name])


def visible(mask, queries, keys, device):
    p = torch.arange(queries, device=device)[:, None] + (0 if mask == "top_left" else keys - queries)
    r = torch.arange(keys, device=device)[None, :]
    if mask == "full":
        return torch.ones(queries, keys, dtype=torch.bool, device=device)
    seen = r <= p
    return seen & (r >= p - 1023) if mask == "window" else seen


def compute(q, k, v, mask, element):
    """Results in f64, and plainly: f32, weights rounded to the element type."""
    group = q.shape[1] // max(k.shape[1], 1)
    k, v = (t.repeat_interleave(group, 1) for t in (k, v))
    seen = visible(mask, q.shape[2], k.shape[2], q.device)

    def attend(kind, rounded):
        s = (q.to(kind) @ k.to(kind).transpose(-1, -2)) / q.shape[-1] ** 0.5
        s = s.masked_fill(~seen, float("-inf"))
        m = s.amax(-1, keepdim=True) if s.shape[-1] else s.new_full((*s.shape[:-1], 1), float("-inf"))
        base = m.masked_fill(m == float("-inf"), 0)
        weights = torch.exp(s - base)
        total = weights.sum(-1, keepdim=True)
        if rounded:
            weights = weights.to(element).to(kind)
        out = weights @ v.to(kind) / total
        out = out.masked_fill(total == 0, 0)
        return out, (m + torch.log(total)).squeeze(-1)

    # The largest sum of a score's absolute products in each row: what rounding
    # the score itself may lose is in proportion (docs/Numerics.md).
    sizes = (q.double().abs() @ k.double().abs().transpose(-1, -2)) / q.shape[-1] ** 0.5
    sizes = sizes.masked_fill(~seen, 0).amax(-1) if k.shape[2] else torch.zeros(q.shape[:3], device=q.device)
    exact, lse = attend(torch.float64, False)
    torch.backends.cuda.matmul.allow_tf32 = False
    plain = attend(torch.float32, True)[0].to(element)
    return exact, lse, plain, (q.shape[-1] ** 0.5 + 2) * 2.0**-24 * sizes


def check(function, description, shape, layout, amplitude, unseen=None):
    """Problems of one call; `unseen` is what K and V hold at keys that no query sees."""
    element, batch, heads, kv_heads, queries, keys = get_type(description["type"]), *shape
    dim = description["head_dim"]

    def make(h, s, fill=None):
        sizes = (batch, h, s, dim) if layout == "bhsd" else (batch, s, h, dim)
        data = torch.randn(sizes, device="cuda") * amplitude if fill is None else torch.full(sizes, fill, device="cuda")
        data = data.to(element)
        return data if layout == "bhsd" else data.transpose(1, 2)

    q, k, v = make(heads, queries), make(kv_heads, keys), make(kv_heads, keys)
    if amplitude < 0:
        # Every score far below 0: the maximum must begin lower than any.
        q, k = q.abs(), -k.abs()
    exact, lse_exact, plain, delta = compute(q, k, v, description["mask"], element)
    if unseen is not None:
        hidden = ~visible(description["mask"], queries, keys, "cuda").any(0)
        for tensor in (k, v):
            tensor[:, :, hidden] = unseen
    results = []
    for _ in range(2):
        out = make(heads, queries, float("nan"))
        lse = torch.full((batch, heads, queries), float("nan"), device="cuda")
        function(q, k, v, out, lse)
        torch.cuda.synchronize()
        results.append((out, lse))
    (out, lse), again = results
    problems = []
    if out.numel():
        if not (torch.equal(out, again[0]) and torch.equal(lse, again[1])):
            problems.append("two calls differ")
        scale = exact.abs().max().item()
        error = (out.double() - exact).abs().max().item()
        bound = 2 * (plain.double() - exact).abs().max().item() + 2 * ULP[description["type"]] * scale
        if not error <= bound:
            problems.append(f"out: error {error:.3e}, bound {bound:.3e}")
        empty = lse_exact == float("-inf")
        if not torch.equal(lse == float("-inf"), empty):
            problems.append("lse: rows without keys misplaced")
        allowed = 2.0**-16 * lse_exact.abs().clamp(min=1) + delta
        excess = ((lse.double() - lse_exact).abs() - allowed)[~empty]
        if excess.numel() and not excess.max().item() <= 0:
            problems.append(f"lse: error {excess.max().item():.3e} above its bound")
    return problems


def check_streams(function, description):
    """Calls on four streams at once, against the same calls one by one."""
    element, dim = get_type(description["type"]), description["head_dim"]
    inputs = [[torch.randn(2, 4, 500 + 64 * n, dim, device="cuda").to(element) for _ in range(3)] for n in range(4)]
    make = lambda q: (torch.full_like(q, float("nan")), torch.full(q.shape[:3], float("nan"), device="cuda"))
    alone = []
    for q, k, v in inputs:
        alone.append(make(q))
        function(q, k, v, *alone[-1])
    torch.cuda.synchronize()
    streams = [torch.cuda.Stream() for _ in inputs]
    for _ in range(20):
        together = [make(q) for q, _, _ in inputs]
        torch.cuda.synchronize()
        for stream, (q, k, v), results in zip(streams, inputs, together):
            function(q, k, v, *results, stream=stream.cuda_stream)
        torch.cuda.synchronize()
        for a, b in zip(alone, together):
            if not (torch.equal(a[0], b[0]) and torch.equal(a[1], b[1])):
                return ["streams at once differ from one by one"]
    return []


def check_graph(function, description):
    element, dim = get_type(description["type"]), description["head_dim"]
    q, k, v = (torch.randn(1, 4, 300, dim, device="cuda").to(element) for _ in range(3))
    want, got = torch.full_like(q, float("nan")), torch.full_like(q, float("nan"))
    lse, lse2 = (torch.empty(q.shape[:3], device="cuda") for _ in range(2))
    function(q, k, v, want, lse)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        function(q, k, v, got, lse2)
    for _ in range(3):
        got.fill_(float("nan"))
        graph.replay()
        torch.cuda.synchronize()
        if not torch.equal(want, got):
            return ["a graph's replay differs"]
    return []


def check_refusals(function, description):
    element, dim = get_type(description["type"]), description["head_dim"]
    q = torch.randn(1, 2, 64, dim, device="cuda").to(element)
    lse = torch.empty(1, 2, 64, device="cuda")
    for bad, word in [(q.float(), "'k'"), (q[:, :, :, : dim - 8], "'k'"), (q.cpu(), "'k'"), (q[:, :1, :32], "'v'")]:
        try:
            function(q, bad, q, torch.empty_like(q), lse)
        except attn_mlir.AttentionError as error:
            if word not in str(error):
                return [f"refusal expected to name {word}, got: {error}"]
            continue
        return [f"expected a refusal that names {word}"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("artifacts", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="few small cases, as for compute-sanitizer")
    parser.add_argument("--types", default="bf16,f16")
    parser.add_argument("--only", default="*", help="pattern of the functions' names")
    arguments = parser.parse_args()
    global torch
    torch = import_torch()
    torch.manual_seed(arguments.seed)
    order = random.Random(arguments.seed)
    passed = failed = 0

    def count(name, problems):
        nonlocal passed, failed
        passed, failed = passed + (not problems), failed + bool(problems)
        for problem in problems:
            print(f"FAILED {name}: {problem}", flush=True)

    for description in json.loads((arguments.artifacts / "index.json").read_text()):
        name = description["name"]
        if description["type"] not in arguments.types.split(",") or not fnmatch.fnmatch(name, arguments.only):
            continue
        function = attn_mlir.load(arguments.artifacts / name)[name]
        shapes = SMALL_SHAPES if arguments.small else SHAPES
        # No chance of the draw leaves it out.
        count(f"{name} far below 0", check(function, description, shapes[0], "bhsd", -6))
        for shape in shapes:
            layout, amplitude = order.choice(["bhsd", "bshd"]), order.choice([1, 1, 8, -6])
            count(f"{name} {shape} {layout} x{amplitude}", check(function, description, shape, layout, amplitude))
        # Keys that no query sees, in front of all windows or behind the last query, must not matter.
        for shape in UNSEEN_SHAPES[:1] if arguments.small else UNSEEN_SHAPES:
            for unseen in (float("nan"), float("inf"), float("-inf")):
                layout = order.choice(["bhsd", "bshd"])
                count(f"{name} {shape} {layout} {unseen} at unseen keys",
                      check(function, description, shape, layout, 1, unseen))
        for extra in () if arguments.small else (check_streams, check_graph, check_refusals):
            count(f"{name} {extra.__name__}", extra(function, description))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
