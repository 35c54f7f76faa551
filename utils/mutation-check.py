#!/usr/bin/env python3
"""Checks that the numeric sweep notices wrong lowerings.

    utils/mutation-check.py [--build=FOLDER] [--jobs=N] [--only=TEXT]

Each entry of test/Mutations/mutations.toml changes one place of one source. The
changed source, never the tree, is compiled by the command that the build has for
it, and linked into an attn-run of its own before the libraries that hold the
right one. The quick sweep must pass on the attn-run that is built, and fail on
every changed one; a survivor is a hole in the tests. Needs a build by Ninja with
attn-run up to date.
"""

import argparse
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SWEEP = os.path.join(ROOT, "test", "Integration", "CPU")
sys.path.insert(0, SWEEP)
from make_cases import FAMILIES  # noqa: E402


class Failure(Exception):
    pass


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, **options)


class Checker:
    def __init__(self, build):
        self.build = os.path.abspath(build)
        with open(os.path.join(self.build, "compile_commands.json")) as file:
            self.commands = {os.path.realpath(c["file"]): c for c in json.load(file)}
        listing = run(["ninja", "-C", self.build, "-t", "commands", "attn-run"])
        lines = [l for l in listing.stdout.splitlines() if " bin/attn-run " in l + " "]
        if listing.returncode or not lines:
            raise Failure(f"no command links attn-run in {self.build}:\n{listing.stdout[-2000:]}")
        self.link_command = lines[-1]

    def link(self, object_file, binary):
        """Links `binary` as attn-run is, with `object_file` before all libraries."""
        words = self.link_command.split()
        places = [n for n, word in enumerate(words) if word == "bin/attn-run"]
        words[places[-1]] = f"{shlex.quote(binary)} {shlex.quote(object_file)}"
        done = run(" ".join(words), shell=True, cwd=self.build)
        if done.returncode:
            raise Failure(f"does not link:\n{done.stdout[-3000:]}")

    def compile(self, source, text, folder):
        """The object file of `source` with contents `text`."""
        command = self.commands.get(os.path.realpath(source))
        if not command:
            raise Failure(f"{source} is not part of the build")
        changed = os.path.join(folder, os.path.basename(source))
        with open(changed, "w") as out:
            out.write(text)
        words = shlex.split(command["command"])
        object_file = changed + ".o"
        words[words.index("-o") + 1] = object_file
        words[len(words) - 1 - words[::-1].index(command["file"])] = changed
        # Private headers stand beside the source.
        words += ["-iquote", os.path.dirname(source)]
        done = run(words, cwd=command["directory"])
        if done.returncode:
            raise Failure(f"does not compile:\n{done.stdout[-3000:]}")
        return object_file

    def sweep(self, attn_run, families, folder, *options):
        return run([sys.executable, os.path.join(SWEEP, "run_sweep.py"), f"--attn-run={attn_run}",
                    f"--out={folder}", "--size=quick", "--seed=1", "--stop-at-failure", *options, *families])

    def check_right(self, folder):
        done = self.sweep(os.path.join(self.build, "bin", "attn-run"), FAMILIES, folder)
        if done.returncode:
            raise Failure(f"the sweep fails without any mutation:\n{done.stdout[-4000:]}")

    def check(self, number, mutation, folder):
        """Whether the sweep noticed, and by what."""
        source = os.path.join(ROOT, mutation["file"])
        with open(source) as file:
            text = file.read()
        count = text.count(mutation["old"])
        if count != 1:
            raise Failure(f"'old' stands {count} times in {mutation['file']}, expected once")
        folder = os.path.join(folder, str(number))
        os.makedirs(folder)
        object_file = self.compile(source, text.replace(mutation["old"], mutation["new"]), folder)
        binary = os.path.join(folder, "attn-run")
        self.link(object_file, binary)
        # The likely part first: what it notices the whole would notice.
        likely = ["--feature=" + mutation["feature"]] if "feature" in mutation else []
        done = self.sweep(binary, mutation["families"], folder, *likely)
        if not done.returncode:
            done = self.sweep(binary, FAMILIES, folder)
        os.remove(binary)
        caught = [l for l in done.stdout.splitlines() if l.startswith(tuple(FAMILIES))]
        return done.returncode != 0, caught[-1] if caught else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.environ.get("ATTN_BUILD_DIR", os.path.join(ROOT, "build")))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="mutations whose name contains this")
    args = parser.parse_args()
    with open(os.path.join(ROOT, "test", "Mutations", "mutations.toml"), "rb") as file:
        mutations = tomllib.load(file)["mutation"]
    mutations = [m for m in mutations if args.only in m["name"]]
    if not mutations:
        print(f"error: no mutation named '{args.only}'")
        return 1
    start = time.monotonic()
    folder = os.path.join(os.path.abspath(args.build), "mutations")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    wrong = []
    try:
        checker = Checker(args.build)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            right = pool.submit(checker.check_right, os.path.join(folder, "none"))
            futures = [pool.submit(checker.check, n, m, folder) for n, m in enumerate(mutations)]
            names = dict(zip(futures, (m["name"] for m in mutations)))
            for future in concurrent.futures.as_completed(futures):
                name = names[future]
                try:
                    noticed, by = future.result()
                    print(f"{'noticed ' if noticed else 'SURVIVED'}  {name}  ({by})", flush=True)
                except Failure as failure:
                    noticed = False
                    print(f"ERROR     {name}: {failure}", flush=True)
                if not noticed:
                    wrong.append(name)
            right.result()
    except Failure as failure:
        print(f"error: {failure}")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(mutations) - len(wrong)} of {len(mutations)} mutations noticed "
          f"in {time.monotonic() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
