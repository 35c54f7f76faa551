//===- SimulatedProgram.cpp - Functions with kernels, simulated -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hands tensors to the simulator and takes results from it.
//
//===----------------------------------------------------------------------===//

#include "SimulatedProgram.h"
#include "CheckCall.h"
#include "Launches.h"
#include "attn/Simulator/Simulator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <cstring>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::run;

/// What the simulator takes for an argument; scalars are tensors of rank 0
/// here.
static sim::Argument toArgument(const HostTensor &tensor, Type type) {
  if (!isa<ShapedType>(type)) {
    double value = load(tensor.getType(), tensor.getData());
    if (type.isF32())
      return static_cast<float>(value);
    return static_cast<int64_t>(value);
  }
  return sim::Tensor{tensor.getData(), SmallVector<int64_t>(tensor.getShape()),
                     SmallVector<int64_t>(tensor.getStrides())};
}

namespace {
class SimulatedProgram : public Program {
public:
  SimulatedProgram(OwningOpRef<ModuleOp> module, StringRef function,
                   int64_t schedules)
      : module(std::move(module)), name(function), schedules(schedules) {}

  llvm::Error call(ArrayRef<HostTensor> arguments,
                   ArrayRef<HostTensor> results) override {
    auto function = module->lookupSymbol<func::FuncOp>(name);
    assert(function.getNumArguments() == arguments.size() &&
           "as the function has them");
    FailureOr<HostSignature> signature = HostSignature::get(function);
    if (failed(signature))
      return llvm::createStringError("the function's signature is malformed");
    if (llvm::Error error = checkCall(*signature, arguments, results))
      return error;
    SmallVector<sim::Argument> given;
    for (auto [tensor, type] :
         llvm::zip_equal(arguments, function.getArgumentTypes()))
      given.push_back(toArgument(tensor, type));
    for (int64_t seed = 0; seed < schedules; ++seed) {
      sim::Options options;
      options.seed = seed;
      options.blocksAtOnce = 1 + seed % 3;
      options.persistentBlocks = 1 + seed / 3 % 3;
      SmallVector<sim::HostResult> computed;
      std::vector<sim::Fault> faults =
          sim::simulate(function, given, options, computed);
      if (!faults.empty())
        return makeError(seed, faults);
      for (auto [n, tensor] : llvm::enumerate(results))
        if (llvm::Error error = take(computed[n], tensor, seed, n))
          return error;
    }
    return llvm::Error::success();
  }

  nlohmann::json describeLaunches(ArrayRef<HostTensor> arguments) override {
    return run::describeLaunches(module->lookupSymbol<func::FuncOp>(name),
                                 arguments);
  }

private:
  static llvm::Error makeError(int64_t seed, ArrayRef<sim::Fault> faults) {
    std::string text = "the simulator, in order " + std::to_string(seed) + ":";
    for (const sim::Fault &fault : faults)
      text += "\n" + fault.str();
    return llvm::createStringError(text);
  }

  /// Copies a result, or compares it with what an earlier order gave.
  static llvm::Error take(const sim::HostResult &from, const HostTensor &to,
                          int64_t seed, int64_t number) {
    if (from.tensor.shape != SmallVector<int64_t>(to.getShape()))
      return llvm::createStringError("result " + llvm::Twine(number) +
                                     " expected " + formatShape(to.getShape()) +
                                     ", got " + formatShape(from.tensor.shape));
    int64_t differences = 0, bytes = getByteSize(to.getType());
    to.forEach([&](ArrayRef<int64_t> index, std::byte *address) {
      int64_t element = 0;
      for (auto [i, stride] : llvm::zip_equal(index, from.tensor.strides))
        element += i * stride;
      const auto *source =
          static_cast<const std::byte *>(from.tensor.data) + element * bytes;
      if (seed == 0)
        std::memcpy(address, source, bytes);
      else
        differences += std::memcmp(address, source, bytes) != 0;
    });
    if (differences)
      return llvm::createStringError(
          "the simulator gives other results in order " + llvm::Twine(seed) +
          " than in order 0: " + llvm::Twine(differences) +
          " elements of result " + llvm::Twine(number));
    return llvm::Error::success();
  }

  OwningOpRef<ModuleOp> module;
  std::string name;
  int64_t schedules;
};
} // namespace

std::unique_ptr<Program>
mlir::attn::run::makeSimulatedProgram(OwningOpRef<ModuleOp> module,
                                      StringRef function, int64_t schedules) {
  return std::make_unique<SimulatedProgram>(std::move(module), function,
                                            schedules);
}
