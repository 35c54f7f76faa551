#!/usr/bin/env python3
"""Compiles modules of attn_gpu kernels for a machine with a GPU.

    compile_kernels.py FOLDER --attn-opt=PATH [--llvm=BIN] [--ptxas=PATH]

For each FOLDER/NAME.mlir writes NAME.ptx, NAME.json (what a launch of each of
its kernels needs) and, if ptxas is there, NAME.cubin. Fails if a kernel spills
or ptxas warns of serialised products (C75xx).
"""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

FUNCTION = re.compile(r"llvm\.func @(\w+)\((.*?)\) attributes \{(.*)\} \{$")
PARAMETER = re.compile(r"\{argument = (\d+) : i64, (?:dimension = (\d+) : i64, )?kind = \"(\w+)\"\}")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout + done.stderr


def kernels_of(text):
    """What the attributes of the lowered kernels say."""
    kernels = {}
    for line in text.splitlines():
        match = FUNCTION.search(line)
        if not match or "nvvm.kernel" not in match[3]:
            continue
        types = re.findall(r"%\w+: ([^,()]+(?:<\d+>)?)", match[2])
        parameters = [
            {"kind": kind, "argument": int(argument), "dimension": int(dimension or 0), "type": type}
            for (argument, dimension, kind), type in zip(PARAMETER.findall(match[3]), types, strict=True)
        ]
        kernels[match[1]] = {
            "threads": int(re.search(r"nvvm\.reqntid = array<i32: (\d+)>", match[3])[1]),
            "shared": int(re.search(r"attn_gpu\.dynamic_shared_bytes = (\d+)", match[3])[1]),
            "parameters": parameters,
        }
    return kernels


def compile_module(path, args):
    base = os.path.splitext(path)[0]
    tool = lambda name: os.path.join(args.llvm, name)
    lowered = run(args.attn_opt, path, "--attn-gpu-to-llvm")
    with open(base + ".llvm", "w") as out:
        out.write(lowered)
    with open(base + ".json", "w") as out:
        json.dump(kernels_of(lowered), out, indent=1)
    ir = 'target triple = "nvptx64-nvidia-cuda"\n' + run(tool("mlir-translate"), "--mlir-to-llvmir", base + ".llvm")
    with open(base + ".ll", "w") as out:
        out.write(ir)
    run(tool("opt"), "-O3", "-mcpu=sm_90a", base + ".ll", "-o", base + ".bc")
    run(tool("llc"), "-O3", "-mcpu=sm_90a", "-mattr=+ptx87", base + ".bc", "-o", base + ".ptx")
    for suffix in (".llvm", ".ll", ".bc"):
        os.remove(base + suffix)
    if not args.ptxas:
        return []
    said = run(args.ptxas, "-arch=sm_90a", "-v", "-O3", base + ".ptx", "-o", base + ".cubin")
    return [
        f"{os.path.basename(path)}: {line.strip()}"
        for line in said.splitlines()
        if re.search(r"\bC75\d\d\b|warning|[1-9]\d* bytes spill", line)
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--attn-opt", required=True)
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas")
    args = parser.parse_args()
    if not os.path.exists(args.ptxas):
        args.ptxas = None
    faults = []
    for path in sorted(glob.glob(os.path.join(args.folder, "*.mlir"))):
        faults += compile_module(path, args)
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
