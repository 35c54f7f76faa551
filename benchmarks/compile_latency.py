#!/usr/bin/env python3
"""Time from a program's text to its object file, process start included.

Runs attn-translate --attn-to-object on each program several times and reports
medians: wall-clock time, and CPU time of the whole process, which other work on
the machine hardly changes. With --limit it fails where the least CPU time of a
program is above so many seconds.

  benchmarks/compile_latency.py [--runs 5] [--limit SECONDS] [PROGRAM...]
"""

import argparse
import pathlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def compile_once(tool, program, output):
    """Wall-clock seconds and CPU seconds of one compilation."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [tool, "--attn-to-object", "--cpu=host", program, "-o", output], check=True
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    build = os.environ.get("ATTN_BUILD_DIR", ROOT / "build")
    parser.add_argument("--tool", default=pathlib.Path(build) / "bin/attn-translate")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, help="CPU seconds that no program may need")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    programs = arguments.programs or sorted((ROOT / "examples").glob("*.mlir"))
    if not programs:
        parser.error("no programs")
    if not pathlib.Path(arguments.tool).exists():
        parser.error(f"not built: {arguments.tool}; build first (README.md), or name it by --tool")

    slow = []
    print("| program | wall ms, median | CPU ms, median | CPU ms, least | object KiB |")
    print("| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "program.o"
        for program in programs:
            runs = [
                compile_once(arguments.tool, program, output)
                for _ in range(arguments.runs)
            ]
            walls, cpus = zip(*runs)
            milliseconds = (statistics.median(walls), statistics.median(cpus), min(cpus))
            cells = [program.stem, *(f"{1e3 * t:.0f}" for t in milliseconds)]
            print("| " + " | ".join(cells) + f" | {output.stat().st_size / 1024:.0f} |")
            if arguments.limit is not None and min(cpus) > arguments.limit:
                slow.append(f"{program.name}: {min(cpus):.2f} s")
    if slow:
        sys.exit(f"more than {arguments.limit} s of CPU time: " + ", ".join(slow))


if __name__ == "__main__":
    main()
