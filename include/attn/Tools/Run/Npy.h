//===- Npy.h - Files of NumPy arrays ----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes `.npy` files, versions 1 to 3, little-endian, C order.
//
// NumPy has no bf16. A bf16 tensor is written as `<u2`, its bits, and is read
// from `<u2`, `<V2` or `|V2` when the caller expects bf16: in NumPy
// `(a.view('<u4') >> 16).astype('<u2')` truncates a float32 array `a` to it,
// and `(b.astype('<u4') << 16).view('<f4')` widens it again.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_NPY_H
#define ATTN_TOOLS_RUN_NPY_H

#include "attn/Tools/Run/HostTensor.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::attn::run {

/// What the header of a file says, and where its elements start.
struct NpyHeader {
  /// NumPy's type string, such as `<f4`.
  std::string descr;
  bool fortranOrder = false;
  llvm::SmallVector<int64_t> shape;
  /// Bytes before the first element.
  size_t offset = 0;
};

/// Reads the header of a file with these contents.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef contents);

/// Copies the elements of a file with these contents into `tensor`. The shape
/// and the type must be the tensor's; Fortran order is accepted. On failure the
/// message says what was expected and what was got.
llvm::Error readNpy(llvm::StringRef contents, const HostTensor &tensor);

/// Writes the elements of `tensor` in C order, whatever its layout.
void writeNpy(llvm::raw_ostream &os, const HostTensor &tensor);

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_NPY_H
