//===- ModuleBuilder.cpp - Constants of the host program ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Globals, their fields, and declarations.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/ModuleBuilder.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// ModuleBuilder
//===----------------------------------------------------------------------===//

void ModuleBuilder::setInsertionPoint() {
  if (before)
    b.setInsertionPoint(before);
  else
    b.setInsertionPointToStart(module.getBody());
}

LLVM::GlobalOp ModuleBuilder::createGlobal(Location loc, Type type,
                                           const Twine &name, bool isConstant,
                                           Attribute value) {
  OpBuilder::InsertionGuard guard(b);
  setInsertionPoint();
  auto global = LLVM::GlobalOp::create(
      b, loc, type, isConstant, LLVM::Linkage::Internal, name.str(), value);
  symbols.insert(global); // makes the name unique
  return global;
}

LLVM::GlobalOp
ModuleBuilder::createGlobal(Location loc, Type type, const Twine &name,
                            bool isConstant,
                            function_ref<Value(OpBuilder &, Value)> fill) {
  LLVM::GlobalOp global =
      createGlobal(loc, type, name, isConstant, Attribute());
  OpBuilder inner(b.getContext());
  inner.createBlock(&global.getInitializerRegion());
  Value value = fill(inner, LLVM::PoisonOp::create(inner, loc, type));
  LLVM::ReturnOp::create(inner, loc, value);
  return global;
}

LLVM::GlobalOp ModuleBuilder::createBytes(Location loc, StringRef bytes,
                                          const Twine &name) {
  Type type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  return createGlobal(loc, type, name, /*isConstant=*/true,
                      b.getStringAttr(bytes));
}

LLVM::GlobalOp ModuleBuilder::createString(Location loc, StringRef text,
                                           const Twine &name) {
  return createBytes(loc, text.str() + '\0', name);
}

LLVM::LLVMFuncOp ModuleBuilder::declare(StringRef name, Type result,
                                        ArrayRef<Type> arguments) {
  if (auto known = symbols.lookup<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(b);
  setInsertionPoint();
  auto function = LLVM::LLVMFuncOp::create(
      b, before ? before->getLoc() : module.getLoc(), name,
      LLVM::LLVMFunctionType::get(result, arguments));
  symbols.insert(function);
  return function;
}

//===----------------------------------------------------------------------===//
// FieldBuilder
//===----------------------------------------------------------------------===//

FieldBuilder &FieldBuilder::add(Value field) {
  value = LLVM::InsertValueOp::create(b, loc, value, field, next++);
  return *this;
}

FieldBuilder &FieldBuilder::add(unsigned bits, int64_t number) {
  Type type = b.getIntegerType(bits);
  return add(
      LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, number)));
}

FieldBuilder &FieldBuilder::add(LLVM::GlobalOp global) {
  Type ptr = LLVM::LLVMPointerType::get(b.getContext());
  if (!global)
    return add(LLVM::ZeroOp::create(b, loc, ptr));
  return add(LLVM::AddressOfOp::create(b, loc, ptr, global.getSymName()));
}
