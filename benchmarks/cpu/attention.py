#!/usr/bin/env python3
"""Compiled attention against PyTorch's scaled_dot_product_attention on the CPU.

Both run in one process on the same memory, with as many threads. A sample is the
mean of consecutive calls that together last a while, after one call that is not
timed: so neither pays for cold caches, or for worker threads of the other that
still spin. Samples of the two alternate in random order; medians are reported.
Before anything is timed the two results, written over NaN, are compared.

Needs PyTorch, which nothing else here does:

  python3 -m venv VENV && VENV/bin/pip install torch numpy
  VENV/bin/python benchmarks/cpu/attention.py --json results.json
"""

import argparse
import itertools
import json
import os
import random
import statistics
import sys
import tempfile
import time


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    numbers = lambda text: [int(part) for part in text.split(",")]
    words = lambda text: text.split(",")
    parser.add_argument("--lengths", type=numbers, default=[512, 1024, 2048, 4096])
    parser.add_argument("--head-dims", type=numbers, default=[64, 128])
    parser.add_argument("--types", type=words, default=["f32", "bf16"])
    parser.add_argument("--masks", type=words, default=["full", "causal"])
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--dynamic", action="store_true", help="compile without S")
    parser.add_argument("--sample", type=float, default=0.05, help="seconds a sample")
    parser.add_argument("--samples", type=int, default=9, help="samples of each")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quiet-load", type=float, default=0.2, help="CPUs busy with other work")
    parser.add_argument("--patience", type=float, default=0, help="seconds to wait for quiet")
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall",
                        help="cpu: CPU time of one thread, for a busy machine")
    parser.add_argument("--json", help="write all samples to this file")
    parser.add_argument("--translate", action="append", default=[], metavar="OPTION",
                        help="option handed to attn-translate")
    arguments = parser.parse_args()
    if arguments.clock == "cpu" and arguments.threads != 1:
        parser.error("--clock=cpu compares one thread: give --threads=1")
    return arguments


def clean_environment(threads):
    """Starts the process again without settings that choose another library's
    kernels, and with the thread counts that libraries read only once."""
    wanted = {"ATTN_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    unwanted = [
        name
        for name in os.environ
        if name.startswith(("OPENBLAS_", "GOTO_", "MKL_", "ONEDNN_", "DNNL_", "KMP_", "GOMP_"))
        or name in ("ATEN_CPU_CAPABILITY", "OMP_WAIT_POLICY", "OMP_PROC_BIND")
    ]
    if not unwanted and all(os.environ.get(k) == v for k, v in wanted.items()):
        return
    environment = {k: v for k, v in os.environ.items() if k not in unwanted}
    environment.update(wanted)
    os.execve(sys.executable, [sys.executable, *sys.argv], environment)


def compare(torch, ours, theirs, element):
    """The largest difference; raises if an element differs by more than two
    roundings to the type, and what its products may lose, explain."""
    ours, theirs = ours.double(), theirs.double()
    relative, absolute = {"f32": (1e-5, 1e-5), "bf16": (2.0**-6, 2.0**-8)}[element]
    difference = (ours - theirs).abs()
    # A NaN is not within.
    within = difference <= absolute + relative * theirs.abs()
    if not bool(within.all()):
        raise RuntimeError(f"results differ by {difference.max().item():.3e}")
    return difference.max().item()


def error_of(torch, result, q, k, v, causal):
    """The largest error of the first head against PyTorch's in f64."""
    head = lambda t: t[:1, :1].double()
    exact = torch.nn.functional.scaled_dot_product_attention(
        head(q), head(k), head(v), is_causal=causal
    )
    return (head(result) - exact).abs().max().item()


def sample(call, repeats, clock):
    """Seconds per call, and how many CPUs the calls kept busy."""
    call()
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(repeats):
        call()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return (wall if clock == "wall" else cpu) / repeats, cpu / wall


def product_rate(torch, arguments, element, size=1024):
    """FLOP/s of PyTorch's product of two square matrices: a yardstick for what
    the machine gives now."""
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[element]
    a = torch.randn(size, size).to(dtype)
    times = [
        sample(lambda: torch.mm(a, a), 4, arguments.clock)[0]
        for _ in range(arguments.samples)
    ]
    return 2 * size**3 / statistics.median(times)


def measure(calls, arguments, order):
    """Samples of each call, in an order drawn anew for each round."""
    repeats = {}
    for name, call in calls.items():
        seconds, _ = sample(call, 1, arguments.clock)
        repeats[name] = max(1, round(arguments.sample / seconds))
    samples = {name: [] for name in calls}
    for _ in range(arguments.samples):
        for name in order.sample(list(calls), len(calls)):
            samples[name].append(sample(calls[name], repeats[name], arguments.clock))
    return samples


