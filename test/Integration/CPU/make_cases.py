#!/usr/bin/env python3
"""Samples attention functions and cases of one family from a seed.

    make_cases.py FAMILY FOLDER [--seed=N] [--size=quick|ci|full]

Writes FOLDER/FAMILY.mlir and FOLDER/FAMILY.json, which attn-run takes by
--cases. The same family, seed and size give the same files everywhere.
"""

import argparse
import itertools
import json
import os
import random

from attention_programs import MASKS, REGIONS, SCORES, Program

TYPES = ("f32", "bf16", "f16")
LENGTHS = (0, 1, 2, 3, 17, 64, 97, 113, 128, 200, 257, 1023, 1025)
HEAD_DIMS = ((16, 0), (40, 0), (64, 0), (80, 0), (96, 0), (128, 0), (192, 128), (256, 0))
GROUPS = (1, 3, 4, 7, 8)
ALL_MASKS = tuple(MASKS) + tuple(REGIONS)
LAYOUTS = ("dense", "bshd", "padded", "broadcast_batch", "broadcast_heads", "reversed", "huge")
# Results must not overlap, so none of them is broadcast.
RESULT_LAYOUTS = ("dense", "bshd", "padded", "reversed", "huge")
# Multiply-adds of the largest case: the reference is a plain loop.
BUDGET = {"quick": 2e7, "ci": 1.4e8, "full": 6e8}
# How much of a sampled family is taken.
SHARE = {"quick": 0.25, "ci": 1.0, "full": 5.0}


class Sampler:
    """The functions and cases of one family."""

    def __init__(self, family, seed, size):
        self.random = random.Random(f"{seed}/{family}")
        self.family = family
        self.seed = seed
        self.size = size
        self.programs = []
        self.cases = []

    def count(self, n):
        return max(1, round(n * SHARE[self.size]))

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *items):
        return self.random.choice(items)

    def type_of(self, n):
        """One of the types in turn, so that each is met."""
        return TYPES[n % len(TYPES)]

    def add(self, program):
        self.programs.append(program)
        return len(self.programs) - 1

    def heads(self, program, rows, keys, batch=None, group=None):
        """Batch, key/value heads and group that the budget allows."""
        batch = batch if batch is not None else self.pick(1, 2, 3)
        kv_heads = self.pick(1, 2, 3)
        group = group if group is not None else self.pick(*GROUPS)
        width = max(rows, 1) * max(keys, 1) * (program.d + program.value_dim)
        room = BUDGET[self.size] / width
        while batch * kv_heads * group > room:
            if kv_heads > 1:
                kv_heads = 1
            elif batch > 1 and not program.packed:
                batch = 1
            elif group > 1:
                group = 1
            else:
                break
        return batch, kv_heads, group

    def length(self):
        lengths = LENGTHS if self.size != "quick" else LENGTHS[:-2]
        return self.pick(*lengths)

    def case(self, number, rows=None, keys=None, batch=None, group=None, layouts=None,
             plants=None, amplitude=None, documents=None, tags=()):
        program = self.programs[number]
        if rows is None:
            rows = self.length()
            # As often as not queries and keys are equally many.
            keys = keys if keys is not None else (rows if self.chance(0.4) else self.length())
        if program.packed and batch is None:
            batch = self.pick(1, 2, 5, 9)
        batch, kv_heads, group = self.heads(program, rows, keys, batch, group)
        shapes = program.shapes(batch, kv_heads, group, rows, keys)
        found = program.features() | set(tags)
        found.add("group" if group > 1 else "one_head_per_kv_head")
        case = {
            "file": f"{self.family}.mlir",
            "function": f"f{number}",
            "check": True,
            "seed": self.random.randrange(1 << 20),
            "shapes": [
                f"{name}:{'x'.join(map(str, shape))}" for name, shape in shapes.items()
            ],
        }
        if layouts:
            case["layouts"] = layouts
            found |= {f"layout:{layout}" for layout in layouts.values()}
        if plants:
            case["plants"] = plants
            found.add("planted")
        if amplitude is not None:
            case["amplitude"] = amplitude
            found.add("large_scores")
        if documents is not None:
            case["documents"] = documents
        elif "documents" in program.masks():
            case["documents"] = self.pick("sorted", "shuffled")
        if "documents" in case:
            found.add(f"documents:{case['documents']}")
        case["tags"] = sorted(found) + [f"type:{program.type}"]
        self.cases.append(case)

    def any_mask(self):
        """No mask, one, or two combined with at most one region."""
        shape = self.random.random()
        if shape < 0.15:
            return None
        if shape < 0.65:
            return self.pick(*ALL_MASKS)
        return self.pair(*self.random.sample(ALL_MASKS, 2))

    def pair(self, a, b):
        if a in REGIONS and b in REGIONS:
            a = self.pick(*MASKS)
        return (self.pick("and", "or"), a, b)

    def any_program(self, number):
        """Any combination of features."""
        packed = self.chance(0.25)
        mask = self.any_mask()
        scores = tuple(self.random.sample(list(SCORES), self.pick(0, 0, 1, 1, 2)))
        # Maps over local i and j of packed operands have no single extent.
        if packed and ({"region_dense"} & set(flatten(mask))):
            mask = "causal"
        if packed:
            scores = tuple(s for s in scores if not s.startswith("bias"))
        d, dv = self.pick(*HEAD_DIMS)
        return Program(
            type=self.type_of(number), d=d, dv=dv, mask=mask, top_left=self.chance(0.3),
            scores=scores, scale=self.pick(0.0, 0.0, 0.05, 0.3),
            sinks=self.pick("", "", "f32", "bf16"), lse=self.chance(0.5), packed=packed,
            used_q=self.chance(0.2), used_kv=self.chance(0.2))


