//===- Signature.h - What a function takes and gives ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads from a function on tensors what each argument means to the attention in
// it, which extents are the same one, and how each result is to be checked.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_SIGNATURE_H
#define ATTN_TOOLS_RUN_SIGNATURE_H

#include "attn/Tools/Run/Check.h"
#include "attn/Tools/Run/ElementType.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::attn::run {

/// What an argument is to the attention that reads it.
enum class Role : uint8_t {
  Query,
  Key,
  Value,
  Sinks,
  QueryIds,
  KeyIds,
  Prefix,
  CuSeqlensQ,
  CuSeqlensKv,
  SequsedQ,
  SequsedKv,
  /// Read by a score or mask region.
  Capture,
  /// None of these, or read by no attention.
  Other
};

llvm::StringRef getName(Role role);

/// One attention in the function: which argument plays each role.
struct AttentionSite {
  bool packed = false;
  bool topLeft = false;
  /// In a loop or a condition, so that it may run any number of times.
  bool nested = false;
  bool hasScoreRegion = false;
  /// By Role; absent where the operand is absent or no argument.
  std::optional<unsigned> arguments[static_cast<unsigned>(Role::Capture)];
  /// The results of the function that its own are.
  std::optional<unsigned> out, lse;

  std::optional<unsigned> get(Role role) const {
    return arguments[static_cast<unsigned>(role)];
  }
};

/// Extents as HostSignature has them: >= 0 a constant, < 0 the symbol number
/// -1 - extent.
using Extents = SmallVector<int64_t>;

/// A tensor, or a scalar, which is made as a tensor of rank 0.
struct ArgumentInfo {
  std::string name;
  ElementType type;
  Extents extents;
  bool isScalar = false;
  Role role = Role::Other;
  /// The first attention that reads it.
  std::optional<unsigned> site;
};

struct ResultInfo {
  std::string name;
  ElementType type;
  Extents extents;
  Rule rule = Rule::Value;
};

/// Symbol `lhs` is symbol `rhs` plus `offset`.
struct SymbolOffset {
  unsigned lhs, rhs;
  int64_t offset;
};

struct Signature {
  std::string function;
  std::vector<ArgumentInfo> arguments;
  std::vector<ResultInfo> results;
  std::vector<AttentionSite> sites;
  /// Names of the extents that the function leaves open (`B`, `Hq`, `Sq`).
  std::vector<std::string> symbols;
  std::vector<SymbolOffset> offsets;

  /// The argument called `name`; null if there is none.
  const ArgumentInfo *findArgument(StringRef name) const;

  /// Values of all symbols. `specs` are of the form `Sq=128` or
  /// `q:1x32x?x128`, where `?` says nothing. Fails, with all reasons, where a
  /// spec is malformed, contradicts the function or another spec, or where an
  /// extent stays unknown.
  llvm::Expected<std::vector<int64_t>>
  resolve(ArrayRef<std::string> specs) const;
};

/// The shape that `extents` have under `values` of the symbols.
SmallVector<int64_t> getShape(ArrayRef<int64_t> extents,
                              ArrayRef<int64_t> values);

/// Reads the signature of `function`. Names and equal extents are those by
/// which the compiled function checks its arguments. Fails, with errors at the
/// function or the operation at fault, if it has no body or cannot be called
/// from C.
FailureOr<Signature> readSignature(func::FuncOp function);

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_SIGNATURE_H
