//===- HostOps.cpp - The host side of kernels -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors of a function that launches kernels. A launch writes to copies of its
// outputs: tensors are values, and one may be the output of several launches.
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "Launch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

using TensorPtr = std::shared_ptr<TensorView>;

static SmallVector<int64_t> getDenseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

/// A row-major tensor of NaN.
static TensorPtr makeTensor(Type elementType, ArrayRef<int64_t> shape) {
  auto tensor = std::make_shared<TensorView>();
  tensor->elementType = elementType;
  tensor->shape.assign(shape.begin(), shape.end());
  tensor->strides = getDenseStrides(shape);
  // All bits set is NaN in every type.
  auto memory = std::make_shared<std::vector<std::byte>>(
      tensor->getNumElements() * getByteSize(elementType), std::byte(0xFF));
  tensor->data = memory->data();
  tensor->memory = memory;
  return tensor;
}

static TensorPtr copyTensor(const TensorView &from) {
  TensorPtr to = makeTensor(from.elementType, from.shape);
  SmallVector<int64_t> index(from.shape.size());
  for (int64_t number = 0, e = from.getNumElements(); number < e; ++number) {
    int64_t rest = number;
    for (int64_t dim = int64_t(index.size()) - 1; dim >= 0; --dim) {
      index[dim] = rest % from.shape[dim];
      rest /= from.shape[dim];
    }
    to->store(index, from.load(index));
  }
  return to;
}

static Outcome runEmpty(Agent &agent, tensor::EmptyOp op) {
  RankedTensorType type = op.getType();
  if (!getByteSize(type.getElementType()))
    return agent.fail(FaultKind::Unsupported, op,
                      "expected elements of f32, bf16 or f16");
  SmallVector<int64_t> dynamic = agent.getIntegers(op.getDynamicSizes()), shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    shape.push_back(ShapedType::isDynamic(extent)
                        ? dynamic[type.getDynamicDimIndex(dim)]
                        : extent);
  agent.set(op.getResult(), makeTensor(type.getElementType(), shape));
  return Outcome::Done;
}

static Outcome runDim(Agent &agent, tensor::DimOp op) {
  const auto &tensor = agent.getAs<TensorPtr>(op.getSource());
  int64_t dim = agent.getInteger(op.getIndex());
  if (dim < 0 || dim >= int64_t(tensor->shape.size()))
    return agent.fail(FaultKind::Bounds, op,
                      "asks for dimension " + Twine(dim) + " of " +
                          Twine(tensor->shape.size()));
  agent.set(op.getResult(), makeInteger(tensor->shape[dim]));
  return Outcome::Done;
}

static Outcome runExpandShape(Agent &agent, tensor::ExpandShapeOp op) {
  const auto &source = agent.getAs<TensorPtr>(op.getSrc());
  auto result = std::make_shared<TensorView>(*source);
  SmallVector<int64_t> sizes = agent.getIntegers(op.getOutputShape());
  result->shape.clear();
  size_t nextSize = 0;
  for (int64_t extent : op.getStaticOutputShape())
    result->shape.push_back(ShapedType::isDynamic(extent) ? sizes[nextSize++]
                                                          : extent);
  result->strides.assign(result->shape.size(), 0);
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t stride = source->strides[dim], elements = 1;
    for (int64_t part : llvm::reverse(group)) {
      result->strides[part] = stride;
      stride *= result->shape[part];
      elements *= result->shape[part];
    }
    if (elements != source->shape[dim])
      return agent.fail(FaultKind::Bounds, op,
                        "makes " + Twine(elements) + " of dimension " +
                            Twine(dim) + ", which has " +
                            Twine(source->shape[dim]));
  }
  agent.set(op.getResult(), result);
  return Outcome::Done;
}

static Outcome runCollapseShape(Agent &agent, tensor::CollapseShapeOp op) {
  const auto &source = agent.getAs<TensorPtr>(op.getSrc());
  auto result = std::make_shared<TensorView>(*source);
  result->shape.clear();
  result->strides.clear();
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t elements = 1, stride = source->strides[group.back()];
    for (int64_t part : llvm::reverse(group)) {
      int64_t extent = source->shape[part];
      if (extent != 1 && source->strides[part] != stride * elements)
        return agent.fail(FaultKind::Unsupported, op,
                          "joins dimensions that are apart in memory");
      elements *= extent;
    }
    result->shape.push_back(elements);
    result->strides.push_back(stride);
  }
  agent.set(op.getResult(), result);
  return Outcome::Done;
}

/// Only the type changes; a call's extents have been checked.
static Outcome runCast(Agent &agent, tensor::CastOp op) {
  agent.set(op.getDest(), agent.getAs<TensorPtr>(op.getSource()));
  return Outcome::Done;
}

