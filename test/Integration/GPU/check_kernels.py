#!/usr/bin/env python3
"""Runs compiled kernels of kernels.py on a GPU and checks what they leave.

    check_kernels.py FOLDER [--module=NAME] [--jobs=N] [--timeout=SECONDS]

FOLDER is what compile_kernels.py has filled. Needs NumPy and the CUDA driver.
Each module runs in a process of its own, so that a kernel that hangs or faults
ends that module only; N at once (default: one for each CPU, at most 8). Each launch runs twice: results must be the same bits.
"""

import argparse
import ctypes
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def import_numpy():
    """And what needs it: not before the command line has been read."""
    global np, Call, evaluate, make_kernels, Tensor, faults
    try:
        import numpy as np
    except ModuleNotFoundError:
        sys.exit(f"needs NumPy, which {sys.executable} does not have")
    from host import Call, evaluate
    from kernels import make_kernels
    from tensors import Tensor, faults


class Driver:
    """The few functions of the CUDA driver API that launches need."""

    MAX_DYNAMIC_SHARED_SIZE_BYTES = 8  # CUfunction_attribute

    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        code = getattr(self.lib, name)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorName(code, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'?').decode()}")

    def load(self, image):
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        return module

    def function(self, module, name, shared):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        self.call("cuFuncSetAttribute", function, self.MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)
        return function

    def upload(self, array):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(array.nbytes))
        self.set(pointer, array)
        return pointer

    def set(self, pointer, array):
        self.call("cuMemcpyHtoD_v2", pointer, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))

    def download(self, pointer, like):
        out = like.copy()
        self.call("cuMemcpyDtoH_v2", ctypes.c_void_p(out.ctypes.data), pointer, ctypes.c_size_t(out.nbytes))
        return out

    def free(self, pointer):
        self.call("cuMemFree_v2", pointer)

    def launch(self, function, grid, threads, shared, values):
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
        self.call("cuLaunchKernel", function, grid, 1, 1, threads, 1, 1, shared, None, pointers, None)
        self.call("cuCtxSynchronize")


def encode_tile_map(driver, tensor, pointer, parameter):
    """A CUtensorMap: the tensor's dimensions, the last one first."""
    types = {"f16": 6, "bf16": 9}  # CUtensorMapDataType
    swizzles = {128: 3}  # CUtensorMapSwizzle
    storage = (ctypes.c_char * 192)()
    start = -ctypes.addressof(storage) % 64
    tile_map = (ctypes.c_char * 128).from_buffer(storage, start)
    rank = len(tensor.shape)
    box = [1] * rank
    box[0], box[rank - 1 - parameter["row_dimension"]] = parameter["columns"], parameter["rows"]
    # Strides that nobody walks must be legal, too.
    strides = [s * 2 if e > 1 else 16 for e, s in zip(tensor.shape, tensor.strides)][-2::-1]
    driver.call(
        "cuTensorMapEncodeTiled",
        tile_map,
        types[tensor.type],
        rank,
        ctypes.c_void_p(pointer.value + tensor.first * 2),
        # A map has elements, though nobody copies those of an empty tensor.
        (ctypes.c_uint64 * rank)(*(max(e, 1) for e in tensor.shape[::-1])),
        (ctypes.c_uint64 * rank)(*strides),
        (ctypes.c_uint32 * rank)(*box),
        (ctypes.c_uint32 * rank)(*[1] * rank),
        0,  # no interleaving
        swizzles[parameter["swizzle"]],
        3,  # promotion to 256 bytes in L2
        0,  # zeros outside
    )
    return tile_map


SCALARS = {"i64": ctypes.c_int64, "i32": ctypes.c_int32, "f32": ctypes.c_float}


def parameter_value(driver, parameter, argument, pointer):
    """The launch's value for one entry of `attn_gpu.parameters`."""
    kind = parameter["kind"]
    if kind == "tile_map":
        return encode_tile_map(driver, argument, pointer, parameter)
    if kind == "scalar":
        return SCALARS[parameter["type"]](argument)
    if kind == "pointer":
        return ctypes.c_uint64(pointer.value + argument.first * argument.buffer().itemsize)
    of = argument.shape if kind == "extent" else argument.strides
    return ctypes.c_int64(of[parameter["dimension"]])


