"""Attention functions as MLIR text, from a description of their features.

A `Program` says which mask, score function, operands and element type a
function has; `text()` is the function, with every extent open except the head
dimensions, so that one compilation serves many shapes. `shapes()` gives the
shape of every argument for given lengths and heads.
"""

from dataclasses import dataclass

MASKS = {
    "causal": "#attn.causal",
    "window_both": "#attn.window<left = 20, right = 9>",
    "window_left": "#attn.window<left = 40>",
    "window_right": "#attn.window<right = 7>",
    "window_narrow": "#attn.window<left = 0, right = 0>",
    "window_size": "#attn.window_size<33>",
    "prefix_constant": "#attn.prefix<50>",
    "prefix_operand": "#attn.prefix",
    "chunked": "#attn.chunked<48>",
    "documents": "#attn.documents",
}

# The bodies of mask regions: captures as (name, type, map or None for a whole
# tensor), and lines that define %seen. A region receives capture x as %in_x.
REGIONS = {
    # Every third key, counted from the query.
    "region_strided": (
        [],
        """
        %c3 = arith.constant 3 : index
        %zero = arith.constant 0 : index
        %distance = arith.subi %p, %r : index
        %rest = arith.remsi %distance, %c3 : index
        %seen = arith.cmpi eq, %rest, %zero : index""",
    ),
    # Causal between blocks of 32; every other head sees everything.
    "region_blocks": (
        [],
        """
        %c32 = arith.constant 32 : index
        %c2 = arith.constant 2 : index
        %zero = arith.constant 0 : index
        %pb = arith.floordivsi %p, %c32 : index
        %rb = arith.floordivsi %r, %c32 : index
        %before = arith.cmpi sle, %rb, %pb : index
        %odd = arith.remui %h, %c2 : index
        %open = arith.cmpi eq, %odd, %zero : index
        %seen = arith.ori %before, %open : i1""",
    ),
    # A number of keys per batch.
    "region_lengths": (
        [("valid", "tensor<?xi32>", "(b, h, i, j) -> (b)")],
        """
        %n = arith.index_cast %in_valid : i32 to index
        %c9 = arith.constant 9 : index
        %most = arith.muli %n, %c9 : index
        %seen = arith.cmpi slt, %r, %most : index""",
    ),
    # An arbitrary mask in memory.
    "region_dense": (
        [("table", "tensor<?x?xi1>", "(b, h, i, j) -> (i, j)")],
        """
        %true = arith.constant true
        %seen = arith.andi %in_table, %true : i1""",
    ),
    # A block mask: one bit per 16 x 16 positions, read from a whole tensor.
    "region_table": (
        [("blocks", "tensor<?x?xi1>", None)],
        """
        %c16 = arith.constant 16 : index
        %pb = arith.floordivsi %p, %c16 : index
        %rb = arith.floordivsi %r, %c16 : index
        %seen = tensor.extract %in_blocks[%pb, %rb] : tensor<?x?xi1>""",
    ),
}

# The bodies of score functions: captures, and lines from %{x} to %{y}.
SCORES = {
    "softcap": (
        [],
        """
        %cap = arith.constant 3.0 : f32
        %ratio = arith.divf %{x}, %cap : f32
        %tanh = math.tanh %ratio : f32
        %{y} = arith.mulf %tanh, %cap : f32""",
    ),
    "alibi": (
        [("slopes", "tensor<?xf32>", "(b, h, i, j) -> (h)")],
        """
        %ad = arith.subi %p, %r : index
        %ai = arith.index_cast %ad : index to i32
        %af = arith.sitofp %ai : i32 to f32
        %ab = arith.mulf %in_slopes, %af : f32
        %c01 = arith.constant 0.01 : f32
        %as = arith.mulf %ab, %c01 : f32
        %{y} = arith.subf %{x}, %as : f32""",
    ),
    "relative_bias": (
        [("relative", "tensor<?x33xf32>", None)],
        """
        %rd = arith.subi %p, %r : index
        %rc16 = arith.constant 16 : index
        %rc32 = arith.constant 32 : index
        %rc0 = arith.constant 0 : index
        %rs = arith.addi %rd, %rc16 : index
        %rl = arith.maxsi %rs, %rc0 : index
        %ri = arith.minsi %rl, %rc32 : index
        %rv = tensor.extract %in_relative[%h, %ri] : tensor<?x33xf32>
        %{y} = arith.addf %{x}, %rv : f32""",
    ),
    "bias": (
        [("bias", "tensor<?x?x?x?xf32>", "(b, h, i, j) -> (b, h, i, j)")],
        """
        %{y} = arith.addf %{x}, %in_bias : f32""",
    ),
    "bias_broadcast": (
        [("bias0", "tensor<1x?x?x?xbf16>", "(b, h, i, j) -> (0, h, i, j)")],
        """
        %bias0f = arith.extf %in_bias0 : bf16 to f32
        %{y} = arith.addf %{x}, %bias0f : f32""",
    ),
    "bias_keys": (
        [("biask", "tensor<?x?xf32>", "(b, h, i, j) -> (b, j)")],
        """
        %{y} = arith.addf %{x}, %in_biask : f32""",
    ),
    # A score that hides keys: -inf is weight 0.
    "minus_inf": (
        [],
        """
        %mc5 = arith.constant 5 : index
        %mc2 = arith.constant 2 : index
        %mm = arith.constant 0xFF800000 : f32
        %mr = arith.remui %r, %mc5 : index
        %mh = arith.cmpi eq, %mr, %mc2 : index
        %{y} = arith.select %mh, %mm, %{x} : f32""",
    ),
}