def flatten(mask):
    return Program(mask=mask).masks()


# -----------------------------------------------------------------------------
# Families
# -----------------------------------------------------------------------------


def lengths(s):
    """Every pair of lengths, and the alignments."""
    numbers = [
        s.add(Program(type=type, d=d, mask=mask, top_left=top_left, lse=True))
        for type, d in (("f32", 40), ("bf16", 64), ("f16", 16))
        for mask, top_left in ((None, False), ("causal", False), ("causal", True))
    ]
    pairs = list(itertools.product(LENGTHS, LENGTHS))
    if s.size == "quick":
        pairs = [p for p in pairs if max(p) <= 257][::4]
    for n, (rows, keys) in enumerate(pairs):
        chosen = numbers if s.size == "full" else [numbers[(n + t) % 9] for t in (0, 4)]
        for number in chosen:
            s.case(number, rows, keys)


def heads(s):
    """Head dimensions and groups."""
    for n, (d, dv) in enumerate(HEAD_DIMS):
        for type in TYPES if s.size != "quick" else [s.type_of(n)]:
            number = s.add(Program(type=type, d=d, dv=dv, mask="causal", lse=True))
            for group in GROUPS:
                rows, keys = s.pick((17, 97), (113, 113), (64, 200), (97, 64), (1, 257))
                s.case(number, rows, keys, group=group)


def masks(s):
    """Each mask alone, in each type, in both alignments."""
    for n, mask in enumerate(ALL_MASKS):
        for t, type in enumerate(TYPES):
            if s.size == "quick" and (n + t) % 3:
                continue
            number = s.add(Program(type=type, d=s.pick(16, 40, 64), mask=mask,
                                   top_left=(n + t) % 2 == 1, lse=s.chance(0.5)))
            for _ in range(s.count(7)):
                s.case(number)
            s.case(number, 200, 113)
            s.case(number, 113, 200)


def boundaries(s):
    """Bounds at every place of a small tile: what is off by one shows here."""
    choices = ("causal", "window_both", "window_left", "window_right", "window_size",
               "prefix_constant", "prefix_operand", "chunked", ("or", "prefix_constant", "causal"))
    for n, mask in enumerate(choices):
        number = s.add(Program(type=s.type_of(n), d=16, mask=mask, lse=True))
        for keys in range(40, 72):
            s.case(number, 33, keys, batch=2, group=3)
        number = s.add(Program(d=16, mask=mask, top_left=True))
        s.case(number, 50, 33)
        s.case(number, 33, 97)