def grids_of(launch, case):
    """The case's own number of blocks; of what passes made persistent, also fewer.
    Whole clusters."""
    grids = {case.grid}
    if launch["made_by_passes"] and launch["persistent"]:
        grids |= {min(case.grid, n) for n in (1, 3, 132)}
    size = launch["cluster"]
    return sorted({-(-grid // size) * size for grid in grids})


def run_case(driver, function, launch, case, grid, counter):
    """Buffers of the written arguments after a launch on poisoned ones."""
    buffers = {i: a.buffer() for i, a in enumerate(case.arguments) if isinstance(a, Tensor)}
    pointers = {i: driver.upload(buffer) for i, buffer in buffers.items()}
    values = [
        counter
        if p["kind"] == "counter"
        else parameter_value(driver, p, case.arguments[p["argument"]], pointers.get(p["argument"]))
        for p in launch["parameters"]
    ]
    driver.launch(function, grid, launch["threads"], launch["shared"], values)
    results = {i: driver.download(pointers[i], buffers[i]) for i in buffers}
    for pointer in pointers.values():
        driver.free(pointer)
    return results


def case_faults(case, first, second):
    """What is wrong with the buffers of two runs of `case`."""
    for i, buffer in first.items():
        if i in case.expected:
            fault = faults(case, i, buffer)
        else:
            fault = "input changed" if (buffer != case.arguments[i].buffer()).any() else ""
        if not fault and (buffer != second[i]).any():
            fault = "not the same bits when run again"
        if fault:
            yield f"argument {i}: {fault}"


def check_module(folder, module):
    """Prints each fault; the number of cases, and of wrong ones."""
    base = os.path.join(folder, module)
    with open(base + ".json") as f:
        launches = json.load(f)
    image = base + (".cubin" if os.path.exists(base + ".cubin") else ".ptx")
    with open(image, "rb") as f:
        code = f.read() + b"\0"
    driver = Driver()
    loaded = driver.load(code)
    total, wrong = 0, 0
    # One for all launches: each leaves it as it was.
    zero = np.zeros(1, np.uint32)
    counter = driver.upload(zero)
    for (_, name), cases in make_kernels(cases_of=module).cases.items():
        function = driver.function(loaded, name, launches[name]["shared"])
        for case in cases:
            if isinstance(case, Call):
                case = evaluate(case, launches[name]["host"])
            for grid in grids_of(launches[name], case):
                total += 1
                try:
                    runs = [run_case(driver, function, launches[name], case, grid, counter) for _ in range(2)]
                except RuntimeError:
                    # The context is lost with it.
                    print(f"WRONG {module}/{name} [{case.name}, {grid} blocks] failed:", flush=True)
                    raise
                found = list(case_faults(case, *runs))
                if driver.download(counter, zero)[0]:
                    found.append("the counter is not 0 at the end")
                    driver.set(counter, zero)
                wrong += bool(found)
                for fault in found:
                    print(f"WRONG {module}/{name} [{case.name}, {grid} blocks] {fault}", flush=True)
    print(f"{module}: {total - wrong} of {total} right", flush=True)
    return total, wrong


def run_module(folder, module, timeout):
    """What checking `module` in a process of its own prints, and its cases right and
    wrong."""
    command = [sys.executable, __file__, folder, f"--module={module}"]
    try:
        done = subprocess.run(command, timeout=timeout, stdout=subprocess.PIPE, text=True)
    except subprocess.TimeoutExpired:
        return f"WRONG {module}: still running after {timeout} s\n", 0, 1
    counted = re.search(rf"^{module}: (\d+) of (\d+) right$", done.stdout, re.MULTILINE)
    if not counted:
        return done.stdout + f"WRONG {module}: ended with status {done.returncode}\n", 0, 1
    right, total = int(counted[1]), int(counted[2])
    return done.stdout, right, total - right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--module")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 8))
    parser.add_argument("--timeout", type=float, default=60)
    args = parser.parse_args()
    import_numpy()
    if args.module:
        sys.exit(1 if check_module(args.folder, args.module)[1] else 0)
    passed = failed = 0
    with ThreadPoolExecutor(args.jobs) as pool:
        for text, right, wrong in pool.map(lambda m: run_module(args.folder, m, args.timeout), make_kernels().modules):
            print(text, end="", flush=True)
            passed += right
            failed += wrong
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
