//===- JITProgram.h - object files loaded in process ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads an object file, made in memory or read from disk, into the running
// process. What is run is byte for byte what is shipped.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_OBJECT_JITPROGRAM_H
#define ATTN_TARGET_OBJECT_JITPROGRAM_H

#include "attn/Target/Object/Object.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace mlir::attn {

class JITProgram {
public:
  /// Addresses of functions that the program may call, by symbol name. Other
  /// symbols are looked up in the process.
  using Symbols = llvm::StringMap<void *>;

  /// Loads `object`.
  static llvm::Expected<std::unique_ptr<JITProgram>>
  load(std::unique_ptr<llvm::MemoryBuffer> object, const Symbols &symbols = {});

  /// Compiles `module`, which must hold only the LLVM dialect, by `emitObject`
  /// and loads the result.
  static llvm::Expected<std::unique_ptr<JITProgram>>
  compile(ModuleOp module, const ObjectOptions &options,
          const Symbols &symbols = {});

  ~JITProgram();

  /// The address of the function `name`; an error if there is none.
  llvm::Expected<void *> lookup(llvm::StringRef name);

  /// The same as a pointer to a function of type `Function`.
  template <typename Function>
  llvm::Expected<Function *> lookup(llvm::StringRef name) {
    llvm::Expected<void *> address = lookup(name);
    if (!address)
      return address.takeError();
    return reinterpret_cast<Function *>(*address);
  }

private:
  struct Impl;
  explicit JITProgram(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::attn

#endif // ATTN_TARGET_OBJECT_JITPROGRAM_H
