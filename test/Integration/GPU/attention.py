"""Attention as the passes make it, after each of them, against f64.

A module begins with the pipeline that compile_kernels.py runs on it; its cases
are calls of the function (host.py).
"""

try:
    import numpy as np
    from host import Call
    from tensors import Tensor, rounded
except ModuleNotFoundError:
    np = None

# From synchronous programs on, each adding a pass.
STAGES = {
    "sync": "%WORK%",
    "copies": ",attn-gpu-async-copy{%COPIES%}",
    "staged": ",attn-gpu-stage-writes",
    "pipeline": ",attn-gpu-pipeline%PIPELINE%,canonicalize,cse",
    "roles": ",attn-gpu-warp-specialize{%ROLES%},canonicalize,cse",
    "split": ",attn-gpu-split-loops",
}
MASKS = {
    "full": "",
    "causal": " mask(#attn.causal)",
    "window": " mask(#attn.window<left = 100, right = 20>)",
}


def passes(last, copies="stages=2", roles="turns=true", schedule=None, cluster=1, pipeline=""):
    out = "canonicalize"
    work = f",attn-gpu-schedule-work{{{schedule}}}" if schedule else ""
    if cluster > 1:
        work += f",attn-gpu-form-clusters{{size={cluster}}}"
    options = {"WORK": work, "COPIES": copies, "PIPELINE": pipeline, "ROLES": roles}
    for name, text in STAGES.items():
        for option, value in options.items():
            text = text.replace(f"%{option}%", value)
        out += text
        if name == last:
            return out + ",canonicalize,cse"
    raise KeyError(last)


def module(d, mask, type, query_tile, key_tile, kernel_passes, schedule=""):
    t = f"tensor<?x?x?x{d}x{type}>"
    if schedule:
        schedule = f" {{attn.schedule = #attn.schedule<query_tile = {query_tile}, key_tile = {key_tile}, {schedule}>}}"
    return f"""// pipeline: builtin.module(attn-to-iteration{{query-tile={query_tile} key-tile={key_tile}}},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse,attn_gpu.kernel({kernel_passes}))
func.func @f(%q: {t}, %k: {t}, %v: {t}) -> ({t}, tensor<?x?x?xf32>) {{
  %out, %lse = attn.attention %q, %k, %v{MASKS[mask]}{schedule} : {t}, {t}, {t} -> {t}, tensor<?x?x?xf32>
  return %out, %lse : {t}, tensor<?x?x?xf32>
}}
"""


