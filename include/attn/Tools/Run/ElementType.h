//===- ElementType.h - Element types of host tensors ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types that tensors on the host may have, and the only place where
// their bits are turned into numbers and back.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_ELEMENTTYPE_H
#define ATTN_TOOLS_RUN_ELEMENTTYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mlir::attn::run {

enum class ElementType : uint8_t { F64, F32, BF16, F16, I64, I32, I16, I8, I1 };

/// Bytes of one element in memory. An i1 takes a byte.
int64_t getByteSize(ElementType type);

bool isFloat(ElementType type);

/// MLIR's spelling: `bf16`, `i32`.
llvm::StringRef getName(ElementType type);

/// The type with MLIR's spelling `name`.
std::optional<ElementType> parseElementType(llvm::StringRef name);

/// The value of the element at `address` (no alignment needed). An i64 beyond
/// 2^53 is rounded.
double load(ElementType type, const void *address);

/// Stores `value`, rounded once to nearest even; integers are truncated towards
/// zero and must fit. A NaN keeps its sign and the top bits of its payload.
void store(ElementType type, void *address, double value);

/// The distance between neighbouring numbers of floating type `type` at
/// `magnitude`: 2^(e-p+1) for 2^e <= magnitude < 2^(e+1) and p bits of
/// precision, never below the smallest subnormal. `magnitude` is finite.
double ulp(ElementType type, double magnitude);

/// The largest finite number of floating type `type`.
double largest(ElementType type);

float decodeBF16(uint16_t bits);
float decodeF16(uint16_t bits);
/// Round to nearest even; a NaN stays a NaN.
uint16_t encodeBF16(float value);
uint16_t encodeF16(float value);

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_ELEMENTTYPE_H
