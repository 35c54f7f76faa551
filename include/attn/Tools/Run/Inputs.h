//===- Inputs.h - Inputs that mean something --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the arguments of a function from a seed: floating tensors are normal,
// integer ones what the attention that reads them expects (segments that cover
// the packed rows, lengths within their segment, documents that lie side by
// side). Rows that no segment uses are poisoned.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_INPUTS_H
#define ATTN_TOOLS_RUN_INPUTS_H

#include "attn/Tools/Run/HostTensor.h"
#include "attn/Tools/Run/Signature.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::attn::run {

/// How document ids lie.
enum class Documents : uint8_t {
  /// Runs of equal ids, ascending: what packing makes.
  Sorted,
  /// Any id anywhere.
  Shuffled
};

/// One element that gets a value of its own after everything else.
struct Plant {
  std::string argument;
  SmallVector<int64_t> index;
  double value;

  /// From `k:0x0x5x3=nan`.
  static llvm::Expected<Plant> parse(StringRef text);
};

struct InputOptions {
  uint64_t seed = 0;
  /// Standard deviation of queries. With normal keys it is that of the scores
  /// too, under the default scale.
  double amplitude = 1;
  Documents documents = Documents::Sorted;
  /// By argument; Dense for those that are not here.
  llvm::StringMap<Layout> layouts;
  /// Files of NumPy arrays, by argument, or `#n` for the argument of that
  /// number. Taken as they are, nothing is poisoned in them.
  llvm::StringMap<std::string> files;
  std::vector<Plant> plants;
};

/// Makes every argument of `signature` under these values of its symbols. Fails
/// if an option names an argument that is not there, a layout does not fit, a
/// file cannot be read or holds something else, or memory is short.
llvm::Expected<std::vector<HostTensor>> makeInputs(const Signature &signature,
                                                   ArrayRef<int64_t> symbols,
                                                   const InputOptions &options);

/// Rows of one batch or segment: `[begin, end)` along the length of q and k.
struct Segment {
  int64_t beginQ, endQ, beginKv, endKv;
};

/// The segments of an attention, by batch: whole extents, or for packed
/// operands what the `cu_seqlens` among `inputs` say, clamped into the extents.
/// `seqused` shortens them. None where q, k or the `cu_seqlens` are no
/// arguments.
std::optional<std::vector<Segment>> getSegments(const AttentionSite &site,
                                                ArrayRef<HostTensor> inputs);

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_INPUTS_H