def run_case(torch, machine, compiled, arguments, case, folder, order):
    element, mask, head_dim, length = case
    causal = mask == "causal"
    shape = (arguments.batch, arguments.heads, length, head_dim)
    declared = (
        (None, arguments.heads, None, head_dim) if arguments.dynamic else shape
    )
    name = f"attention_{element}_{mask}_{head_dim}_{length}"
    function = compiled.Compiled(
        name,
        compiled.attention_program(name, declared, element, causal),
        folder,
        arguments.translate,
    )
    if function.num_threads != arguments.threads:
        raise RuntimeError(f"the runtime uses {function.num_threads} threads")

    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[element]
    generator = torch.Generator().manual_seed(arguments.seed)
    q, k, v = (
        torch.randn(shape, generator=generator).to(dtype) for _ in range(3)
    )

    # Each call makes its own result, as PyTorch's does.
    def ours(out=None):
        out = torch.empty_like(q) if out is None else out
        function(element, q, k, v, out)
        return out

    def theirs():
        return torch.nn.functional.scaled_dot_product_attention(
            q, k, v, is_causal=causal
        )

    ours_result = ours(torch.full_like(q, float("nan")))
    theirs_result = theirs()
    difference = compare(torch, ours_result, theirs_result, element)

    load = machine.wait_until_quiet(arguments.quiet_load, arguments.patience)
    samples = measure({"attn": ours, "torch": theirs}, arguments, order)

    # Two products of S x S x D multiply-adds; causal needs half of them.
    flops = 4 * arguments.batch * arguments.heads * length**2 * head_dim
    if causal:
        flops = flops * (length + 1) / (2 * length)
    result = {
        "type": element,
        "mask": mask,
        "head_dim": head_dim,
        "length": length,
        "flops": flops,
        "other_load": load,
        "difference": difference,
        "attn_error": error_of(torch, ours_result, q, k, v, causal),
        "torch_error": error_of(torch, theirs_result, q, k, v, causal),
    }
    for name, pairs in samples.items():
        times = [seconds for seconds, _ in pairs]
        quartiles = statistics.quantiles(times, n=4)
        result[name] = {
            "median": statistics.median(times),
            "quartiles": [quartiles[0], quartiles[2]],
            "best": min(times),
            "samples": times,
            # Below the number of threads: waiting for a CPU, or for each other.
            "cpus": statistics.median(cpus for _, cpus in pairs),
        }
    result["ratio"] = result["torch"]["median"] / result["attn"]["median"]
    return result


HEADER = (
    "| type | mask | D | S | attn ms | GFLOP/s | PyTorch ms | GFLOP/s "
    "| attn / PyTorch speed | quartiles of attn, PyTorch ms | other load |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def row(result):
    attn, torch = result["attn"], result["torch"]
    rate = lambda entry: f"{result['flops'] / entry['median'] / 1e9:.0f}"
    spread = lambda entry: "-".join(f"{1e3 * q:.4g}" for q in entry["quartiles"])
    cells = [
        result["type"],
        result["mask"],
        result["head_dim"],
        result["length"],
        f"{1e3 * attn['median']:.4g}",
        rate(attn),
        f"{1e3 * torch['median']:.4g}",
        rate(torch),
        f"**{result['ratio']:.2f}**",
        f"{spread(attn)}, {spread(torch)}",
        f"{result['other_load']:.1f}",
    ]
    return "| " + " | ".join(map(str, cells)) + " |"


def main():
    arguments = parse_arguments()
    clean_environment(arguments.threads)

    try:
        import torch
    except ImportError as error:
        sys.exit(f"this benchmark needs PyTorch: {error}")
    import compiled
    import machine

    torch.set_num_threads(arguments.threads)
    torch.set_grad_enabled(False)
    report = {
        "cpu": machine.describe_cpu(),
        "threads": arguments.threads,
        "clock": arguments.clock,
        "torch": torch.__version__,
        "torch_cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "batch": arguments.batch,
        "heads": arguments.heads,
        "dynamic": arguments.dynamic,
        "seed": arguments.seed,
        "cases": [],
    }
    print({k: v for k, v in report.items() if k != "cases"}, file=sys.stderr)

    report["product_flops"] = {
        element: product_rate(torch, arguments, element) for element in arguments.types
    }
    print(
        "PyTorch's matrix product: "
        + ", ".join(f"{t} {r / 1e9:.0f} GFLOP/s" for t, r in report["product_flops"].items())
    )
    order = random.Random(arguments.seed)
    cases = list(
        itertools.product(
            arguments.types, arguments.masks, arguments.head_dims, arguments.lengths
        )
    )
    failed = 0
    print("\n" + HEADER, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            try:
                result = run_case(
                    torch, machine, compiled, arguments, case, folder, order
                )
            except RuntimeError as error:
                print(f"{case}: {error}", file=sys.stderr)
                failed += 1
                continue
            report["cases"].append(result)
            print(row(result), flush=True)
            if arguments.json:
                with open(arguments.json, "w") as file:
                    json.dump(report, file, indent=1)
    for element in arguments.types:
        ratios = [c["ratio"] for c in report["cases"] if c["type"] == element]
        if ratios:
            print(
                f"{element}: {min(ratios):.2f} to {max(ratios):.2f} of PyTorch's "
                f"speed, geometric mean {statistics.geometric_mean(ratios):.2f}"
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
