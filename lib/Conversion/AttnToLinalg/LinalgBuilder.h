//===- LinalgBuilder.h - Short forms for linalg.generic ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds element-wise operations, reductions and contractions with maps written
// as lists of dimensions. Private to this conversion.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOLINALG_LINALGBUILDER_H
#define ATTN_LIB_CONVERSION_ATTNTOLINALG_LINALGBUILDER_H

#include "attn/Dialect/Attn/Utils/OnlineSoftmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn::detail {

/// A tensor with the dimensions of the iteration space that its axes run over.
struct Mapped {
  Value tensor;
  SmallVector<int64_t> dims;
};

/// Builds linalg operations at one place, and arithmetic on scalars of f32 in
/// their bodies.
class LinalgBuilder : public ElementBuilder {
public:
  using Body = llvm::function_ref<Value(LinalgBuilder &, ValueRange)>;
  using ElementBuilder::ElementBuilder;

  /// `output = body(inputs..., output)` over `rank` dimensions; those that the
  /// output does not have are reductions. The body's last argument is the
  /// output's element.
  Value generic(int64_t rank, ArrayRef<Mapped> inputs, const Mapped &output,
                Body body) {
    SmallVector<AffineMap> maps;
    auto addMap = [&](const Mapped &mapped) {
      SmallVector<AffineExpr> exprs;
      for (int64_t dim : mapped.dims)
        exprs.push_back(b.getAffineDimExpr(dim));
      maps.push_back(AffineMap::get(rank, 0, exprs, b.getContext()));
    };
    SmallVector<Value> operands;
    for (const Mapped &input : inputs) {
      addMap(input);
      operands.push_back(input.tensor);
    }
    addMap(output);
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::reduction);
    for (int64_t dim : output.dims)
      iterators[dim] = utils::IteratorType::parallel;
    auto op = linalg::GenericOp::create(
        b, loc, output.tensor.getType(), operands, output.tensor, maps,
        iterators, [&](OpBuilder &nested, Location, ValueRange arguments) {
          LinalgBuilder inner(nested, loc);
          linalg::YieldOp::create(nested, loc, body(inner, arguments));
        });
    return op.getResult(0);
  }

  Value empty(ArrayRef<int64_t> shape, Type element) {
    return tensor::EmptyOp::create(b, loc, shape, element);
  }
  Value fill(Value destination, double value) {
    Type element = cast<ShapedType>(destination.getType()).getElementType();
    return linalg::FillOp::create(b, loc, constant(value, element), destination)
        .getResult(0);
  }

  using ElementBuilder::constant;
  using ElementBuilder::infinity;
  Value constant(double value, Type type) {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  }
  Value constant(double value) { return constant(value, b.getF32Type()); }
  Value infinity(bool negative) {
    double value = std::numeric_limits<double>::infinity();
    return constant(negative ? -value : value);
  }
  Value toF32(Value x) {
    return x.getType().isF32()
               ? x
               : arith::ExtFOp::create(b, loc, b.getF32Type(), x).getResult();
  }
  Value fromF32(Value x, Type type) {
    return type.isF32() ? x
                        : arith::TruncFOp::create(b, loc, type, x).getResult();
  }
};

} // namespace mlir::attn::detail

#endif // ATTN_LIB_CONVERSION_ATTNTOLINALG_LINALGBUILDER_H
