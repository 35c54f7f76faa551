#!/usr/bin/env python3
"""Draws what benchmarks/gpu/attention.py has measured.

    benchmarks/gpu/plot.py RESULTS.json... [--out=docs/figures] [--prefix=attention]

One SVG for each element type, head dimension and mask: TFLOP/s by sequence length,
ours and the peers. Several files must be of one device; of a measurement that stands
in several, the last counts. Needs matplotlib.
"""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Peers keep their colours in all figures; ours go from the first on.
PEERS = {
    "cudnn": ("cuDNN", "#4c72b0", "s"),
    "triton": ("Triton", "#dd8452", "^"),
    "flex": ("FlexAttention", "#8172b3", "v"),
    "flex-tma": ("FlexAttention, USE_TMA", "#937860", "<"),
    "flex-tuned": ("FlexAttention, max-autotune", "#8c8c8c", ">"),
}
OURS = ["#c44e52", "#55a868", "#64b5cd", "#ccb974", "#da8bc3", "#1b7837", "#000000"]


def read(files):
    """The devices, and {(type, head dimension, mask): {length: {label: TFLOP/s}}}."""
    devices, figures = set(), {}
    for file in files:
        facts = json.loads(file.read_text())
        devices.add(facts["device"])
        for row in facts["rows"]:
            lengths = figures.setdefault((row["type"], row["head_dim"], row["mask"]), {})
            lengths.setdefault(row["length"], {}).update(row["tflops"])
    return devices, figures


def styles(labels):
    """What each label is called and how it is drawn. Ours are in front, by name."""
    ours = [label for label in labels if label not in PEERS]
    known = {label: PEERS[label] for label in PEERS if label in labels}
    for n, label in enumerate(ours):
        variant = label.partition(":")[2]
        name = "attn-mlir" if len(ours) == 1 else variant or label
        known[label] = (name, OURS[n % len(OURS)], "o")
    return known


def thousands(length):
    return f"{length // 1024}k" if length % 1024 == 0 else str(length)


def draw(plt, key, lengths, device, path):
    element, head_dim, mask = key
    labels = list(dict.fromkeys(label for rates in lengths.values() for label in rates))
    figure, axes = plt.subplots(figsize=(6.4, 4.0))
    for label, (name, colour, marker) in styles(labels).items():
        points = [(n, lengths[n][label]) for n in sorted(lengths) if label in lengths[n]]
        ours = label not in PEERS
        axes.plot(*zip(*points), label=name, color=colour, marker=marker, markersize=5,
                  linewidth=2 if ours else 1.3, zorder=3 if ours else 2)
    ticks = sorted(lengths)
    axes.set_xscale("log", base=2)
    axes.set_xticks(ticks, [thousands(n) for n in ticks])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("queries and keys")
    axes.set_ylabel("TFLOP/s")
    axes.set_title(f"{element}, head dimension {head_dim}, {mask}; {device}", fontsize=10)
    axes.grid(True, linewidth=0.5, alpha=0.5)
    axes.legend(fontsize=8, loc="lower right")
    figure.tight_layout()
    # Without a date, so that the same numbers are the same file.
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, nargs="+")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "figures")
    parser.add_argument("--prefix", default="attention", help="begin of the files' names")
    arguments = parser.parse_args()
    try:
        import matplotlib

        matplotlib.use("svg")
        import matplotlib.pyplot as plt
    except ModuleNotFoundError:
        sys.exit("plot.py needs matplotlib")
    # Numbers of parts instead of random ones.
    matplotlib.rcParams["svg.hashsalt"] = "attn-mlir"
    matplotlib.rcParams["svg.fonttype"] = "none"  # text, not outlines
    devices, figures = read(arguments.results)
    if len(devices) != 1:
        sys.exit(f"expected results of one device, got {', '.join(sorted(devices))}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for key, lengths in figures.items():
        path = arguments.out / ("_".join([arguments.prefix, *map(str, key)]) + ".svg")
        draw(plt, key, lengths, *devices, path)
        print(path)


if __name__ == "__main__":
    main()
