#!/usr/bin/env python3
"""Compiled attention beside its peers on a GPU.

    benchmarks/gpu/attention.py ARTIFACTS [--json=FILE]

ARTIFACTS is what benchmarks/gpu/compile.py has written. Peers:

    cudnn        cuDNN through PyTorch's scaled_dot_product_attention; no window
    triton       triton_attention.py, tuned for each length
    flex         compiled FlexAttention as it comes; masks as block masks
    flex-tma     the same, keys and values by tensor descriptors
    flex-tuned   the same as flex, with max-autotune-no-cudagraphs (compiles for long)

All in one process on the same data: random normal, our results written over NaN, and
all compared with the first peer before anything is timed. Each measurement is a
warm-up and then as long again timed; the contenders take turns in an order drawn
anew each round; medians of rounds. The chip is limited by power, so only ratios
within a run say something, and not below 3 %.

FLOPs are 4 B H D times the visible pairs.
"""

import argparse
import json
import pathlib
import random
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python-bindings"))
import attn_mlir  # noqa: E402
from timing import import_torch, timed  # noqa: E402

TYPES = {"bf16": "bfloat16", "f16": "float16"}
FLEX = {
    "flex": ({}, {}),
    "flex-tma": ({}, {"kernel_options": {"USE_TMA": True}}),
    "flex-tuned": ({"mode": "max-autotune-no-cudagraphs"}, {}),
}
PEERS = ("cudnn", "triton", *FLEX)


def get_type(name):
    return getattr(torch, TYPES[name])


def make_flex(names, q, k, v, mask):
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    # What was compiled for other shapes counts towards a limit, behind which calls are
    # no longer compiled.
    torch._dynamo.reset()
    conditions = {
        "causal": lambda b, h, p, r: r <= p,
        "window": lambda b, h, p, r: (r <= p) & (p - r <= 1023),
    }
    block_mask = None
    if mask != "full":
        block_mask = create_block_mask(conditions[mask], None, None, q.shape[2], k.shape[2], device="cuda")

    def make(name):
        build, options = FLEX[name]
        # fullgraph: an error instead of a call that is not compiled.
        compiled = torch.compile(flex_attention, dynamic=False, fullgraph=True, **build)
        return lambda: compiled(q, k, v, block_mask=block_mask, enable_gqa=q.shape[1] != k.shape[1], **options)

    return {name: make(name) for name in names}


def make_peers(names, q, k, v, mask):
    peers = {}
    group = q.shape[1] != k.shape[1]
    if "cudnn" in names and mask != "window":
        from torch.nn.attention import SDPBackend, sdpa_kernel

        def cudnn():
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                return torch.nn.functional.scaled_dot_product_attention(
                    q, k, v, is_causal=mask == "causal", enable_gqa=group)

        peers["cudnn"] = cudnn
    if "triton" in names:
        import triton_attention

        call = triton_attention.bind(q, k, v, mask)
        peers["triton"] = lambda: call()[0]
    flex = [name for name in names if name in FLEX]
    return peers | (make_flex(flex, q, k, v, mask) if flex else {})


def count_pairs(mask, length):
    if mask == "full":
        return length * length
    if mask == "causal":
        return length * length / 2  # by convention
    return sum(min(p + 1, 1024) for p in range(length))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("artifacts", type=pathlib.Path, nargs="+", help="several: variants side by side")
    parser.add_argument("--lengths", default="512,1024,2048,4096,8192,16384,32768")
    parser.add_argument("--head-dims", default="128,64,256")
    parser.add_argument("--masks", default="full,causal")
    parser.add_argument("--types", default="bf16")
    parser.add_argument("--peers", default="cudnn", help="of " + ", ".join(PEERS) + "; or none")
    parser.add_argument("--group", type=int, default=1, help="query heads for each key head")
    parser.add_argument("--tokens", type=int, default=16384)
    parser.add_argument("--width", type=int, default=2048, help="heads times head dimension")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--milliseconds", type=float, default=30)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.peers = [] if arguments.peers == "none" else arguments.peers.split(",")
    if unknown := set(arguments.peers) - set(PEERS):
        parser.error(f"unknown peers: {', '.join(sorted(unknown))}")
    global torch
    torch = import_torch()
    torch.manual_seed(0)
    rows = []
    for element in arguments.types.split(","):
        for head_dim in map(int, arguments.head_dims.split(",")):
            for mask in arguments.masks.split(","):
                for length in map(int, arguments.lengths.split(",")):
                    rows.append(measure(arguments, element, head_dim, mask, length))
                    print(describe(rows[-1]), flush=True)
    if arguments.json:
        facts = {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "rows": rows}
        arguments.json.write_text(json.dumps(facts, indent=1))


def measure(arguments, element, head_dim, mask, length):
    batch, heads = max(1, arguments.tokens // length), arguments.width // head_dim
    make = lambda h: torch.randn(batch, h, length, head_dim, device="cuda").to(get_type(element))
    q, k, v = make(heads), make(heads // arguments.group), make(heads // arguments.group)
    out, lse = torch.empty_like(q), torch.empty(batch, heads, length, device="cuda")
    calls = {}
    name = f"attention_{element}_{head_dim}_{mask}"
    for folder in arguments.artifacts:
        if (folder / (name + ".so")).exists():
            calls["ours:" + folder.name] = attn_mlir.load(folder / name)[name].bind(q, k, v, out, lse)
    peers = make_peers(arguments.peers, q, k, v, mask)
    if peers:
        first = next(iter(peers))
        want = peers[first]().float()

        def compare(label, got):
            error = ((got.float() - want).norm() / want.norm()).item()
            if not error < 1e-2:
                raise RuntimeError(f"{label} {name} S={length}: relative error {error:.2e} against {first}")

        for label, call in calls.items():
            out.fill_(float("nan"))
            call()
            compare(label, out)
        for label, call in peers.items():
            compare(label, call())
    calls.update(peers)
    samples = {label: [] for label in calls}
    for _ in range(arguments.rounds):
        for label in random.sample(list(calls), len(calls)):
            samples[label].append(timed(calls[label], arguments.milliseconds))
    flops = 4 * batch * heads * head_dim * count_pairs(mask, length)
    return {
        "type": element, "head_dim": head_dim, "mask": mask, "length": length, "batch": batch, "heads": heads,
        "group": arguments.group,
        "tflops": {label: flops / statistics.median(times) / 1e9 for label, times in samples.items()},
        "milliseconds": samples,
    }


def describe(row):
    base = row["tflops"].get("cudnn")
    cells = [f"{label} {rate:.0f}" + (f" ({rate / base:.2f})" if base else "") for label, rate in row["tflops"].items()]
    return f"{row['type']} D={row['head_dim']} {row['mask']} S={row['length']}: " + ", ".join(cells)


if __name__ == "__main__":
    main()
