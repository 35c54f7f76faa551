//===- AttnGPU.h - The attn_gpu dialect -------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the dialect, its types and its operations.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPU_H
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPU_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPUDialect.h.inc"
#include "attn/Dialect/AttnGPU/IR/AttnGPUEnums.h.inc"

namespace mlir::attn_gpu {
/// How the elements of a vector are spread over the threads of a warpgroup.
/// The layouts are described with the dialect.
enum class Layout {
  Fragment,     // 64 x N
  RowPartials,  // 64 x 4, one element per lane of a quad
  RowValues,    // 64 x 1, the same in all lanes of a quad
  ColumnValues, // 1 x N, the columns of a fragment
};

/// The layout that the shape of `type` stands for, or none.
std::optional<Layout> getLayout(VectorType type);

bool isFragment(Type type);
bool isRowValues(Type type);

/// Whether the thread blocks of a cluster can copy tiles of `rows` rows
/// together: each as many, a multiple of those after which the swizzle repeats.
bool canShareRows(int64_t rows, int64_t cluster);
} // namespace mlir::attn_gpu

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.h.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUOps.h.inc"

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPU_H
