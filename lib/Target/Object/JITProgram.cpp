//===- JITProgram.cpp - object files loaded in process --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ORC's object layer without its compile layers.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/Object/JITProgram.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace mlir;
using namespace mlir::attn;

struct JITProgram::Impl {
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

JITProgram::JITProgram(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
JITProgram::~JITProgram() = default;

llvm::Expected<std::unique_ptr<JITProgram>>
JITProgram::load(std::unique_ptr<llvm::MemoryBuffer> object,
                 const Symbols &symbols) {
  static std::once_flag once;
  std::call_once(once, [] { llvm::InitializeNativeTarget(); });

  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  llvm::orc::JITDylib &main = (*jit)->getMainJITDylib();

  llvm::orc::SymbolMap addresses;
  for (const auto &symbol : symbols)
    addresses[(*jit)->mangleAndIntern(symbol.first())] = {
        llvm::orc::ExecutorAddr::fromPtr(symbol.second),
        llvm::JITSymbolFlags::Exported};
  if (!addresses.empty())
    if (llvm::Error error =
            main.define(llvm::orc::absoluteSymbols(std::move(addresses))))
      return error;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  main.addGenerator(std::move(*process));

  if (llvm::Error error = (*jit)->addObjectFile(std::move(object)))
    return error;
  auto impl = std::make_unique<Impl>();
  impl->jit = std::move(*jit);
  return std::unique_ptr<JITProgram>(new JITProgram(std::move(impl)));
}

llvm::Expected<std::unique_ptr<JITProgram>>
JITProgram::compile(ModuleOp module, const ObjectOptions &options,
                    const Symbols &symbols) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (failed(emitObject(module, options, os)))
    return llvm::createStringError("compilation failed");
  return load(std::make_unique<llvm::SmallVectorMemoryBuffer>(
                  std::move(bytes), "attn.o",
                  /*RequiresNullTerminator=*/false),
              symbols);
}

llvm::Expected<void *> JITProgram::lookup(llvm::StringRef name) {
  auto address = impl->jit->lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<void *>();
}