def mask_pairs(s):
    """Masks in pairs by and, or; three deep."""
    pairs = [p for p in itertools.combinations(ALL_MASKS, 2)
             if not (p[0] in REGIONS and p[1] in REGIONS)]
    chosen = [(op, *p) for p in pairs for op in ("and", "or")]
    s.random.shuffle(chosen)
    if s.size != "full":
        chosen = chosen[: s.count(48)]
    for n, mask in enumerate(chosen):
        if n % 6 == 5:
            mask = (s.pick("and", "or"), mask, s.pick(*MASKS))
        number = s.add(Program(type=s.type_of(n), d=s.pick(16, 64), mask=mask,
                               top_left=s.chance(0.3), lse=s.chance(0.5)))
        for _ in range(4):
            s.case(number)
        s.case(number, 113, 257)


def scores(s):
    """Score functions alone, in pairs, and with masks; scales."""
    programs = [Program(type=t, d=s.pick(16, 64, 80), mask=s.pick(None, "causal"), scores=(f,), lse=True)
                for f in SCORES for t in TYPES]
    pairs = list(itertools.permutations(SCORES, 2))
    s.random.shuffle(pairs)
    programs += [Program(type=s.type_of(n), d=s.pick(16, 64), mask=s.any_mask(), scores=p,
                         top_left=s.chance(0.3))
                 for n, p in enumerate(pairs[: s.count(14)])]
    programs += [Program(type=t, d=64, scale=scale, mask="causal", lse=True)
                 for t, scale in (("f32", 1.0), ("bf16", 0.02), ("f16", 0.7))]
    if s.size == "quick":
        programs = programs[::3]
    for program in programs:
        number = s.add(program)
        for _ in range(5):
            s.case(number)
        s.case(number, 97, 200)


def layouts(s):
    """Every layout of every tensor."""
    for n in range(s.count(12)):
        program = Program(type=s.type_of(n), d=s.pick(16, 40, 64, 128), lse=True,
                          mask=s.pick(None, "causal", "documents", "region_dense"),
                          scores=s.pick((), ("alibi",), ("bias",), ("bias_broadcast",)))
        number = s.add(program)
        every = [{name: layout for name in ("q", "k", "v")} for layout in LAYOUTS]
        every += [{name: layout for name in ("out", "lse")} for layout in RESULT_LAYOUTS[1:]]
        for _ in range(4):
            chosen = {name: s.pick(*LAYOUTS) for name in ("q", "k", "v")}
            chosen |= {name: s.pick(*RESULT_LAYOUTS) for name in ("out", "lse")}
            chosen |= {name: s.pick("dense", "padded", "reversed", "broadcast_batch")
                       for name in ("bias", "bias0", "table", "q_ids", "kv_ids") if name in program.types()}
            every.append(chosen)
        for chosen in every:
            # Rank 3 is too small for `bshd` of lse's heads and rows to differ.
            s.case(number, *s.pick((17, 97), (113, 64), (97, 97), (1, 200)), layouts=chosen)


