//===- Passes.td - attn to linalg --------------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iteration level on the CPU: tiles become linalg on static shapes.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOLINALG_PASSES
#define ATTN_CONVERSION_ATTNTOLINALG_PASSES

include "mlir/Pass/PassBase.td"

def ConvertAttnToLinalgPass : Pass<"convert-attn-to-linalg"> {
  let summary = "Turns the operations of the monoid into linalg on tensors";
  let description = [{
    `attn.partial` on a tile of one head becomes, with `i` the tile's queries,
    `j` its keys:

    ```
    qt[d,i]  = f32(q[i,d]) * scale * log2(e)      once per query tile
    s[j,i]   = sum_d k[j,d] * qt[d,i]             transposed: vectors run along
    s[j,i]   = score, then -inf where not visible  queries, keys are broadcast
    m'[i]    = max(m[i], max_j s[j,i])
    p[j,i]   = 2^(s[j,i] - m'[i])
    l'[i]    = l[i] * 2^(m[i] - m'[i]) + sum_j p[j,i]
    acc'     = acc[i,e] * 2^(m[i] - m'[i]) + sum_j T(p[j,i]) * v[j,e]
    ```

    so that no reduction crosses the lanes of a vector and neither keys nor
    values are transposed. Where a mask hides keys, value rows that no query of
    the tile sees are read as zeros: what stands there never meets a weight.

    `attn.neutral`, `attn.merge` and `attn.finalize` become element-wise
    operations, on tiles and on whole tensors alike. Walks must have been
    lowered before (`attn-lower-walk`); an `attn.partial` that is not a tile of
    one head with static shape is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // ATTN_CONVERSION_ATTNTOLINALG_PASSES
