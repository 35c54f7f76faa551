//===- NVVMBuilder.h - Code of one thread -----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the patterns share: a builder with the arithmetic, thread numbers and
// inline assembly of a thread's program, and the view of a tensor argument.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNGPUTONVVM_NVVMBUILDER_H
#define ATTN_LIB_CONVERSION_ATTNGPUTONVVM_NVVMBUILDER_H

#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// Memory spaces of pointers (NVPTX).
constexpr unsigned kGlobalSpace = 1, kSharedSpace = 3, kClusterSpace = 7;

/// The symbol of a module's dynamic shared memory.
constexpr StringLiteral kSharedSymbol = "attn_gpu_shared";

/// A piece of PTX. Operands are named `$0`, `$1`, ... in its text, results
/// first.
struct InlinePTX {
  std::string text;
  SmallVector<Type> results;
  /// Values that the first results overwrite in place.
  SmallVector<Value> tied;
  SmallVector<Value> inputs;

  /// Where `inputs[i]` stands in the text.
  std::string input(size_t i) const {
    return "$" + std::to_string(results.size() + tied.size() + i);
  }
};

class NVVMBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  // Constants and arithmetic; operands have one type.
  Value i1(bool value) { return constant(getI1Type(), value); }
  Value i32(int64_t value) { return constant(getI32Type(), value); }
  Value i64(int64_t value) { return constant(getI64Type(), value); }
  Value constant(Type type, int64_t value);
  Value constantLike(Value like, int64_t value) {
    return constant(like.getType(), value);
  }
  Value add(Value a, Value b) { return arith::AddIOp::create(*this, a, b); }
  Value add(Value a, int64_t b) { return add(a, constantLike(a, b)); }
  Value sub(Value a, Value b) { return arith::SubIOp::create(*this, a, b); }
  Value mul(Value a, Value b) { return arith::MulIOp::create(*this, a, b); }
  Value mul(Value a, int64_t b) { return mul(a, constantLike(a, b)); }
  Value divU(Value a, int64_t b) {
    return arith::DivUIOp::create(*this, a, constantLike(a, b));
  }
  Value remU(Value a, int64_t b) {
    return arith::RemUIOp::create(*this, a, constantLike(a, b));
  }
  Value bitAnd(Value a, Value b) { return arith::AndIOp::create(*this, a, b); }
  Value bitAnd(Value a, int64_t b) { return bitAnd(a, constantLike(a, b)); }
  Value bitOr(Value a, Value b) { return arith::OrIOp::create(*this, a, b); }
  Value bitXor(Value a, Value b) { return arith::XOrIOp::create(*this, a, b); }
  Value cmp(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(*this, predicate, a, b);
  }
  Value cmp(arith::CmpIPredicate predicate, Value a, int64_t b) {
    return cmp(predicate, a, constantLike(a, b));
  }
  /// `value` into [0, max].
  Value clamp(Value value, int64_t max);
  /// Between index, i32 and i64; a narrower value is not negative.
  Value toI64(Value value);
  Value toI32(Value value);

  // Numbers of the running thread, i32.
  Value getThread();          ///< In the block.
  Value getClusterRank();     ///< Of the block in its cluster.
  Value getWarpgroupThread(); ///< In the warpgroup.
  Value getLane();            ///< In the warp.
  Value getWarp();            ///< The warp in the warpgroup.
  /// Where the thread's element 0 of a fragment stands.
  Value getFragmentRow();
  Value getFragmentColumn();
  /// `value` of the first lane, for the others; so ptxas knows that it is
  /// uniform.
  Value uniform(Value value);

  /// `value` (i32), of which nothing is known. What is made of it is made where
  /// it is used, not kept in registers from before a loop.
  Value opaque(Value value);

  // Vectors of one thread.
  SmallVector<Value> unpack(Value vector);
  Value pack(ArrayRef<Value> elements, Type vectorType);
  /// The bits of a vector of 16-bit elements, two to an i32.
  SmallVector<Value> unpackPairs(Value vector);

  /// `pointer` plus bytes.
  Value offset(Value pointer, Value bytes);
  /// The byte `offset` of the block's dynamic shared memory.
  Value sharedMemory(int64_t offset);
  /// The address as an integer.
  Value address(Value pointer, Type type) {
    return LLVM::PtrToIntOp::create(*this, type, pointer);
  }

  /// The results. All of it stays in order with other memory accesses.
  SmallVector<Value> ptx(const InlinePTX &code);

private:
  template <typename Op, typename... Args>
  Value create(Args &&...args) {
    return Op::create(*this, std::forward<Args>(args)...);
  }
};

/// A tensor argument, as the parameters it has become.
class TensorView {
public:
  /// `values` are those that `type` is converted to, see
  /// `getTensorParameters`.
  TensorView(NVVMBuilder &b, MemRefType type, ValueRange values);

  MemRefType getType() const { return type; }
  Value getPointer() const { return pointer; }
  Value getExtent(int64_t dim) const { return extents[dim]; }
  /// In elements.
  Value getStride(int64_t dim) const { return strides[dim]; }

private:
  MemRefType type;
  Value pointer;
  SmallVector<Value> extents, strides; // i64
};

/// Where the lanes of a warp find the chunks of 16 bytes that `ldmatrix` and
/// `stmatrix` move, of a tile of 64 rows.
class MatrixAddress {
public:
  MatrixAddress(NVVMBuilder &b, Value pointer, attn_gpu::TileLayout tile);

  /// Of the running lane, for the 16 columns of `step`.
  Value get(int64_t step);

private:
  NVVMBuilder &b;
  Value pointer;
  attn_gpu::TileLayout tile;
  Value row, rowStart, half; // i32
};

/// What a parameter of a lowered kernel holds.
struct KernelParameter {
  enum class Kind { Pointer, Extent, Stride, Scalar, TileMap, Counter };
  Kind kind;
  /// Of the kernel; a counter is of none.
  int64_t argument = 0;
  /// Of an extent or a stride; of a tile map, the one that rows run along.
  int64_t dimension = 0;
  /// Of the boxes of a tile map.
  int64_t rows = 0;

  Attribute getAttr(MLIRContext *context) const;
};

/// The parameters that `argument`, of `type`, becomes, in order.
SmallVector<KernelParameter> getParameters(int64_t argument, Type type);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_NVVMBUILDER_H
