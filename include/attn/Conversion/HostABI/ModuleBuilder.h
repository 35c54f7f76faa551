//===- ModuleBuilder.h - Constants of the host program ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes what the runtime is told: constants of the LLVM dialect that mirror its
// structures, and declarations of its functions.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_HOSTABI_MODULEBUILDER_H
#define ATTN_CONVERSION_HOSTABI_MODULEBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::attn {

/// Adds globals, internal and named uniquely, and declarations to a module.
class ModuleBuilder {
public:
  /// Builds before `before`, by default at the start of `module`. `symbols` is
  /// that of the module.
  ModuleBuilder(ModuleOp module, SymbolTable &symbols,
                Operation *before = nullptr)
      : module(module), symbols(symbols), before(before),
        b(module.getContext()) {}

  /// A global of value `value`, or without one if that is null.
  LLVM::GlobalOp createGlobal(Location loc, Type type, const Twine &name,
                              bool isConstant, Attribute value);

  /// A global whose value `fill` builds from a poison one, at the builder's
  /// place: the end of the global's region.
  LLVM::GlobalOp createGlobal(Location loc, Type type, const Twine &name,
                              bool isConstant,
                              function_ref<Value(OpBuilder &, Value)> fill);

  /// A constant array of the bytes.
  LLVM::GlobalOp createBytes(Location loc, StringRef bytes, const Twine &name);

  /// The text with a null behind.
  LLVM::GlobalOp createString(Location loc, StringRef text, const Twine &name);

  /// The function of that name, declared where it is not yet.
  LLVM::LLVMFuncOp declare(StringRef name, Type result,
                           ArrayRef<Type> arguments);

private:
  void setInsertionPoint();

  ModuleOp module;
  SymbolTable &symbols;
  Operation *before;
  OpBuilder b;
};

/// Fills an array or structure, field by field in their order.
class FieldBuilder {
public:
  FieldBuilder(OpBuilder &b, Location loc, Value value)
      : b(b), loc(loc), value(value) {}

  FieldBuilder &add(Value field);
  /// An integer.
  FieldBuilder &add(unsigned bits, int64_t number);
  /// The global's address; null for none.
  FieldBuilder &add(LLVM::GlobalOp global);
  Value get() const { return value; }

private:
  OpBuilder &b;
  Location loc;
  Value value;
  int64_t next = 0;
};

} // namespace mlir::attn

#endif // ATTN_CONVERSION_HOSTABI_MODULEBUILDER_H
