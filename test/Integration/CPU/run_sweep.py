#!/usr/bin/env python3
"""Runs families of the numeric sweep through attn-run.

    run_sweep.py --attn-run=BIN --out=FOLDER FAMILY... [--seed=N]
                 [--size=quick|ci|full] [--feature=TEXT] [--stop-at-failure]

Cases are made from the seed (see make_cases.py), compiled, run, and held
against the reference by attn-run's own rule. Writes FOLDER/FAMILY.results.json
with, for every feature and element type, how many cases passed. The exit code is
0 only if every case passed; each failing case is printed with its errors and the
command that runs it alone.

ATTN_SWEEP_SIZE and ATTN_SWEEP_SEED give defaults for --size and --seed.
"""

import argparse
import collections
import json
import os
import shlex
import subprocess
import sys

from make_cases import FAMILIES, SHARE, write_family


def command_of(attn_run, case, options):
    """The command that runs `case` alone."""
    command = [attn_run, case["file"], f"--function={case['function']}", "--check"]
    command += [f"--shape={','.join(case['shapes'])}", f"--seed={case['seed']}"]
    if "layouts" in case:
        command.append("--layout=" + ",".join(f"{n}:{l}" for n, l in case["layouts"].items()))
    if "plants" in case:
        command.append("--plant=" + ",".join(case["plants"]))
    for key in ("amplitude", "documents"):
        if key in case:
            command.append(f"--{key}={case[key]}")
    return shlex.join(command + options)


def count_passed(cases):
    """Passed cases by feature and type: {feature: {type: number}}."""
    counts = collections.defaultdict(collections.Counter)
    for case in cases:
        if not case["passed"] or not case["checked"]:
            continue
        types = [tag[5:] for tag in case["tags"] if tag.startswith("type:")]
        for tag in case["tags"]:
            if not tag.startswith("type:"):
                counts[tag][types[0]] += 1
    return counts


def run_family(attn_run, family, folder, seed, size, feature=None):
    """The number of cases that did not pass."""
    functions, cases = write_family(family, folder, seed, size, feature)
    options = FAMILIES[family][1]
    if not any(option.startswith("--threads") for option in options):
        options = options + ["--threads=1"]
    place = lambda suffix: os.path.join(folder, family + suffix)
    # What an earlier run left must not count for this one.
    for suffix in (".report.json", ".results.json"):
        if os.path.exists(place(suffix)):
            os.remove(place(suffix))
    run = subprocess.run(
        [attn_run, f"--cases={place('.json')}", f"--report={place('.report.json')}"] + options,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if not os.path.exists(place(".report.json")):
        sys.stdout.write(run.stdout[-2000:] + run.stderr[-4000:])
        started = run.stdout.count("\n[") + run.stdout.startswith("[")
        print(f"{family}: attn-run ended with {run.returncode} and no report")
        if 0 < started <= len(cases):
            print("near case: " + command_of(attn_run, cases[started - 1], options))
        return len(cases)
    with open(place(".report.json")) as file:
        report = json.load(file)
    done = report["cases"]
    failed = 0
    for case, result in zip(cases, done):
        if result["passed"]:
            continue
        failed += 1
        print(f"FAIL {' '.join(case['tags'])}")
        for error in result["errors"]:
            print(f"  {error}")
        print("  " + command_of(attn_run, case, options))
    if len(done) != len(cases):
        # A function that cannot be parsed leaves no entry for its cases.
        sys.stdout.write(run.stderr[-4000:])
        failed += len(cases) - len(done)
    if run.returncode != 0 and not failed:
        sys.stdout.write(run.stderr[-4000:])
        print(f"{family}: attn-run ended with {run.returncode}")
        failed = 1
    with open(place(".results.json"), "w") as file:
        json.dump({"family": family, "seed": seed, "size": size, "functions": functions,
                   "cases": len(cases), "failed": failed, "passed": count_passed(done)},
                  file, indent=1, sort_keys=True)
    print(f"{family}: {functions} functions, {len(cases)} cases, {failed} failed "
          f"(seed {seed}, size {size})")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="+", choices=FAMILIES, metavar="FAMILY")
    parser.add_argument("--attn-run", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ATTN_SWEEP_SEED", 1)))
    parser.add_argument("--size", choices=SHARE, default=os.environ.get("ATTN_SWEEP_SIZE", "ci"))
    parser.add_argument("--stop-at-failure", action="store_true",
                        help="leave out the families after the first that fails")
    parser.add_argument("--feature", help="only cases with this feature, as in mask:causal")
    args = parser.parse_args()
    failed = 0
    for family in args.families:
        failed += run_family(args.attn_run, family, args.out, args.seed, args.size, args.feature)
        if failed and args.stop_at_failure:
            break
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
