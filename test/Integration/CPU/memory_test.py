#!/usr/bin/env python3
"""Peak memory of a call grows with S, not with S^2.

    memory_test.py --attn-run=BIN --out=FOLDER

Runs attn-run for S = 1024 to 8192 and reads each process's peak resident size.
What it grows by may be a small multiple of what the tensors grow by; a score
matrix of S x S, even of single bytes, would be several times more. As a control,
a function that is handed an S x S bias must exceed that bound.
"""

import argparse
import os
import subprocess
import sys

from attention_programs import Program

LENGTHS = (1024, 2048, 4096, 8192)
PROGRAMS = {
    "dense": (Program(type="f32", d=64, lse=True), []),
    "causal": (Program(type="bf16", d=64, mask="causal", scores=("softcap",)), []),
    "documents": (Program(type="f16", d=64, mask=("and", "causal", "documents")), []),
    "packed": (Program(type="f32", d=64, mask="causal", packed=True), []),
    "split": (Program(type="f32", d=64, mask="causal"), ["--key-parts=4"]),
}
CONTROL = Program(type="f32", d=64, scores=("bias",))
MIB = 1 << 20
# Allocators round up, and the kernel counts in batches of pages per thread.
NOISE = 6 * MIB


def tensor_bytes(program, length):
    size = {"f32": 4, "bf16": 2, "f16": 2}[program.type]
    return (2 * program.d + 2 * program.value_dim) * length * size


def peak(attn_run, path, program, length, options):
    """Peak resident bytes of attn-run on one head of `length` rows and keys."""
    shapes = program.shapes(1, 1, 1, length, length)
    specs = ",".join(f"{n}:{'x'.join(map(str, s))}" for n, s in shapes.items())
    command = [attn_run, path, f"--shape={specs}", "--threads=1", *options]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}")
    return usage.ru_maxrss * 1024


def growth(attn_run, folder, name, program, options):
    """Growth in bytes at each length over the first, and the bound for it."""
    path = os.path.join(folder, f"memory-{name}.mlir")
    with open(path, "w") as out:
        out.write(program.text("f"))
    first = peak(attn_run, path, program, LENGTHS[0], options)
    grown = []
    for length in LENGTHS[1:]:
        more = peak(attn_run, path, program, length, options) - first
        bound = 3 * (tensor_bytes(program, length) - tensor_bytes(program, LENGTHS[0])) + NOISE
        grown.append((length, more, bound))
    print(f"{name}: {first / MIB:.1f} MiB at {LENGTHS[0]}, then "
          + ", ".join(f"+{m / MIB:.1f} at {l} (bound {b / MIB:.1f})" for l, m, b in grown))
    return grown


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--attn-run", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    wrong = []
    for name, (program, options) in PROGRAMS.items():
        grown = growth(args.attn_run, args.out, name, program, options)
        wrong += [f"{name} at {length}" for length, more, bound in grown if more > bound]
    length, more, bound = growth(args.attn_run, args.out, "control", CONTROL, [])[-1]
    if more <= bound:
        wrong.append("the control: an S x S tensor goes unnoticed")
    if wrong:
        print("grows faster than the tensors: " + ", ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
