//===- LocalTraffic.h - Local memory accesses of a cubin --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a kernel's spills lie in its loops. ptxas tells only how many bytes
// are spilled in all, and a spill before the loop costs nothing; so this reads
// the machine code: the two local memory instructions and those that change
// control flow, nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_PTX_LOCALTRAFFIC_H
#define ATTN_TARGET_PTX_LOCALTRAFFIC_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mlir::attn {

/// Bytes per thread of local memory instructions, each instruction once.
struct LocalTraffic {
  int64_t storeBytes = 0; // all
  int64_t loadBytes = 0;
  int64_t loopStoreBytes = 0; // of these, in loops
  int64_t loopLoadBytes = 0;
  /// Of these, in loops nested as deeply as the deepest wgmma is, or deeper: a
  /// persistent kernel is a loop as a whole, and what it spills between two
  /// tiles costs little. Without wgmma the same as in any loop.
  int64_t mainLoopStoreBytes = 0;
  int64_t mainLoopLoadBytes = 0;
};

/// The local traffic of one function's machine code for compute capability 9.0,
/// 16 bytes an instruction. A loop is a cycle of the control flow graph, so a
/// retry path that was moved to the end of the function does not make a loop of
/// all that lies between. None when the code holds a jump that it cannot follow
/// (calls, computed targets), or a target outside the function.
std::optional<LocalTraffic> findLocalTraffic(llvm::ArrayRef<uint8_t> code);

/// The same for each function of a cubin, by name; empty for a file that is not
/// a cubin for compute capability 9.0.
llvm::StringMap<std::optional<LocalTraffic>>
findLocalTrafficOfCubin(llvm::StringRef cubin);

} // namespace mlir::attn

#endif // ATTN_TARGET_PTX_LOCALTRAFFIC_H
