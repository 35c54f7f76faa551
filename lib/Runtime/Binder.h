//===- Binder.h - Checking arguments for a place in memory ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What attn_rt_bind_arguments does, for tensors in the memory of the CPU or of
// another device.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_BINDER_H
#define ATTN_LIB_RUNTIME_BINDER_H

#include "attn-rt/Arguments.h"

namespace attn {
namespace rt {

/// Which memory a function can reach. Function pointers and not virtual
/// functions, which would need the C++ library.
struct MemoryPlace {
  /// Whether a tensor that claims to be on `device` is in reach.
  bool (*accepts)(const MemoryPlace &place, const AttnRtDevice &device);

  /// Appends what is accepted to the error text: "memory of the CPU".
  void (*appendExpected)(const MemoryPlace &place);

  /// Unless `address` really lies there, calls `begin(state)`, which starts a
  /// reason in the error text, and appends the reason. Null: not checked.
  void (*check)(const MemoryPlace &place, uintptr_t address,
                void (*begin)(void *state), void *state);
};

/// attn_rt_bind_arguments for another place.
AttnRtStatus bindArguments(const AttnRtFunction &fn,
                           const AttnRtTensor *const *tensors,
                           void *const *descriptors, const MemoryPlace &place);

} // namespace rt
} // namespace attn

#endif // ATTN_LIB_RUNTIME_BINDER_H