def seqused(s):
    """Lengths that count, shorter than the tensors; the rest is poisoned."""
    for n in range(s.count(18)):
        used_q, used_kv = ((True, True), (True, False), (False, True))[n % 3]
        mask = (None, "causal", "window_both", "prefix_operand", "documents", "chunked",
                "region_blocks", ("or", "prefix_constant", "causal"))[n % 8]
        number = s.add(Program(type=s.type_of(n // 3), d=s.pick(16, 64), mask=mask, lse=True,
                               top_left=s.chance(0.3), used_q=used_q, used_kv=used_kv,
                               sinks=s.pick("", "", "f32")))
        for _ in range(6):
            s.case(number, batch=s.pick(2, 3, 5))


def packed(s):
    """Sequences one after the other, some empty."""
    choices = (None, "causal", "window_both", "window_size", "prefix_operand", "prefix_constant",
               "documents", "chunked", "region_blocks", "region_lengths",
               ("and", "causal", "documents"), ("or", "prefix_operand", "causal"))
    for n in range(s.count(24)):
        number = s.add(Program(type=s.type_of(n + n // 12), d=s.pick(16, 64, 128), packed=True, lse=s.chance(0.7),
                               mask=choices[n % len(choices)], top_left=s.chance(0.3),
                               scores=s.pick((), (), ("softcap",), ("alibi",), ("relative_bias",)),
                               sinks=s.pick("", "", "f32"), used_q=n % 5 == 4, used_kv=n % 4 == 3))
        for _ in range(6):
            s.case(number)


def sinks(s):
    """Sinks of every type, finite and not, with and without visible keys."""
    for n, (type, sink) in enumerate(itertools.product(TYPES, TYPES)):
        if s.size == "quick" and n % 3:
            continue
        number = s.add(Program(type=type, d=s.pick(16, 64), sinks=sink, lse=True,
                               mask=s.pick(None, "causal", ("and", "causal", "window_size"))))
        for _ in range(4):
            s.case(number)
        s.case(number, 200, 97)
        s.case(number, 17, 0)
        for value in ("inf", "-inf"):
            s.case(number, 97, 113, plants=[f"sinks:0={value}"], tags=["sink_infinite"])


def plant(name, head, key, dim, value):
    return f"{name}:0x{head}x{key}x{dim}={value}"


def garbage(s):
    """NaN and infinities where no row sees them, and where rows do."""
    bad = ("nan", "inf", "-inf")
    for n in range(s.count(9)):
        type = s.type_of(n)
        common = dict(type=type, d=s.pick(16, 64), lse=True)

        def hidden(number, rows, keys, key, extra=()):
            for value in bad:
                plants = [plant("k", 0, key, s.pick(0, 5, 15), value),
                          plant("v", 0, key, s.pick(0, 5, 15), value)]
                s.case(number, rows, keys, plants=plants + list(extra), tags=["hidden_garbage"],
                       documents="sorted" if extra else None)

        # Keys after the last query, in a tile that others see.
        hidden(s.add(Program(mask="causal", top_left=True, **common)), 70, 100, s.pick(70, 75, 99))
        # Keys before the window of the first query.
        hidden(s.add(Program(mask=("and", "causal", "window_size"), **common)), 20, 200, s.pick(0, 100, 147))
        hidden(s.add(Program(mask="prefix_constant", **common)), 33, 90, s.pick(50, 51, 89))
        # A document that no query belongs to.
        hidden(s.add(Program(mask="documents", **common)), 97, 113, 40, ["kv_ids:0x40=99"])
        # A bias of -inf hides a key of every row.
        number = s.add(Program(scores=("bias_keys",), **common))
        for value in bad:
            s.case(number, 65, 130, plants=["biask:0x99=-inf", plant("v", 0, 99, 3, value)],
                   tags=["hidden_garbage"])
        # Scores of -inf weigh nothing, their values included.
        hidden(s.add(Program(scores=("minus_inf",), **common)), 65, 130, s.pick(2, 7, 127))
        # Chunks without queries.
        hidden(s.add(Program(mask="chunked", top_left=True, **common)), 40, 130, s.pick(48, 60, 129))

        # A key that some rows see: exactly those rows are NaN.
        number = s.add(Program(mask="causal", **common))
        for key in (0, 50, 96):
            s.case(number, 97, 97, plants=[plant("k", 0, key, 3, "nan")], tags=["visible_nan"])
            s.case(number, 97, 97, plants=[plant("k", 0, key, 3, s.pick("inf", "-inf"))], tags=["visible_inf"])
        # A value that some rows see: it may spread in its sequence, no further.
        for key in (0, 50, 96):
            for value in bad:
                s.case(number, 97, 97, batch=2, group=3, plants=[plant("v", 0, key, 3, value)],
                       tags=["visible_value"])
        number = s.add(Program(mask="causal", packed=True, **common))
        for key in (0, 50, 96):
            s.case(number, 97, 97, batch=3, plants=[f"v:{key}x0x3={s.pick(*bad)}"], tags=["visible_value"])
        # A value that every row sees, a query row, a key of all rows.
        number = s.add(Program(**common))
        for rows, keys, key in ((97, 113, 112), (17, 200, 0), (1, 64, 63), (128, 128, 77)):
            s.case(number, rows, keys, plants=[plant("v", 0, key, 7, "nan")], tags=["visible_nan"])
            s.case(number, rows, keys, plants=[plant("k", 0, key, 7, "nan")], tags=["visible_nan"])
            s.case(number, rows, keys, plants=[plant("q", 0, 0, 7, "nan")], tags=["visible_nan"])
            s.case(number, rows, keys, plants=[plant("k", 0, key, 7, "-inf")], tags=["visible_inf"])


def extremes(s):
    """Scores up to 1e4 and beyond in size, rows without keys, first tiles without
    keys.

    An amplitude of 2500 gives scores of that deviation: 1e4 at four of them.
    """
    choices = (None, "causal", "window_both", "chunked", "documents", ("and", "causal", "window_size"))
    for n in range(s.count(12)):
        type = s.type_of(n)
        mask = choices[(n // 3 + n) % len(choices)]
        number = s.add(Program(type=type, d=s.pick(16, 64, 128), lse=True, mask=mask,
                               scores=s.pick((), (), ("softcap",), ("alibi",))))
        for amplitude in (30.0, 1000.0, 2500.0, 4000.0):
            s.case(number, 97, 200, batch=3, group=8, amplitude=amplitude)
            s.case(number, 257, 113, amplitude=amplitude)
        s.case(number, 200, 17)
        s.case(number, 257, 64)
        s.case(number, 3, 257)


def anything(s):
    """Every feature with every other."""
    for n in range(s.count(28)):
        number = s.add(s.any_program(n))
        for _ in range(5):
            s.case(number)


# A family, and the options of attn-run that all its cases share.
FAMILIES = {
    "boundaries": (boundaries, ["--query-tile=16", "--key-tile=16"]),
    "lengths": (lengths, []),
    "heads": (heads, []),
    "masks": (masks, []),
    "mask-pairs": (mask_pairs, []),
    "scores": (scores, []),
    "layouts": (layouts, []),
    "seqused": (seqused, []),
    "packed": (packed, []),
    "sinks": (sinks, []),
    "garbage": (garbage, []),
    "extremes": (extremes, []),
    "anything": (anything, ["--threads=2"]),
    "tiles-16-16": (anything, ["--query-tile=16", "--key-tile=16"]),
    "tiles-16-128": (anything, ["--query-tile=16", "--key-tile=128"]),
    "tiles-128-32": (anything, ["--query-tile=128", "--key-tile=32"]),
    "split-2": (anything, ["--key-parts=2", "--threads=2"]),
    "split-3": (anything, ["--key-parts=3", "--key-tile=32"]),
}


def write_family(family, folder, seed, size, feature=None):
    """Writes the two files of a family, its cases narrowed to those of `feature`;
    the number of functions, and the cases."""
    sampler = Sampler(family, seed, size)
    FAMILIES[family][0](sampler)
    if feature:
        sampler.cases = [case for case in sampler.cases if feature in case["tags"]]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"{family}.mlir"), "w") as out:
        out.write("\n".join(p.text(f"f{n}") for n, p in enumerate(sampler.programs)))
    for case in sampler.cases:
        case["file"] = os.path.join(folder, case["file"])
    with open(os.path.join(folder, f"{family}.json"), "w") as out:
        json.dump(sampler.cases, out, indent=1)
    return len(sampler.programs), sampler.cases


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", choices=SHARE, default="ci")
    args = parser.parse_args()
    functions, cases = write_family(args.family, args.folder, args.seed, args.size)
    print(f"{args.family}: {functions} functions, {len(cases)} cases in {args.folder}")


if __name__ == "__main__":
    main()
