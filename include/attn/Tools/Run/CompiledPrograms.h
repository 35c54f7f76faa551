//===- CompiledPrograms.h - Functions compiled in memory --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles functions of a module, by the pipeline and by the reference, to
// object files in memory, and loads them. Each program is compiled once.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_COMPILEDPROGRAMS_H
#define ATTN_TOOLS_RUN_COMPILEDPROGRAMS_H

#include "attn/Pipelines/Pipelines.h"
#include "attn/Tools/Run/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>
#include <string>

namespace mlir::attn::run {

/// Where the compiled function runs. Definitions always run on the CPU.
enum class Device : uint8_t { CPU, Simulator };

struct CompileOptions {
  Device device = Device::CPU;
  /// Of the simulator: in how many orders of copies, products and warpgroups a
  /// call runs, and the kernels' schedule.
  int64_t schedules = 8;
  CUDAOptions cuda;
  /// A CPU as LLVM names it, or `host`.
  std::string cpu = "host";
  IterationOptions iteration;
  /// Folder for stage files, `<folder>/<function>/<kind>/`; empty: none.
  std::string dumpFolder;
};

/// The part of `module` that `name` needs, with `name` as its only public
/// function. Null after an error, which has been reported.
OwningOpRef<ModuleOp> extractFunction(ModuleOp module, StringRef name);

class CompiledPrograms : public ProgramProvider {
public:
  /// `module` must outlive this. The context is made to run passes in order and
  /// to hand remarks to this.
  CompiledPrograms(ModuleOp module, CompileOptions options);
  ~CompiledPrograms() override;

  llvm::Expected<Program *> get(StringRef function, ProgramKind kind) override;
  nlohmann::json getCompileReport(StringRef function) override;

private:
  /// The function as one that launches kernels, for the simulator.
  llvm::Expected<std::unique_ptr<Program>> compileKernels(StringRef function);
  llvm::Expected<std::unique_ptr<Program>> compile(StringRef function,
                                                   ProgramKind kind);

  ModuleOp module;
  CompileOptions options;
  std::map<std::pair<std::string, ProgramKind>, std::unique_ptr<Program>>
      programs;
  /// Functions that could not be compiled are not tried again.
  std::map<std::pair<std::string, ProgramKind>, std::string> failures;
  std::map<std::string, nlohmann::json, std::less<>> reports;
  /// What the pass that runs now decided; shared with the remark engine.
  std::shared_ptr<nlohmann::json> choices;
};

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_COMPILEDPROGRAMS_H
