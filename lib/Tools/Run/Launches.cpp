//===- Launches.cpp - Which kernels a call launches -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds the function for the extents and scalars of a call: the conditions go,
// and the launches that are left are those that ran.
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::run;
using nlohmann::json;

/// Puts what a call knows in the place of the arguments of `function`.
static void specialize(func::FuncOp function, ArrayRef<HostTensor> given) {
  Block &entry = function.getBody().front();
  auto b = OpBuilder::atBlockBegin(&entry);
  Location loc = function.getLoc();
  for (auto [argument, tensor] : llvm::zip_equal(entry.getArguments(), given)) {
    Type type = argument.getType();
    Value known;
    if (auto shaped = dyn_cast<RankedTensorType>(type)) {
      argument.setType(RankedTensorType::get(
          tensor.getShape(), shaped.getElementType(), shaped.getEncoding()));
      known = tensor::CastOp::create(b, loc, type, argument);
    } else if (type.isIntOrIndex()) {
      auto value =
          static_cast<int64_t>(load(tensor.getType(), tensor.getData()));
      known = arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
    } else {
      continue; // lengths do not depend on it
    }
    argument.replaceAllUsesExcept(known, known.getDefiningOp());
  }
  function.setType(
      b.getFunctionType(entry.getArgumentTypes(), function.getResultTypes()));
}

/// What the kernel has, whatever its schedule or passes have asked for.
static json describe(attn_gpu::KernelOp kernel) {
  int64_t stages = 0; // 0: nothing comes through rings
  auto work = attn_gpu::WorkSchedule::Once;
  kernel.walk([&](Operation *op) {
    if (auto ring = dyn_cast<attn_gpu::RingCreateOp>(op))
      stages = std::max(stages, ring.getRing().getType().getStages());
    else if (auto loop = dyn_cast<attn_gpu::WorkLoopOp>(op))
      work = std::max(work, loop.getSchedule());
  });
  json entry = {{"name", kernel.getSymName().str()},
                {"stages", stages},
                {"work", stringifyWorkSchedule(work).str()},
                {"cluster", kernel.getCluster()}};
  auto origin = kernel->getAttrOfType<DictionaryAttr>(
      attn_gpu::KernelOp::kOriginAttrName);
  if (!origin)
    return entry;
  auto rows = origin.getAs<IntegerAttr>("query_tile"),
       keys = origin.getAs<IntegerAttr>("key_tile");
  if (rows && keys)
    entry["schedule"] =
        std::to_string(rows.getInt()) + "x" + std::to_string(keys.getInt());
  for (StringRef name : {"why", "length"})
    if (auto text = origin.getAs<StringAttr>(name))
      entry[name.str()] = text.getValue().str();
  for (StringRef name : {"attention", "from", "below"})
    if (auto number = origin.getAs<IntegerAttr>(name))
      entry[name.str()] = number.getInt();
  return entry;
}

json mlir::attn::run::describeLaunches(func::FuncOp function,
                                       ArrayRef<HostTensor> arguments) {
  OwningOpRef<func::FuncOp> copy = function.clone();
  specialize(*copy, arguments);
  PassManager pm(function.getContext(), func::FuncOp::getOperationName());
  pm.addPass(createCanonicalizerPass());
  json launches = json::array();
  if (failed(pm.run(*copy)))
    return launches;
  copy->walk([&](attn_gpu::LaunchOp launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<attn_gpu::KernelOp>(
        function, launch.getKernelAttr());
    if (kernel)
      launches.push_back(describe(kernel));
  });
  return launches;
}
