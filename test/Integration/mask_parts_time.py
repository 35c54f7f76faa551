#!/usr/bin/env python3
"""Holds the time to compile a mask to its number of parts.

    mask_parts_time.py --tool=attn-translate [--kind=KIND...]

Compiles `or` of 32 and of 128 masks and fails where four times the parts take more
than six times the CPU time: it was eight and more, for bounds that LLVM moved past
one loop after the other.
"""

import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile

FEW, MANY, FACTOR = 32, 128, 6

PARTS = {
    "chunked": lambda n: f"#attn.chunked<{97 + 13 * n}>",
    "window": lambda n: f"#attn.window<left = {100 + 50 * n}, right = {n}>",
    "and": lambda n: f"#attn.and<#attn.window<left = {100 * n + 50}, right = 0>, #attn.chunked<{97 + 13 * n}>>",
}

PROGRAM = """
!t = tensor<1x1x?x64xf32>
func.func @f(%q: !t, %k: !t, %v: !t) -> !t {{
  %out = attn.attention %q, %k, %v mask(#attn.or<{parts}>) : !t, !t, !t -> !t
  return %out : !t
}}
"""


def cpu_seconds(tool, folder, kind, count):
    program = folder / f"{kind}{count}.mlir"
    program.write_text(PROGRAM.format(parts=", ".join(map(PARTS[kind], range(count)))))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([tool, "--attn-to-object", program, "-o", folder / "f.o"], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--kind", nargs="*", choices=PARTS, default=list(PARTS))
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for kind in arguments.kind:
            few, many = (cpu_seconds(arguments.tool, pathlib.Path(folder), kind, count)
                         for count in (FEW, MANY))
            slow = many > FACTOR * few
            failed |= slow
            print(f"{kind}: {few:.2f} s for {FEW} parts, {many:.2f} s for {MANY}: "
                  f"{many / few:.1f} times{', too much' if slow else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
