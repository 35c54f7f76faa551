//===- Passes.h - CPU code generation passes --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constructors, registration and pattern populators of the CPU passes.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_CPU_PASSES_H
#define ATTN_TARGET_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
class ModuleOp;
namespace arith {
class ArithDialect;
} // namespace arith
namespace bufferization {
class BufferizationDialect;
} // namespace bufferization
namespace func {
class FuncDialect;
class FuncOp;
} // namespace func
namespace linalg {
class LinalgDialect;
} // namespace linalg
namespace LLVM {
class LLVMDialect;
} // namespace LLVM
namespace math {
class MathDialect;
} // namespace math
namespace memref {
class MemRefDialect;
} // namespace memref
namespace scf {
class SCFDialect;
} // namespace scf
namespace tensor {
class TensorDialect;
} // namespace tensor
namespace vector {
class VectorDialect;
} // namespace vector

namespace attn {
struct VectorRegisters;

#define GEN_PASS_DECL
#include "attn/Target/CPU/Passes.h.inc"

/// Patterns that turn `linalg` on buffers and `memref.copy` into loops over
/// register blocks.
void populateCPUVectorizePatterns(RewritePatternSet &patterns,
                                  const VectorRegisters &registers);

/// Patterns that expand f32 `math.exp2`.
void populateExpandExp2Patterns(RewritePatternSet &patterns);

/// Patterns that compute the strides of `memref.expand_shape`.
void populateExpandViewsPatterns(RewritePatternSet &patterns);

#define GEN_PASS_REGISTRATION
#include "attn/Target/CPU/Passes.h.inc"

} // namespace attn
} // namespace mlir

#endif // ATTN_TARGET_CPU_PASSES_H