def reference(q, k, v, mask, unit):
    """Output, log-sum-exp, and how far the output may be off if probabilities and
    results are rounded to `unit` and sums are f32."""
    b, hq, sq, d = q.shape
    hkv, sk = k.shape[1], k.shape[2]
    k, v = (np.repeat(x, hq // hkv, axis=1) for x in (k, v))
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(d)
    i, j = np.arange(sq)[:, None] + sk - sq, np.arange(sk)[None, :]
    seen = {"full": j >= 0, "causal": j <= i, "window": (j >= i - 100) & (j <= i + 20)}[mask] & (i > -sq - sk)
    s = np.where(seen, s, -np.inf)
    m = s.max(-1, keepdims=True, initial=-np.inf)
    p = np.where(seen, np.exp(s - np.where(np.isinf(m), 0, m)), 0)
    total = p.sum(-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(total == 0, 0, p / total)
        lse = np.where(total == 0, -np.inf, m + np.log(total))
    out = p @ v
    # Roundings of probabilities are independent: their sum spreads as a root.
    spread = np.sqrt((p * p) @ (v * v))
    slack = unit * np.abs(out) + 5 * unit * spread + 1e-4 * (p @ np.abs(v)) + 1e-6
    return out, lse[..., 0], slack


def calls(rng, d, mask, type):
    unit = 2.0**-8 if type == "bf16" else 2.0**-11
    made = []
    for b, hq, hkv, sq, sk, rows_first in (
        (1, 1, 1, 128, 128, False),
        (2, 4, 2, 200, 200, False),
        (1, 2, 1, 77, 300, True),
        (1, 2, 2, 1024, 1024, False),
        (1, 3, 1, 130, 60, True),
        (1, 1, 1, 1, 1, False),
        (1, 2, 1, 513, 2049, False),
        (1, 2, 1, 1, 700, True),
        (1, 2, 1, 130, 0, False),
        (3, 4, 4, 256, 640, True),
    ):
        tensors = []
        for h, s in ((hq, sq), (hkv, sk), (hkv, sk)):
            shape = (b, h, s, d)
            strides = (s * h * d, d, h * d, 1) if rows_first else None
            values = rounded(rng.standard_normal(shape), type).astype(np.float64)
            tensors.append(Tensor(type, shape, strides, values=values))
        out, lse, slack = reference(*(t.values for t in tensors), mask, unit)
        made.append(Call(f"{b} {hq}/{hkv} {sq}x{sk}", tensors, [out, lse], [slack, np.full(lse.shape, 1e-4)]))
    return made


def roles(d):
    """Heads of 256 need what registers there are."""
    return "producer-registers=24 consumer-registers=240" if d == 256 else "turns=true"


def key_tile(stage, d):
    """Without copies in flight a program also holds addresses: less is left for scores."""
    return 128 if d < 256 else 32 if stage == "sync" else 64


def variants():
    """Name, extent of a head, mask, type, query and key tile, passes, and, of some,
    more of a schedule."""
    for stage in STAGES:
        for d in (64, 128, 256):
            for mask in MASKS:
                yield f"{stage}_{d}_{mask}", d, mask, "bf16", 128, key_tile(stage, d), passes(stage, roles=roles(d))
    for d in (64, 128, 256):
        yield f"split_{d}_causal_f16", d, "causal", "f16", 128, key_tile("split", d), passes("split")
    for mask in ("full", "causal"):
        # One consumer, and three.
        yield f"one_128_{mask}", 128, mask, "bf16", 64, 128, passes("split")
        yield f"three_64_{mask}", 64, mask, "bf16", 192, 128, passes("split")
        yield f"three_128_{mask}", 128, mask, "bf16", 192, 80, passes("split")
        wide = passes("split", roles=roles(256))
        yield f"wide_256_{mask}", 256, mask, "bf16", 128, 80, wide
        for stages in (1, 3):
            yield f"stages{stages}_64_{mask}", 64, mask, "bf16", 128, 128, passes("split", copies=f"stages={stages}")
        yield f"no_turns_128_{mask}", 128, mask, "bf16", 128, 128, passes("split", roles="turns=false")
    yield from persistent_variants()
    yield from cluster_variants()
    yield from register_variants()


def persistent_variants():
    """Thread blocks that stay: schedules, and each pass with them. Not here, for
    they spill registers between points: windows of heads of 256, three consumers
    without a mask."""
    for schedule in ("once", "strided", "dynamic"):
        for d in (64, 128, 256):
            for mask in MASKS if d < 256 else ("full", "causal"):
                # Flattened, windows of heads of 128 spill too.
                pipeline = "{flatten=false}" if d == 128 and mask == "window" else ""
                work = passes("split", roles=roles(d), schedule=f"schedule={schedule} group-bytes=100000", pipeline=pipeline)
                yield f"{schedule}_{d}_{mask}", d, mask, "bf16", 128, 64 if d == 256 else 128, work
    for stage in STAGES:
        for schedule in ("strided", "dynamic"):
            work = passes(stage, schedule=f"schedule={schedule}")
            yield f"{schedule}_{stage}_128_causal", 128, "causal", "bf16", 128, 128, work
    for mask in ("full", "causal"):
        work = passes("split", schedule="schedule=dynamic")
        if mask == "causal":
            yield f"dynamic_three_64_{mask}", 64, mask, "bf16", 192, 128, work
        yield f"dynamic_one_128_{mask}", 128, mask, "f16", 64, 128, work
        for d in (64, 128):
            work = passes("split", copies="stages=2 outer-stages=2", schedule="schedule=dynamic")
            yield f"dynamic_double_{d}_{mask}", d, mask, "bf16", 128, 128, work


def cluster_variants():
    """Thread blocks that share keys and values, 2 and 4, flattened and not: these
    have a producer that keeps more, from point to point."""
    plain = {"pipeline": "{flatten=false}", "roles": "producer-registers=56 consumer-registers=224"}
    for size in (2, 4):
        for d in (64, 128):
            for suffix, options in (("", {}), ("_plain", plain)):
                work = passes("split", schedule="schedule=strided", cluster=size, **options)
                yield f"clusters{size}{suffix}_{d}_full", d, "full", "bf16", 128, 64, work
    for stage in STAGES:
        work = passes(stage, schedule="schedule=strided", cluster=2)
        yield f"clusters2_{stage}_128_full", 128, "full", "f16", 128, 64, work
    wide = passes("split", schedule="schedule=strided", cluster=2, roles=plain["roles"])
    yield "clusters2_256_full", 256, "full", "bf16", 128, 32, wide


def register_variants():
    """Queries that stay in registers, and weights held before the wait: for each
    pass, since what a loop keeps in registers ptxas has lost before."""
    for stage in STAGES:
        for mask in MASKS:
            options = "queries_in_registers = true, early_weights = true, lazy_rescale = true"
            yield f"registers_{stage}_128_{mask}", 128, mask, "bf16", 128, 128, passes(stage), options
        yield f"registers_{stage}_64_causal", 64, "causal", "f16", 128, 128, passes(stage), "queries_in_registers = true"


def passes_attention(kernels):
    for name, d, mask, type, *rest in variants():
        text = module(d, mask, type, *rest)
        kernels.add(f"attention_{name}", "f_kernel", text, lambda rng: calls(rng, d, mask, type))
