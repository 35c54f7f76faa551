//===- Simulator.cpp - Runs kernels on the CPU ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments, the thread blocks of a launch, reports.
//
//===----------------------------------------------------------------------===//

#include "attn/Simulator/Simulator.h"
#include "Agent.h"
#include "Cluster.h"
#include "Launch.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

StringRef sim::getName(FaultKind kind) {
  switch (kind) {
  case FaultKind::Unsupported:
    return "unsupported";
  case FaultKind::NotFull:
    return "read before full";
  case FaultKind::InUse:
    return "overwrite in use";
  case FaultKind::Stale:
    return "read of a stale tile";
  case FaultKind::InFlight:
    return "value in flight";
  case FaultKind::Signal:
    return "unmatched signal";
  case FaultKind::Turn:
    return "unmatched turn";
  case FaultKind::Deadlock:
    return "deadlock";
  case FaultKind::Divergence:
    return "divergence";
  case FaultKind::Race:
    return "race";
  case FaultKind::Bounds:
    return "out of bounds";
  case FaultKind::TooLong:
    return "endless";
  }
  llvm_unreachable("unknown kind");
}

static std::string printed(Operation *op) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << op->getLoc() << ": ";
  if (isa<KernelOp>(op))
    out << "'" << op->getName() << "'";
  else
    op->print(out, OpPrintingFlags().skipRegions().useLocalScope());
  return text;
}

std::string Fault::str() const {
  std::string out =
      getName(kind).str() + ": " + agent + ": " + text + "\n  " + printed(op);
  for (auto &[other, note] : notes)
    out += "\n  note: " + note + "\n    " + printed(other);
  return out;
}

void sim::emitFault(const Fault &fault) {
  InFlightDiagnostic error = emitError(fault.op->getLoc())
                             << "'" << fault.op->getName()
                             << "': " << getName(fault.kind) << ": "
                             << fault.agent << ": " << fault.text;
  for (auto &[other, note] : fault.notes)
    error.attachNote(other->getLoc())
        << "'" << other->getName() << "': " << note;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// What `argument` is as a value of `type`; on failure `why` says what is
/// wrong.
static std::optional<Datum> convert(const Argument &argument, Type type,
                                    std::string &why) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (auto *tensor = std::get_if<Tensor>(&argument)) {
    if (!shaped || !shaped.hasRank()) {
      why = "got a tensor";
      return std::nullopt;
    }
    if (!getByteSize(shaped.getElementType())) {
      why = "expected elements of f32, bf16 or f16";
      return std::nullopt;
    }
    if (int64_t(tensor->shape.size()) != shaped.getRank() ||
        tensor->strides.size() != tensor->shape.size()) {
      why = "got a tensor of " + std::to_string(tensor->shape.size()) +
            " dimensions";
      return std::nullopt;
    }
    for (auto [got, expected] :
         llvm::zip_equal(tensor->shape, shaped.getShape()))
      if (got < 0 || (!ShapedType::isDynamic(expected) && got != expected)) {
        why = "got an extent of " + std::to_string(got);
        return std::nullopt;
      }
    auto view = std::make_shared<TensorView>();
    view->elementType = shaped.getElementType();
    view->data = static_cast<std::byte *>(tensor->data);
    view->shape = tensor->shape;
    view->strides = tensor->strides;
    return view;
  }
  if (auto *number = std::get_if<float>(&argument)) {
    if (type.isF32())
      return makeDatum({{*number}, {}});
    why = "got an f32";
    return std::nullopt;
  }
  if (type.isIntOrIndex())
    return makeInteger(wrapTo(type, std::get<int64_t>(argument)));
  why = "got an integer";
  return std::nullopt;
}

LogicalResult sim::convertArguments(Operation *op, TypeRange types,
                                    ArrayRef<Argument> arguments,
                                    SmallVectorImpl<Datum> &data,
                                    std::vector<Fault> &faults) {
  auto fail = [&](const Twine &text) {
    faults.push_back(
        {FaultKind::Unsupported, op, "the caller", text.str(), {}});
  };
  if (types.size() != arguments.size()) {
    fail("expected " + Twine(types.size()) + " arguments, got " +
         Twine(arguments.size()));
    return failure();
  }
  for (auto [index, type, argument] : llvm::enumerate(types, arguments)) {
    std::string why;
    if (std::optional<Datum> datum = convert(argument, type, why)) {
      data.push_back(std::move(*datum));
      continue;
    }
    std::string expected;
    llvm::raw_string_ostream(expected) << type;
    fail("argument " + Twine(index) + " expected " + expected + ", " + why);
  }
  return success(faults.empty());
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

std::vector<Fault> sim::runLaunch(KernelOp kernel, SmallVector<Datum> arguments,
                                  const Options &options) {
  Launch launch{kernel,  getKernelOps(),       std::move(arguments),
                options, Random(options.seed), {},
                {}};
  for (Datum &datum : launch.arguments)
    if (auto *tensor = std::get_if<std::shared_ptr<TensorView>>(&datum))
      (*tensor)->writers.assign((*tensor)->getNumElements(), 0);
  int64_t size = kernel.getCluster();
  if (options.blocks % size != 0)
    return {
        {FaultKind::Unsupported,
         kernel,
         "the caller",
         ("expected a multiple of " + Twine(size) +
          " thread blocks, those of a cluster, got " + Twine(options.blocks))
             .str(),
         {}}};
  int64_t next = 0, clusters = options.blocks / size;
  std::vector<std::unique_ptr<Cluster>> running;
  while (launch.faults.empty()) {
    while (next < clusters &&
           int64_t(running.size()) < std::max<int64_t>(options.blocksAtOnce, 1))
      running.push_back(std::make_unique<Cluster>(launch, next++));
    if (running.empty())
      break;
    size_t chosen =
        running.size() == 1 ? 0 : launch.random.below(running.size());
    (void)running[chosen]->step();
    if (running[chosen]->isFinished())
      running.erase(running.begin() + chosen);
  }
  return std::move(launch.faults);
}

std::vector<Fault> sim::simulate(KernelOp kernel, ArrayRef<Argument> arguments,
                                 const Options &options) {
  std::vector<Fault> faults;
  SmallVector<Datum> data;
  if (failed(convertArguments(kernel, kernel.getArgumentTypes(), arguments,
                              data, faults)))
    return faults;
  return runLaunch(kernel, std::move(data), options);
}
