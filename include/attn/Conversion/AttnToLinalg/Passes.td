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
    qt[d,i]  = f32(q[i,d])                        once per query tile
    s[j,i]   = sum_d k[j,d] * qt[d,i]             transposed: vectors run along
                                                  queries, keys are broadcast
    s[j,i]   = score(scale * s), if there is one; -inf where not visible
    m'[i]    = max(m[i], c * max_j s[j,i])        c = log2(e), without a score
    p[j,i]   = 2^(c * s[j,i] - m'[i])             region scale * log2(e)
    l'[i]    = l[i] * 2^(m[i] - m'[i]) + sum_j p[j,i]
    acc'     = acc[i,e] * 2^(m[i] - m'[i]) + sum_j T(p[j,i]) * v[j,e]
    ```

    (with what `docs/Numerics.md` says of large scores: from 2^29 on `c` and `m'`
    are scaled in the exponent, per row; from 2^127 on `m` advances at half speed)
    so that the exponent is a fused multiply-add that rounds once, after the
    maximum is taken off, no reduction crosses the lanes of a vector, and neither
    keys nor values are transposed. Where a mask hides keys, value rows that no query of
    the tile sees are read as zeros: what stands there never meets a weight. So
    are they where a score region may yield -inf. With f32 operands the sum over
    `d` is made in blocks near sqrt(D), each added to those before: products
    summed one by one would be less exact than the plain computation.

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
