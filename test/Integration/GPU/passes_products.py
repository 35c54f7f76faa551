"""A product, and two chained ones, as the passes that know nothing of attention make
them, after each of the passes.

A module begins with the pipeline that compile_kernels.py runs on it. Values are small
integers: sums are exact, and results are compared bit by bit.
"""

import pathlib

from builders import integers

try:
    import numpy as np
    from tensors import Case, Tensor
except ModuleNotFoundError:
    np = None

INPUTS = pathlib.Path(__file__).resolve().parents[2] / "Dialect/AttnGPU/Transforms/Inputs"

# From synchronous programs on, each adding a pass.
STAGES = {
    "sync": "canonicalize",
    "copies": "attn-gpu-async-copy{stages=3}",
    "pipeline": "attn-gpu-pipeline,canonicalize,cse",
    "staged": "attn-gpu-stage-writes",
    "roles": "attn-gpu-warp-specialize{turns=false},canonicalize,cse",
}


def passes(last, schedule=None):
    chosen = [f"attn-gpu-schedule-work{{schedule={schedule}}}"] if schedule else []
    for name, text in STAGES.items():
        chosen.append(text)
        if name == last:
            return ",".join(chosen)
    raise KeyError(last)


def wide_product(name, rows=128, columns=256, depth=64):
    """C = A B in bf16: tiles of `rows` x `columns`, a warpgroup for each 64 rows."""
    t, acc = "memref<?x?xbf16, strided<[?, 1]>>", f"vector<64x{columns}xf32>"
    a, b = f"!attn_gpu.tile<{rows}x{depth}xbf16>", f"!attn_gpu.tile<{depth}x{columns}xbf16>"
    part = f"!attn_gpu.tile<64x{depth}xbf16, panel_rows = {rows}>"
    return f"""attn_gpu.kernel @{name}(%a: {t}, %b: {t}, %c: {t}) warpgroups {rows // 64} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant {rows} : index
  %columns = arith.constant {columns} : index
  %depth = arith.constant {depth} : index
  %zero = arith.constant dense<0.0> : {acc}
  %m = memref.dim %a, %c0 : {t}
  %k = memref.dim %a, %c1 : {t}
  %n = memref.dim %b, %c1 : {t}
  %m_tiles = arith.ceildivsi %m, %rows : index
  %n_tiles = arith.ceildivsi %n, %columns : index
  %k_tiles = arith.ceildivsi %k, %depth : index
  attn_gpu.work_loop (%j, %i) in (%n_tiles, %m_tiles) {{
    %row = arith.muli %i, %rows : index
    %column = arith.muli %j, %columns : index
    %w = attn_gpu.warpgroup_index
    %w_row = arith.muli %w, %c64 : index
    %sum = scf.for %s = %c0 to %k_tiles step %c1 iter_args(%acc = %zero) -> ({acc}) {{
      %at = arith.muli %s, %depth : index
      %x = attn_gpu.read %a[%row, %at] : {t} -> {a}
      %y = attn_gpu.read %b[%at, %column] : {t} -> {b}
      %mine = attn_gpu.subtile %x[%w_row] : {a} -> {part}
      %started = attn_gpu.mma %mine, %y acc %acc : {part}, {b} -> {acc}
      %next = attn_gpu.mma_wait %started : {acc}
      scf.yield %next : {acc}
    }}
    %my_row = arith.addi %row, %w_row : index
    %rounded = arith.truncf %sum : {acc} to vector<64x{columns}xbf16>
    attn_gpu.write %rounded to %c[%my_row, %column] : vector<64x{columns}xbf16>, {t}
  }}
  attn_gpu.return
}}
"""


def product_cases(rng, type, rows, columns):
    """Products of one step and of many, whole and ragged; results that `type` holds."""
    made = []
    for m, k, n in ((rows, 64, columns), (2 * rows, 1024, 2 * columns), (200, 200, 328), (1, 8, 8), (64, 584, 1000), (rows, 0, columns)):
        a, b = integers(rng, m, k, high=1), integers(rng, k, n, high=1)
        # So that each sum is a number of bf16.
        a *= rng.random((m, k)) < 0.25
        made.append(
            Case(
                f"{m}x{k}x{n}",
                [Tensor("bf16", (m, k), values=a), Tensor("bf16", (k, n), values=b), Tensor(type, (m, n))],
                {2: a @ b},
                -(-m // rows) * -(-n // columns),
            )
        )
    return made


def chain_cases(rng):
    made = []
    for m, n in ((128, 64), (256, 1024), (200, 328), (1, 1), (300, 0)):
        a, b, c = (integers(rng, r, 64, high=1) for r in (m, n, n))
        tensors = [Tensor("bf16", (r, 64), values=x) for r, x in ((m, a), (n, b), (n, c))]
        # |A B| <= 64 is a number of bf16; f32 holds the sums.
        made.append(Case(f"{m}x{n}", [*tensors, Tensor("f32", (m, 64))], {3: a @ b.T @ c}, -(-m // 128)))
    return made


def passes_products(kernels):
    gemm, chain = ((INPUTS / f"{name}.mlir").read_text() for name in ("gemm", "chain"))
    programs = {
        "gemm": (gemm, "gemm", lambda rng: product_cases(rng, "f32", 128, 128)),
        "gemm_wide": (wide_product("gemm_wide"), "gemm_wide", lambda rng: product_cases(rng, "bf16", 128, 256)),
        "chain": (chain, "chain", chain_cases),
    }
    for label, (text, name, cases) in programs.items():
        for stage in STAGES:
            for schedule in (None, "strided", "dynamic") if stage in ("sync", "roles") else (None,):
                pipeline = f"// pipeline: builtin.module(attn_gpu.kernel({passes(stage, schedule)}))\n"
                module = f"passes_{label}_{schedule + '_' if schedule else ''}{stage}"
                kernels.add(module, name, pipeline + text, cases)
