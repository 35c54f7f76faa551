#!/usr/bin/env python3
"""A plain product by the passes that make attention, beside cuBLAS.

    benchmarks/gpu/product.py KERNELS [--size=8192]

KERNELS is what test/Integration/GPU/kernels.py and compile_kernels.py have written.
Its modules passes_gemm_wide_STEP hold C = A B in bf16, tiles of 128 x 256 x 64, after
one pass more each time. All in one process beside torch.matmul on the same matrices:
random normal, results written over NaN and compared before anything is timed; the
contenders take turns in an order drawn anew each round; medians of rounds.
"""

import argparse
import ctypes
import json
import pathlib
import random
import statistics
import sys

from timing import import_torch, timed

ROOT = pathlib.Path(__file__).resolve().parents[2]

STEPS = ("sync", "copies", "pipeline", "staged", "roles", "strided_roles", "dynamic_roles")
TILE = (128, 256)


def import_packages():
    """What needs PyTorch and NumPy: `--help` does not."""
    global torch, Driver, parameter_value, PAD, Tensor
    torch = import_torch()
    sys.path.insert(0, str(ROOT / "test/Integration/GPU"))
    from check_kernels import Driver, parameter_value
    from tensors import PAD, Tensor


class Matrix:
    """A matrix on the device and the argument that describes it."""

    def __init__(self, size):
        # The buffers of tensors.py have padding in front.
        self.storage = torch.empty(PAD + size * size, dtype=torch.bfloat16, device="cuda")
        self.values = self.storage[PAD:].view(size, size)
        self.argument = Tensor("bf16", (size, size))
        self.pointer = ctypes.c_uint64(self.storage.data_ptr())


def bind(driver, folder, step, matrices, multiprocessors):
    """A call of the kernel of `step`; asynchronous, on PyTorch's stream."""
    base = folder / f"passes_gemm_wide_{step}"
    launch = json.loads(base.with_suffix(".json").read_text())["gemm_wide"]
    function = driver.function(driver.load(base.with_suffix(".cubin").read_bytes()), "gemm_wide", launch["shared"])
    counter = torch.zeros(1, dtype=torch.int32, device="cuda")
    values = [
        ctypes.c_uint64(counter.data_ptr())
        if p["kind"] == "counter"
        else parameter_value(driver, p, matrices[p["argument"]].argument, matrices[p["argument"]].pointer)
        for p in launch["parameters"]
    ]
    pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
    rows, columns = matrices[2].argument.shape
    tiles = -(-rows // TILE[0]) * -(-columns // TILE[1])
    grid = min(tiles, multiprocessors) if launch["persistent"] else tiles

    def call():
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        driver.call("cuLaunchKernel", function, grid, 1, 1, launch["threads"], 1, 1, launch["shared"], stream, pointers, None)
        return matrices[2].values

    call.kept_alive = counter, values
    return call


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", type=pathlib.Path)
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--milliseconds", type=float, default=30)
    arguments = parser.parse_args()
    import_packages()
    torch.manual_seed(0)
    matrices = [Matrix(arguments.size) for _ in range(3)]
    a, b, c = (m.values for m in matrices)
    for x in (a, b):
        x.normal_()
    driver = Driver()
    multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
    calls = {"cuBLAS": lambda: torch.matmul(a, b)}
    for step in STEPS:
        calls[step] = bind(driver, arguments.kernels, step, matrices, multiprocessors)
    want = calls["cuBLAS"]().float()
    for step in STEPS:
        c.fill_(float("nan"))
        error = ((calls[step]().float() - want).norm() / want.norm()).item()
        # Both round sums of f32 to bf16.
        if not error < 5e-3:
            sys.exit(f"{step}: relative error {error:.2e} against cuBLAS")
    samples = {label: [] for label in calls}
    for _ in range(arguments.rounds):
        for label in random.sample(list(calls), len(calls)):
            samples[label].append(timed(calls[label], arguments.milliseconds))
    rates = {label: 2 * arguments.size**3 / statistics.median(times) / 1e9 for label, times in samples.items()}
    for label, rate in rates.items():
        print(f"{label}: {rate:.0f} TFLOP/s ({rate / rates['cuBLAS']:.2f} of cuBLAS)")


if __name__ == "__main__":
    main()
