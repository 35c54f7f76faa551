#!/usr/bin/env python3
"""Compiles modules of attn_gpu kernels for a machine with a GPU.

    compile_kernels.py FOLDER --attn-opt=PATH [--only=PATTERN] [--llvm=BIN]
        [--ptxas=PATH]

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
PARAMETERS = re.compile(r"attn_gpu\.parameters = \[(.*?)\]")
PIPELINE = re.compile(r"// pipeline: (.*)")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout + done.stderr


def parse_parameter(text):
    """One entry of `attn_gpu.parameters`."""
    fields = dict(re.findall(r"(\w+) = \"?(\w+)", text))
    return {name: value if name == "kind" else int(value) for name, value in fields.items()}


def kernels_of(text):
    """What the attributes of the lowered kernels say."""
    kernels = {}
    for line in text.splitlines():
        match = FUNCTION.search(line)
        if not match or "nvvm.kernel" not in match[3]:
            continue
        # Without the attributes of arguments.
        types = re.findall(r"%\w+: ([^,()]+(?:<\d+>)?)", re.sub(r" \{.*?\}", "", match[2]))
        entries = re.findall(r"\{.*?\}", PARAMETERS.search(match[3])[1])
        parameters = [
            {**parse_parameter(entry), "type": type}
            for entry, type in zip(entries, types, strict=True)
        ]
        kernels[match[1]] = {
            "threads": int(re.search(r"nvvm\.reqntid = array<i32: (\d+)>", match[3])[1]),
            "shared": int(re.search(r"attn_gpu\.dynamic_shared_bytes = (\d+)", match[3])[1]),
            "persistent": "attn_gpu.persistent" in match[3],
            "cluster": int((re.search(r"attn_gpu\.cluster = (\d+)", match[3]) or [0, 1])[1]),
            "parameters": parameters,
        }
    return kernels


def compile_module(path, args):
    base = os.path.splitext(path)[0]
    tool = lambda name: os.path.join(args.llvm, name)
    with open(path) as f:
        text = f.read()
    pipeline = PIPELINE.match(text)
    host = None
    if pipeline:
        text = run(args.attn_opt, path, f"--pass-pipeline={pipeline[1]}")
        kernel, call, function = text.partition("  func.func")
        if call:
            text, host = kernel + "}\n", call + function
    # Beside the tool's input, which stays as it is.
    with open(base + ".gpu", "w") as out:
        out.write(text)
    lowered = run(args.attn_opt, base + ".gpu", "--attn-gpu-to-llvm")
    with open(base + ".llvm", "w") as out:
        out.write(lowered)
    kernels = kernels_of(lowered)
    for launch in kernels.values():
        launch["made_by_passes"] = bool(pipeline)
        if host:
            launch["host"] = host
    with open(base + ".json", "w") as out:
        json.dump(kernels, out, indent=1)
    ir = 'target triple = "nvptx64-nvidia-cuda"\n' + run(tool("mlir-translate"), "--mlir-to-llvmir", base + ".llvm")
    with open(base + ".ll", "w") as out:
        out.write(ir)
    run(tool("opt"), "-O3", "-mcpu=sm_90a", base + ".ll", "-o", base + ".bc")
    run(tool("llc"), "-O3", "-mcpu=sm_90a", "-mattr=+ptx87", base + ".bc", "-o", base + ".ptx")
    for suffix in (".gpu", ".llvm", ".ll", ".bc"):
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
    parser.add_argument("--only", default="*", help="pattern of module names")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas")
    args = parser.parse_args()
    if not os.path.exists(args.ptxas):
        args.ptxas = None
    faults = []
    for path in sorted(glob.glob(os.path.join(args.folder, args.only + ".mlir"))):
        faults += compile_module(path, args)
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