static Outcome runExtractSlice(Agent &agent, tensor::ExtractSliceOp op) {
  const auto &source = agent.getAs<TensorPtr>(op.getSource());
  if (op.getType().getRank() != op.getSourceType().getRank() ||
      !op.hasUnitStride())
    return agent.fail(FaultKind::Unsupported, op,
                      "expected a slice of unit strides and the same rank");
  auto take = [&](ArrayRef<int64_t> constants, ValueRange values) {
    SmallVector<int64_t> numbers = agent.getIntegers(values), taken;
    size_t next = 0;
    for (int64_t constant : constants)
      taken.push_back(ShapedType::isDynamic(constant) ? numbers[next++]
                                                      : constant);
    return taken;
  };
  SmallVector<int64_t> offsets = take(op.getStaticOffsets(), op.getOffsets());
  SmallVector<int64_t> sizes = take(op.getStaticSizes(), op.getSizes());
  auto result = std::make_shared<TensorView>(*source);
  for (auto [dim, offset, size] : llvm::enumerate(offsets, sizes)) {
    int64_t extent = source->shape[dim];
    if (offset < 0 || size < 0 || offset > extent || size > extent - offset)
      return agent.fail(FaultKind::Bounds, op,
                        "takes " + Twine(size) + " from " + Twine(offset) +
                            " on of dimension " + Twine(dim) + ", which has " +
                            Twine(extent));
    result->data +=
        offset * source->strides[dim] * getByteSize(source->elementType);
  }
  result->shape = sizes;
  agent.set(op.getResult(), result);
  return Outcome::Done;
}

namespace {
/// The host, with what its launches need.
struct Host : Agent {
  Host(const OpTable &table, const Options &options)
      : Agent(/*block=*/nullptr, table, "the host", /*consumer=*/0),
        options(options) {}
  const Options &options;
  SmallVector<Datum> returned;
};
} // namespace

static Outcome runLaunchOp(Agent &agent, LaunchOp op) {
  auto &host = static_cast<Host &>(agent);
  auto kernel =
      SymbolTable::lookupNearestSymbolFrom<KernelOp>(op, op.getKernelAttr());
  if (!kernel)
    return agent.fail(FaultKind::Unsupported, op,
                      "starts a kernel that is not here as a tile program");
  SmallVector<Datum> outputs =
      llvm::map_to_vector(op.getOutputs(), [&](Value output) -> Datum {
        return copyTensor(*agent.getAs<TensorPtr>(output));
      });
  SmallVector<Datum> arguments = agent.getAll(op.getInputs());
  llvm::append_range(arguments, outputs);
  Options options = host.options;
  int64_t clusters = llvm::divideCeilSigned(agent.getInteger(op.getBlocks()),
                                            kernel.getCluster());
  bool isPersistent = kernel
                          .walk([](WorkLoopOp loop) {
                            return loop.isPersistent() ? WalkResult::interrupt()
                                                       : WalkResult::advance();
                          })
                          .wasInterrupted();
  if (isPersistent)
    clusters = std::min(clusters, options.persistentBlocks);
  options.blocks = clusters * kernel.getCluster();
  std::vector<Fault> faults = runLaunch(kernel, arguments, options);
  if (!faults.empty()) {
    llvm::append_range(*agent.hostFaults, faults);
    return Outcome::Failed;
  }
  agent.setAll(op.getResults(), outputs);
  return Outcome::Done;
}

void sim::populateHostOps(OpTable &table) {
  table.add<tensor::EmptyOp>(runEmpty);
  table.add<tensor::DimOp>(runDim);
  table.add<tensor::ExpandShapeOp>(runExpandShape);
  table.add<tensor::CollapseShapeOp>(runCollapseShape);
  table.add<tensor::ExtractSliceOp>(runExtractSlice);
  table.add<tensor::CastOp>(runCast);
  table.add<LaunchOp>(runLaunchOp);
  table.add<func::ReturnOp>([](Agent &agent, func::ReturnOp op) {
    static_cast<Host &>(agent).returned = agent.getAll(op.getOperands());
    agent.stop();
    return Outcome::Done;
  });
}

static const OpTable &getHostTable() {
  static const OpTable kTable = [] {
    OpTable table;
    populateElementwiseOps(table);
    populateControlOps(table);
    populateHostOps(table);
    return table;
  }();
  return kTable;
}

std::vector<Fault> sim::simulate(func::FuncOp function,
                                 ArrayRef<Argument> arguments,
                                 const Options &options,
                                 SmallVectorImpl<HostResult> &results) {
  std::vector<Fault> faults;
  SmallVector<Datum> data;
  if (failed(convertArguments(function, function.getArgumentTypes(), arguments,
                              data, faults)))
    return faults;
  Host host(getHostTable(), options);
  host.hostFaults = &faults;
  host.enter(&function.getBody().front(), data);
  while (!host.isFinished() && faults.empty())
    (void)host.run();
  for (const Datum &datum : host.returned) {
    const auto *tensor = std::get_if<TensorPtr>(&datum);
    if (!tensor) {
      faults.push_back({FaultKind::Unsupported,
                        function,
                        "the host",
                        "returns something that is not a tensor",
                        {}});
      break;
    }
    results.push_back({(*tensor)->elementType,
                       {(*tensor)->data, (*tensor)->shape, (*tensor)->strides},
                       (*tensor)->memory});
  }
  return faults;
}
