//===- HostSignature.h - How a compiled function is called ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C side of a function: its tensors and scalars, their shapes by symbol,
// and what must hold between them. Stored on the function in one attribute,
// from the user level to the emitted entry.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_HOSTABI_HOSTSIGNATURE_H
#define ATTN_CONVERSION_HOSTABI_HOSTSIGNATURE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <string>

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::attn {

/// One parameter of the C function.
struct HostArgument {
  std::string name;
  Type type; // the element type of a tensor, or the type of a scalar
  bool isTensor = true;
  bool isOutput = false;
  /// Of a tensor: >= 0 a constant extent, < 0 the symbol number -1 - dim.
  SmallVector<int64_t> dims;
};

/// A relation between two extents, each named by argument and dimension.
struct HostRelation {
  enum class Kind {
    Multiple, // lhs is a multiple of rhs; only 0 is a multiple of 0
    Offset    // lhs == rhs + offset
  };
  Kind kind = Kind::Multiple;
  unsigned lhsArg = 0, lhsDim = 0;
  unsigned rhsArg = 0, rhsDim = 0;
  int64_t offset = 0;
};

/// The signature of one C function: the arguments of the MLIR function in
/// order, then its results as outputs.
struct HostSignature {
  static constexpr llvm::StringLiteral kAttrName = "attn.signature";

  std::string symbol; // the C symbol
  SmallVector<HostArgument> args;
  SmallVector<std::string> symbols; // names of symbolic extents
  SmallVector<HostRelation> relations;
  uint64_t cpuFeatures = 0; // ATTN_RT_CPU_... bits that the code needs
  /// Where the tensors are. On a CUDA device the C function has one more
  /// parameter, the last: the stream, a CUstream.
  enum class Device { CPU, CUDA };
  Device device = Device::CPU;

  DictionaryAttr toAttr(MLIRContext *context) const;

  /// Reads the attribute `attn.signature` of `op`; reports an error at `op`
  /// when it is malformed. Call only if `op` has the attribute.
  static FailureOr<HostSignature> get(Operation *op);

  unsigned getNumTensors() const;

  /// The position of argument `arg`, a tensor, among the tensors.
  unsigned getTensorIndex(unsigned arg) const;
};

/// DLPack's code and bits of an element type.
struct HostElementType {
  uint8_t code, bits;
};

/// How elements of `type` are described to the runtime; nothing for types that
/// cannot be passed.
std::optional<HostElementType> getHostElementType(Type type);

/// The type that stands for a scalar of `type` in C: "int64_t". Empty for
/// types that cannot be passed by value.
StringRef getHostScalarType(Type type);

/// Infers the signature of `func`, which takes and returns tensors and scalars
/// and has a body. Equal extents come from operations with
/// ShapeFactsOpInterface, tensor.cast, tensor.dim, destination-style operations
/// and the attributes `attn.dims` of arguments and results.
///
/// Errors, at the operation at fault: types that cannot be passed; results that
/// are not tensors; result extents that the arguments do not determine; extents
/// that can never agree.
FailureOr<HostSignature> inferHostSignature(func::FuncOp func);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_HOSTABI_HOSTSIGNATURE_H
