//===- ArgumentText.h - Tensors in error texts ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Appends types, shapes and devices to the calling thread's error text.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_ARGUMENTTEXT_H
#define ATTN_LIB_RUNTIME_ARGUMENTTEXT_H

#include <stdint.h>

namespace attn {
namespace rt {

/// "[1, 2, 3]"
void appendList(const int64_t *values, int32_t count);

/// "bf16"; other than one lane is said.
void appendType(unsigned code, unsigned bits, unsigned lanes);

/// "CUDA:0", of a DLPack device.
void appendDevice(int type, int id);

} // namespace rt
} // namespace attn

#endif // ATTN_LIB_RUNTIME_ARGUMENTTEXT_H
