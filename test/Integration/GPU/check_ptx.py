#!/usr/bin/env python3
"""Holds the compiler to what README's Hopper table says. Needs no GPU.

    check_ptx.py example NAME --tools=BIN      a program in examples
    check_ptx.py attention TYPE HEAD_DIM MASK --tools=BIN
                                               one of benchmarks/gpu/compile.py
    check_ptx.py kernel FILE --tools=BIN       a synchronous attn_gpu kernel
    check_ptx.py table --tools=BIN             every example has its row

A program that the table lists as compiled must become PTX, which ptxas must
assemble without a spill in the main loop (a persistent kernel is a loop as a whole;
what it spills once a query tile is not counted) and without a warning of serialised
products (C75xx). Any other must be refused with the reasons in its row. Exits with
77 where PTX was made, but there is no ptxas to look at it.
"""

import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
ROW = re.compile(r"\| \[(\w+)\]\(examples/\1\.mlir\) \| (.*?) \|$")
PASSES = (
    "builtin.module(attn_gpu.kernel(canonicalize,cse,attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse,"
    "attn-gpu-warp-specialize,canonicalize,cse,attn-gpu-split-loops,canonicalize,cse))"
)
COMPILED = "kernel"


def read_table():
    """What README says of each example: COMPILED, or reasons."""
    text = (ROOT / "README.md").read_text()
    begin, end = (text.index(f"<!-- hopper-table:{edge} -->") for edge in ("begin", "end"))
    return {m[1]: m[2] for m in map(ROW.match, text[begin:end].splitlines()) if m}


def find_ptxas():
    """In the order that the compiler searches in."""
    places = [os.environ.get("ATTN_PTXAS"), os.path.join(os.environ.get("CUDA_HOME", "/nowhere"), "bin", "ptxas"),
              shutil.which("ptxas"), "/usr/local/cuda/bin/ptxas"]
    return next((place for place in places if place and os.path.exists(place)), None)


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True)


def expect_success(done):
    if done.returncode:
        sys.exit(f"{' '.join(done.args)}\n{done.stderr}")
    return done.stdout + done.stderr


def check_ptx(ptx, find_spills):
    """`find_spills()` says what the compiler finds in the machine code."""
    ptxas = find_ptxas()
    if not ptxas:
        print("PTX was made; no ptxas to look at it")
        sys.exit(77)
    said = expect_success(run(ptxas, "-arch=sm_90a", "-v", "-O3", ptx, "-o", ptx.with_suffix(".cubin")))
    print(said)
    faults = [line for line in said.splitlines() if re.search(r"\bC75\d\d\b", line)]
    if not re.search(r"Used \d+ registers", said):
        faults.append("ptxas found no kernel")
    if re.search(r"\b[1-9]\d* bytes spill", said):
        said = find_spills()
        print(said)
        faults += [line for line in said.splitlines()
                   if "spilled in the main loop" in line or re.search(r"in the main loop (?!0 and 0)|not known", line)]
    if faults:
        sys.exit("\n".join(faults))


def check_program(translate, program, folder):
    ptx = folder / "out.ptx"
    warned = expect_success(run(translate, "--attn-to-ptx", program, "-o", ptx))
    if warned:
        sys.exit(f"expected no word from the compiler, got\n{warned}")
    # The manifest has what is no warning, too.
    check_ptx(ptx, lambda: expect_success(run(translate, "--attn-to-manifest", "--device=cuda", program)))


def check_refusal(translate, program, reasons, folder):
    done = run(translate, "--attn-to-ptx", program, "-o", folder / "out.ptx")
    print(done.stderr)
    if done.returncode == 0:
        sys.exit("expected to be refused, was compiled")
    given = re.findall(r"^  (\S.*?: .*)$", done.stderr, re.MULTILINE)
    wanted = reasons.split("; ")
    if given != wanted:
        sys.exit(f"expected the reasons {wanted}, got {given}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["example", "attention", "kernel", "table"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="folder of attn-opt and attn-translate")
    args = parser.parse_args()
    translate = args.tools / "attn-translate"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if args.what == "table":
            listed, there = set(read_table()), {p.stem for p in (ROOT / "examples").glob("*.mlir")}
            if listed != there:
                sys.exit(f"README's Hopper table and examples differ: {sorted(listed ^ there)}")
            return
        if args.what == "example":
            program, row = ROOT / "examples" / f"{args.names[0]}.mlir", read_table().get(args.names[0])
            if row is None:
                sys.exit(f"README's Hopper table has no row for {args.names[0]}")
            if row == COMPILED:
                check_program(translate, program, folder)
            else:
                check_refusal(translate, program, row.replace("`", ""), folder)
            return
        if args.what == "attention":
            spec = importlib.util.spec_from_file_location("compile", ROOT / "benchmarks/gpu/compile.py")
            programs = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(programs)
            element, head_dim, mask = args.names
            program = folder / "program.mlir"
            program.write_text(programs.make_program("attention", element, int(head_dim), mask))
            check_program(translate, program, folder)
            return
        kernel, lowered, ptx = folder / "kernel.mlir", folder / "lowered.mlir", folder / "out.ptx"
        expect_success(run(args.tools / "attn-opt", args.names[0], f"--pass-pipeline={PASSES}", "-o", kernel))
        expect_success(run(args.tools / "attn-opt", kernel, "--attn-gpu-to-llvm", "-o", lowered))
        expect_success(run(translate, "--attn-llvm-to-ptx", lowered, "-o", ptx))
        check_ptx(ptx, lambda: expect_success(run(translate, "--attn-llvm-to-cubin", lowered, "-o", folder / "out.cubin")))


if __name__ == "__main__":
    main()
