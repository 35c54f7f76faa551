#!/usr/bin/env python3
"""Writes README.md's table of support from the results of the numeric sweep.

    utils/generate-support-table.py [--check] [--results=FOLDER]

Reads the FAMILY.results.json that the sweep's tests leave (`ctest -L sweep`), of
every family, made with the default seed and size. A number is how many
cases passed, each held against the f64 reference. Fails if a row has no passed
case in some element type; with --check also if README.md is not current, and
writes nothing. Results of another seed or size: exit code 77, and no change.
"""

import argparse
import collections
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test", "Integration", "CPU"))
from make_cases import FAMILIES  # noqa: E402

TYPES = ("f32", "bf16", "f16")
# What ctest takes for a test that was left out.
SKIPPED = 77
BEGIN, END = "<!-- support-table:begin -->", "<!-- support-table:end -->"

# A heading, then rows: what a user knows it as, and the feature of the sweep.
ROWS = (
    ("Operands", (
        ("`[B, H, S, D]` tensors", "attention"),
        ("packed sequences, `cu_seqlens`", "packed"),
        ("lengths that count, `seqused`", "seqused"),
        ("grouped query heads (3, 4, 7, 8 per key head)", "group"),
        ("`Dv` other than `D` (192/128)", "value_dim"),
        ("`lse`", "lse"),
        ("sinks", "sinks"),
        ("sinks of +inf and -inf", "sink_infinite"),
        ("a scale of one's own", "scale"),
        ("`top_left` alignment", "top_left"),
    )),
    ("Masks", (
        ("`causal`", "mask:causal"),
        ("`window`, both sides", "mask:window_both"),
        ("`window`, left only", "mask:window_left"),
        ("`window`, right only", "mask:window_right"),
        ("`window_size`", "mask:window_size"),
        ("`prefix`, constant", "mask:prefix_constant"),
        ("`prefix`, per batch", "mask:prefix_operand"),
        ("`chunked`", "mask:chunked"),
        ("`documents`, ids in runs", "documents:sorted"),
        ("`documents`, ids anywhere", "documents:shuffled"),
        ("`and`", "mask:and"),
        ("`or`", "mask:or"),
        ("`region`, arithmetic on positions and heads", "mask:region_blocks"),
        ("`region`, a length per batch", "mask:region_lengths"),
        ("`region`, a dense boolean mask", "mask:region_dense"),
        ("`region`, a table of blocks", "mask:region_table"),
    )),
    ("Score functions", (
        ("softcap", "score:softcap"),
        ("ALiBi", "score:alibi"),
        ("relative bias from a table", "score:relative_bias"),
        ("dense bias", "score:bias"),
        ("dense bias, broadcast over the batch", "score:bias_broadcast"),
        ("bias per key", "score:bias_keys"),
        ("scores of -inf as a mask", "score:minus_inf"),
    )),
    ("Memory", (
        ("dense", "layout:dense"),
        ("`[B, H, S, D]` that lies as `[B, S, H, D]` (a transposed view)", "layout:bshd"),
        ("odd strides", "layout:padded"),
        ("broadcast over batch (stride 0)", "layout:broadcast_batch"),
        ("broadcast over heads (stride 0)", "layout:broadcast_heads"),
        ("negative strides", "layout:reversed"),
        ("strides beyond 2^31 elements", "layout:huge"),
        ("NaN and infinities where no row looks", "hidden_garbage"),
        ("NaN where rows look, which must show", "visible_nan"),
        ("scores up to 1e4", "large_scores"),
    )),
)


def read_results(folder):
    """Passed cases by feature and type, and what is wrong with the results."""
    counts = collections.defaultdict(collections.Counter)
    faults = []
    for family in FAMILIES:
        path = os.path.join(folder, f"{family}.results.json")
        if not os.path.exists(path):
            faults.append(f"{path} is missing")
            continue
        with open(path) as file:
            results = json.load(file)
        if results["size"] != "ci" or results["seed"] != 1:
            print(f"{path} is of size {results['size']}, seed {results['seed']}: "
                  "the table is made from ci and 1")
            sys.exit(SKIPPED)
        if results["failed"]:
            faults.append(f"{path} has {results['failed']} failed cases")
        for feature, by_type in results["passed"].items():
            counts[feature].update(by_type)
    if faults:
        faults.append("run: ctest -L sweep")
    return counts, faults


def make_table(counts):
    """The lines of the table, and the rows that no case stands behind."""
    lines = ["| cases that passed | " + " | ".join(TYPES) + " |", "| --- |" + " ---: |" * len(TYPES)]
    faults = []
    for heading, rows in ROWS:
        lines.append(f"| **{heading}** |" + " |" * len(TYPES))
        for label, feature in rows:
            numbers = [counts[feature][type] for type in TYPES]
            faults += [f"'{label}' has no passed case in {type}"
                       for type, number in zip(TYPES, numbers) if not number]
            lines.append(f"| {label} | " + " | ".join(map(str, numbers)) + " |")
    return "\n".join(lines), faults


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    build = os.environ.get("ATTN_BUILD_DIR", os.path.join(ROOT, "build"))
    parser.add_argument("--results", default=os.path.join(build, "sweep"))
    args = parser.parse_args()
    counts, faults = read_results(args.results)
    table, missing = make_table(counts)
    path = os.path.join(ROOT, "README.md")
    with open(path) as file:
        text = file.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        faults.append(f"README.md expected one {BEGIN} and one {END}")
    if faults or missing:
        for fault in faults + missing:
            print(f"error: {fault}")
        return 1
    head, _, rest = text.partition(BEGIN)
    current = f"{head}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}"
    if current == text:
        return 0
    if args.check:
        print("error: README.md's table of support is not current; "
              "run utils/generate-support-table.py")
        return 1
    with open(path, "w") as out:
        out.write(current)
    return 0


if __name__ == "__main__":
    sys.exit(main())
