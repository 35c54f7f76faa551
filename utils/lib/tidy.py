"""Runs clang-tidy-22 over every source that the build compiles, once per content.

A source is clean for good once clang-tidy has passed it with the same
configuration, compiler arguments and project headers: their hash is kept in a
cache outside the tree. Without the cache a run takes about 8 CPU seconds a file.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def dependencies(build):
    """The project's own headers that each object was compiled from."""
    text = subprocess.run(
        ["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True
    ).stdout
    found, current = {}, None
    for line in text.splitlines():
        if line.startswith("    "):
            path = (pathlib.Path(build) / line.strip()).resolve()
            if current is not None and path.is_relative_to(ROOT):
                current.append(path)
        elif ": #deps" in line:
            current = found.setdefault(line.split(": #deps")[0], [])
    return found


def key(entry, headers, common):
    digest = hashlib.sha256(common)
    digest.update(entry["command"].replace(str(ROOT), "").encode())
    for path in sorted({pathlib.Path(entry["file"]).resolve(), *headers}):
        # Generated headers follow from the .td files that they were made of, and
        # differ in nothing else: their content decides like any other's.
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes() if path.exists() else b"gone")
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--budget", type=float, default=900, help="seconds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    home = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
    cache = pathlib.Path(home) / "attn-mlir" / "tidy"
    cache.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(
        ["clang-tidy-22", "--version"], capture_output=True, check=True
    ).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes()

    entries = json.loads((pathlib.Path(options.build) / "compile_commands.json").read_text())
    deps = dependencies(options.build)
    todo, clean = [], 0
    for entry in entries:
        path = pathlib.Path(entry["file"]).resolve()
        if not path.is_relative_to(ROOT) or path.is_relative_to(pathlib.Path(options.build).resolve()):
            continue
        output = re.search(r" -o (\S+)", entry["command"]).group(1)
        stamp = cache / key(entry, deps.get(output, []), common)
        if stamp.exists():
            stamp.touch()
            clean += 1
        else:
            todo.append((path, stamp))

    deadline = time.monotonic() + options.budget

    def check(item):
        path, stamp = item
        if time.monotonic() > deadline:
            return path, None, ""
        run = subprocess.run(
            ["clang-tidy-22", "-p", options.build, "--quiet", str(path)],
            capture_output=True,
            text=True,
        )
        if run.returncode == 0:
            stamp.touch()
        return path, run.returncode == 0, run.stdout + run.stderr

    failed, skipped = 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, passed, output in pool.map(check, todo):
            if passed is None:
                skipped += 1
            elif not passed:
                failed += 1
                print(f"{path.relative_to(ROOT)}:\n{output}", flush=True)
    # Stamps of contents long gone would pile up.
    for stamp in cache.iterdir():
        if time.time() - stamp.stat().st_mtime > 60 * 24 * 3600:
            stamp.unlink()
    print(
        f"clang-tidy: {clean + len(todo) - failed - skipped} files clean"
        f" ({clean} of them known to be), {failed} with faults,"
        f" {skipped} not reached within {options.budget:.0f} s",
        file=sys.stderr,
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