@dataclass(frozen=True)
class Program:
    """One function. `mask` is a name of MASKS or REGIONS, or a tuple of "and"
    or "or" and two masks; at most one region."""

    type: str = "f32"
    d: int = 64
    dv: int = 0  # 0: as d
    mask: object = None
    top_left: bool = False
    scores: tuple = ()
    scale: float = 0.0  # 0: the default
    sinks: str = ""  # an element type
    lse: bool = False
    packed: bool = False
    used_q: bool = False
    used_kv: bool = False

    @property
    def value_dim(self):
        return self.dv or self.d

    def masks(self):
        def leaves(mask):
            if isinstance(mask, tuple):
                for part in mask[1:]:
                    yield from leaves(part)
            elif mask:
                yield mask

        return list(leaves(self.mask))

    def region(self):
        return next((m for m in self.masks() if m in REGIONS), None)

    def mask_text(self, mask):
        if isinstance(mask, tuple):
            parts = ", ".join(self.mask_text(part) for part in mask[1:])
            return f"#attn.{mask[0]}<{parts}>"
        return "#attn.region" if mask in REGIONS else MASKS[mask]

    def score_captures(self):
        return [c for name in self.scores for c in SCORES[name][0]]

    def mask_captures(self):
        return REGIONS[self.region()][0] if self.region() else []

    def types(self):
        """The arguments in order: name to type."""
        lead = "?x?" if self.packed else "?x?x?"
        q = f"tensor<{lead}x{self.d}x{self.type}>"
        args = {
            "q": q,
            "k": q,
            "v": f"tensor<{lead}x{self.value_dim}x{self.type}>",
        }
        for name, type, _ in self.score_captures() + self.mask_captures():
            args[name] = type
        if self.sinks:
            args["sinks"] = f"tensor<?x{self.sinks}>"
        if "documents" in self.masks():
            args["q_ids"] = args["kv_ids"] = f"tensor<{'1' if self.packed else '?'}x?xi32>"
        if "prefix_operand" in self.masks():
            args["prefix"] = "tensor<?xi32>"
        if self.packed:
            args["cu_q"] = args["cu_kv"] = "tensor<?xi32>"
        if self.used_q:
            args["used_q"] = "tensor<?xi32>"
        if self.used_kv:
            args["used_kv"] = "tensor<?xi32>"
        return args

    def text(self, name):
        types = self.types()
        use = lambda *names: (
            ", ".join("%" + n for n in names)
            + " : "
            + ", ".join(types[n] for n in names)
        )
        lines = []
        if self.mask:
            lines.append(f"mask({self.mask_text(self.mask)})")
        if self.top_left:
            lines.append("alignment top_left")
        if self.scale:
            lines.append(f"scale {self.scale:e}")
        position = "%b: index, %h: index, %p: index, %r: index"
        if self.scores:
            captures = self.score_captures()
            lines += self.capture_text("score", captures, use)
            body, last = "", "s"
            for n, score in enumerate(self.scores):
                step = SCORES[score][1].replace("%{x}", "%" + last)
                last = f"s{n}"
                body += step.replace("%{y}", "%" + last)
            arguments = f"%s: f32, {position}" + self.block_arguments(captures)
            lines.append(
                f"score_region {{\n      ^bb0({arguments}):{body}\n"
                f"        attn.yield %{last} : f32\n      }}"
            )
        if self.region():
            captures = self.mask_captures()
            lines += self.capture_text("visible", captures, use)
            arguments = position + self.block_arguments(captures)
            lines.append(
                f"visible_region {{\n      ^bb0({arguments}):"
                f"{REGIONS[self.region()][1]}\n"
                f"        attn.yield %seen : i1\n      }}"
            )
        if self.sinks:
            lines.append(f"sinks({use('sinks')})")
        if "q_ids" in types:
            lines.append(f"documents({use('q_ids', 'kv_ids')})")
        if "prefix" in types:
            lines.append(f"prefix({use('prefix')})")
        if self.packed:
            lines.append(f"cu_seqlens({use('cu_q', 'cu_kv')})")
        if self.used_q:
            lines.append(f"seqused_q({use('used_q')})")
        if self.used_kv:
            lines.append(f"seqused_kv({use('used_kv')})")

        out = types["v"]
        lse = "tensor<?x?xf32>" if self.packed else "tensor<?x?x?xf32>"
        results = f"{out}, {lse}" if self.lse else out
        names = "%out, %lse" if self.lse else "%out"
        arguments = ", ".join(f"%{n}: {t}" for n, t in types.items())
        clauses = "".join("\n      " + line for line in lines)
        return (
            f"func.func @{name}({arguments})\n    -> ({results}) {{\n"
            f"  {names} = attn.attention %q, %k, %v{clauses}\n"
            f"      : {types['q']}, {types['k']}, {types['v']} -> {results}\n"
            f"  return {names} : {results}\n}}\n"
        )

    @staticmethod
    def capture_text(keyword, captures, use):
        if not captures:
            return []
        maps = ", ".join(
            f"affine_map<{map or '(b, h, i, j) -> ()'}>" for _, _, map in captures
        )
        return [
            f"{keyword}({use(*[name for name, _, _ in captures])})",
            f"{keyword}_maps [{maps}]",
        ]

    @staticmethod
    def block_arguments(captures):
        return "".join(
            f", %in_{name}: {type if map is None else type[:-1].split('x')[-1]}"
            for name, type, map in captures
        )

    def shapes(self, batch, kv_heads, group, q_rows, keys):
        """The shape of every argument. For packed operands `q_rows` and `keys`
        are totals and `batch` the number of segments."""
        heads = kv_heads * group
        q = [q_rows, heads] if self.packed else [batch, heads, q_rows]
        k = [keys, kv_heads] if self.packed else [batch, kv_heads, keys]
        ids = 1 if self.packed else batch
        known = {
            "q": q + [self.d],
            "k": k + [self.d],
            "v": k + [self.value_dim],
            "slopes": [heads],
            "relative": [heads, 33],
            "bias": [batch, heads, q_rows, keys],
            "bias0": [1, heads, q_rows, keys],
            "biask": [batch, keys],
            "valid": [batch],
            "table": [q_rows, keys],
            "blocks": [q_rows // 16 + 1, keys // 16 + 1],
            "sinks": [heads],
            "q_ids": [ids, q_rows],
            "kv_ids": [ids, keys],
            "prefix": [batch],
            "cu_q": [batch + 1],
            "cu_kv": [batch + 1],
            "used_q": [batch],
            "used_kv": [batch],
        }
        return {name: known[name] for name in self.types()}

    def features(self):
        """What of the table of support this function exercises."""
        found = {"attention" if not self.packed else "packed"}
        found |= {f"mask:{m}" for m in self.masks()}
        if isinstance(self.mask, tuple):
            found.add(f"mask:{self.mask[0]}")
        found |= {f"score:{s}" for s in self.scores}
        if self.top_left:
            found.add("top_left")
        if self.scale:
            found.add("scale")
        if self.sinks:
            found.add("sinks")
        if self.lse:
            found.add("lse")
        if self.used_q or self.used_kv:
            found.add("seqused")
        if self.dv and self.dv != self.d:
            found.add("value_dim")
        return found
