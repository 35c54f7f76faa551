//===- EmitHostEntry.cpp - Emits the C functions of a module --------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the constant description of each function's arguments and the LLVM
// function that checks them and calls the code.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Arguments.h"
#include "attn-rt/Cuda.h"
#include "attn/Conversion/HostABI/CpuFeatures.h"
#include "attn/Conversion/HostABI/HostSignature.h"
#include "attn/Conversion/HostABI/ModuleBuilder.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::attn {
#define GEN_PASS_DEF_EMITHOSTENTRYPASS
#include "attn/Conversion/HostABI/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Emits what belongs to one function.
class EntryEmitter {
public:
  EntryEmitter(func::FuncOp impl, const HostSignature &signature,
               SymbolTable &symbols)
      : impl(impl), signature(signature), symbols(symbols),
        module(impl->getParentOfType<ModuleOp>(), symbols, impl),
        loc(impl.getLoc()), b(impl.getContext()),
        ptr(LLVM::LLVMPointerType::get(impl.getContext())), i32(b.getI32Type()),
        i64(b.getI64Type()) {}

  LLVM::LLVMFuncOp emit();

private:
  LLVM::LLVMStructType structOf(ArrayRef<Type> types) {
    return LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  }
  Value i32Constant(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(value));
  }
  Value i64Constant(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(value));
  }
  Value intConstant(unsigned bits, int64_t value) {
    Type type = b.getIntegerType(bits);
    return LLVM::ConstantOp::create(b, loc, type,
                                    b.getIntegerAttr(type, value));
  }
  Value addressOf(LLVM::GlobalOp global) {
    return LLVM::AddressOfOp::create(b, loc, ptr, global.getSymName());
  }
  Value null() { return LLVM::ZeroOp::create(b, loc, ptr); }

  /// Names what belongs to the function.
  std::string getName(StringRef what);
  /// A constant of this module named after the function and `what`.
  LLVM::GlobalOp createGlobal(Type type, StringRef what, Attribute value);
  LLVM::GlobalOp createString(StringRef text, StringRef what);
  /// A constant whose value `fill` builds in the global's region.
  LLVM::GlobalOp createGlobal(Type type, StringRef what,
                              function_ref<Value(Value)> fill);
  Value insert(Value aggregate, Value element, ArrayRef<int64_t> position) {
    return LLVM::InsertValueOp::create(b, loc, aggregate, element, position);
  }

  LLVM::GlobalOp emitArguments();
  LLVM::GlobalOp emitSymbolNames();
  LLVM::GlobalOp emitConstraints();
  LLVM::GlobalOp emitDescription();
  /// Declares a function of the runtime that returns a status.
  LLVM::LLVMFuncOp declare(StringRef name, ArrayRef<Type> arguments) {
    return module.declare(name, i32, arguments);
  }
  /// Checks the arguments and makes descriptors of them: on a CUDA device this
  /// begins the call that `call` points to.
  Value emitBind(LLVM::GlobalOp description, Value tensors, Value descriptors,
                 Value call, Value stream);
  Type getDescriptorType(int64_t rank);
  Value createAlloca(Type type) {
    return LLVM::AllocaOp::create(b, loc, ptr, type, i64Constant(1));
  }
  void emitBody(LLVM::LLVMFuncOp entry, LLVM::GlobalOp description);

  func::FuncOp impl;
  const HostSignature &signature;
  SymbolTable &symbols;
  ModuleBuilder module;
  Location loc;
  OpBuilder b;
  Type ptr, i32, i64;
};

} // namespace

std::string EntryEmitter::getName(StringRef what) {
  return (Twine("__attn_") + signature.symbol + "_" + what).str();
}

LLVM::GlobalOp EntryEmitter::createGlobal(Type type, StringRef what,
                                          Attribute value) {
  return module.createGlobal(loc, type, getName(what), /*isConstant=*/true,
                             value);
}

LLVM::GlobalOp EntryEmitter::createString(StringRef text, StringRef what) {
  return module.createString(loc, text, getName(what));
}

LLVM::GlobalOp EntryEmitter::createGlobal(Type type, StringRef what,
                                          function_ref<Value(Value)> fill) {
  return module.createGlobal(loc, type, getName(what), /*isConstant=*/true,
                             [&](OpBuilder &inner, Value value) {
                               OpBuilder::InsertionGuard guard(b);
                               b.restoreInsertionPoint(
                                   inner.saveInsertionPoint());
                               return fill(value);
                             });
}

// Mirrors AttnRtArgument.
LLVM::GlobalOp EntryEmitter::emitArguments() {
  Type i8 = b.getI8Type(), i16 = b.getI16Type();
  Type type = structOf({ptr, ptr, i32, i8, i8, i16});
  SmallVector<LLVM::GlobalOp> names, dims;
  SmallVector<const HostArgument *> tensors;
  for (const HostArgument &arg : signature.args) {
    if (!arg.isTensor)
      continue;
    tensors.push_back(&arg);
    names.push_back(createString(arg.name, "name_" + arg.name));
    int64_t rank = arg.dims.size();
    dims.push_back(nullptr);
    if (rank > 0)
      dims.back() =
          createGlobal(LLVM::LLVMArrayType::get(i64, rank), "dims_" + arg.name,
                       DenseElementsAttr::get(RankedTensorType::get(rank, i64),
                                              ArrayRef<int64_t>(arg.dims)));
  }
  return createGlobal(
      LLVM::LLVMArrayType::get(type, tensors.size()), "arguments",
      [&](Value array) {
        for (auto [n, arg] : llvm::enumerate(tensors)) {
          int64_t i = n;
          HostElementType element = *getHostElementType(arg->type);
          array = insert(array, addressOf(names[n]), {i, 0});
          array = insert(array, dims[n] ? addressOf(dims[n]) : null(), {i, 1});
          array = insert(array, i32Constant(arg->dims.size()), {i, 2});
          array = insert(array, intConstant(8, element.code), {i, 3});
          array = insert(array, intConstant(8, element.bits), {i, 4});
          array = insert(
              array,
              intConstant(16, arg->isOutput ? ATTN_RT_ARGUMENT_OUTPUT : 0),
              {i, 5});
        }
        return array;
      });
}

LLVM::GlobalOp EntryEmitter::emitSymbolNames() {
  SmallVector<LLVM::GlobalOp> names;
  for (const std::string &name : signature.symbols)
    names.push_back(createString(name, "symbol_" + name));
  return createGlobal(
      LLVM::LLVMArrayType::get(ptr, names.size()), "symbols", [&](Value array) {
        for (auto [n, name] : llvm::enumerate(names))
          array = insert(array, addressOf(name), {static_cast<int64_t>(n)});
        return array;
      });
}

// Mirrors AttnRtConstraint, whose fields all are 32 bits wide.
LLVM::GlobalOp EntryEmitter::emitConstraints() {
  SmallVector<int32_t> values;
  for (const HostRelation &r : signature.relations) {
    bool isMultiple = r.kind == HostRelation::Kind::Multiple;
    llvm::append_values(values,
                        isMultiple ? ATTN_RT_CONSTRAINT_MULTIPLE
                                   : ATTN_RT_CONSTRAINT_OFFSET,
                        signature.getTensorIndex(r.lhsArg), r.lhsDim,
                        signature.getTensorIndex(r.rhsArg), r.rhsDim, r.offset);
  }
  return createGlobal(
      LLVM::LLVMArrayType::get(i32, values.size()), "constraints",
      DenseElementsAttr::get(
          RankedTensorType::get(static_cast<int64_t>(values.size()), i32),
          ArrayRef(values)));
}

// Mirrors AttnRtFunction.
LLVM::GlobalOp EntryEmitter::emitDescription() {
  Type type = structOf({i32, i32, i32, i32, ptr, ptr, ptr, ptr, i64});
  LLVM::GlobalOp name = createString(signature.symbol, "name");
  LLVM::GlobalOp arguments = emitArguments(), symbolNames, constraints;
  if (!signature.symbols.empty())
    symbolNames = emitSymbolNames();
  if (!signature.relations.empty())
    constraints = emitConstraints();
  return createGlobal(type, "function", [&](Value value) {
    return FieldBuilder(b, loc, value)
        .add(32, ATTN_RT_ABI_VERSION)
        .add(32, signature.getNumTensors())
        .add(32, signature.symbols.size())
        .add(32, signature.relations.size())
        .add(name)
        .add(arguments)
        .add(symbolNames)
        .add(constraints)
        .add(64, static_cast<int64_t>(signature.cpuFeatures))
        .get();
  });
}

Value EntryEmitter::emitBind(LLVM::GlobalOp description, Value tensors,
                             Value descriptors, Value call, Value stream) {
  if (!call) {
    auto bind = declare("attn_rt_bind_arguments", {ptr, ptr, ptr});
    return LLVM::CallOp::create(
               b, loc, bind,
               ValueRange{addressOf(description), tensors, descriptors})
        .getResult();
  }
  auto begin = declare("attn_rt_cuda_begin", {ptr, ptr, ptr, ptr, ptr});
  return LLVM::CallOp::create(b, loc, begin,
                              ValueRange{call, stream, addressOf(description),
                                         tensors, descriptors})
      .getResult();
}

Type EntryEmitter::getDescriptorType(int64_t rank) {
  if (rank == 0)
    return structOf({ptr, ptr, i64});
  Type array = LLVM::LLVMArrayType::get(i64, rank);
  return structOf({ptr, ptr, i64, array, array});
}

void EntryEmitter::emitBody(LLVM::LLVMFuncOp entry,
                            LLVM::GlobalOp description) {
  OpBuilder::InsertionGuard guard(b);
  Block *check = entry.addEntryBlock(b);
  Block *run = b.createBlock(&entry.getBody());
  Block *refuse = b.createBlock(&entry.getBody());

  b.setInsertionPointToStart(check);
  unsigned numTensors = signature.getNumTensors();
  Type pointers = LLVM::LLVMArrayType::get(ptr, numTensors);
  Value tensors = createAlloca(pointers), descriptors = createAlloca(pointers);
  SmallVector<Value> memories(signature.args.size());
  for (auto [n, arg] : llvm::enumerate(signature.args)) {
    if (!arg.isTensor)
      continue;
    memories[n] = createAlloca(getDescriptorType(arg.dims.size()));
    int32_t position = signature.getTensorIndex(n);
    auto store = [&](Value value, Value array) {
      SmallVector<LLVM::GEPArg> at = {0, position};
      Value place = LLVM::GEPOp::create(b, loc, ptr, pointers, array, at);
      LLVM::StoreOp::create(b, loc, value, place);
    };
    store(check->getArgument(n), tensors);
    store(memories[n], descriptors);
  }
  Value call, stream;
  if (signature.device == HostSignature::Device::CUDA) {
    constexpr int64_t words = (sizeof(AttnRtCudaCall) + 7) / 8;
    call = createAlloca(LLVM::LLVMArrayType::get(i64, words));
    stream = check->getArguments().back();
  }
  Value status = emitBind(description, tensors, descriptors, call, stream);
  Value isOk = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, status,
                                    i32Constant(ATTN_RT_OK));
  LLVM::CondBrOp::create(b, loc, isOk, run, refuse);

  b.setInsertionPointToStart(run);
  SmallVector<Value> operands;
  for (auto [n, arg] : llvm::enumerate(signature.args)) {
    Value value = check->getArgument(n);
    if (arg.isTensor)
      value = LLVM::LoadOp::create(b, loc, getDescriptorType(arg.dims.size()),
                                   memories[n]);
    Type type = impl.getArgumentTypes()[n];
    if (value.getType() != type)
      value =
          UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
    operands.push_back(value);
  }
  if (call)
    operands.push_back(call);
  func::CallOp::create(b, loc, impl, operands);
  Value result = i32Constant(ATTN_RT_OK);
  if (call)
    result =
        LLVM::CallOp::create(b, loc, declare("attn_rt_cuda_end", {ptr, i32}),
                             ValueRange{call, result})
            .getResult();
  LLVM::ReturnOp::create(b, loc, result);

  b.setInsertionPointToStart(refuse);
  LLVM::ReturnOp::create(b, loc, status);
}

LLVM::LLVMFuncOp EntryEmitter::emit() {
  LLVM::GlobalOp description = emitDescription();
  SmallVector<Type> types;
  for (const HostArgument &arg : signature.args)
    types.push_back(arg.isTensor ? ptr : arg.type.isIndex() ? i64 : arg.type);
  if (signature.device == HostSignature::Device::CUDA)
    types.push_back(ptr);
  b.setInsertionPoint(impl);
  auto entry = LLVM::LLVMFuncOp::create(
      b, loc, signature.symbol, LLVM::LLVMFunctionType::get(i32, types));
  symbols.insert(entry);
  emitBody(entry, description);
  entry->setAttr(HostSignature::kAttrName, signature.toAttr(b.getContext()));
  impl->removeAttr(HostSignature::kAttrName);
  impl->setAttr("llvm.linkage", LLVM::LinkageAttr::get(
                                    b.getContext(), LLVM::Linkage::Internal));
  return entry;
}

namespace {

struct EmitHostEntryPass
    : attn::impl::EmitHostEntryPassBase<EmitHostEntryPass> {
  using EmitHostEntryPassBase::EmitHostEntryPassBase;

  void runOnOperation() override {
    std::string problem;
    FailureOr<uint64_t> features = // C2
        getRequiredCpuFeatures(cpu, this->features, problem);
    if (failed(features)) {
      getOperation().emitError() << getArgument() << ": " << problem;
      return signalPassFailure();
    }
    SymbolTable symbols(getOperation());
    std::vector<std::pair<func::FuncOp, HostSignature>> work;
    bool anyFailed = false;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (!func->hasAttr(HostSignature::kAttrName))
        continue;
      FailureOr<HostSignature> signature = HostSignature::get(func);
      if (failed(signature) || failed(check(func, *signature, symbols))) {
        anyFailed = true;
        continue;
      }
      signature->cpuFeatures |= *features;
      work.emplace_back(func, std::move(*signature));
    }
    if (anyFailed)
      return signalPassFailure();
    for (auto &[func, signature] : work)
      EntryEmitter(func, signature, symbols).emit();
  }

private:
  LogicalResult check(func::FuncOp func, const HostSignature &signature,
                      SymbolTable &symbols) {
    // What launches kernels also takes the call that it is part of.
    bool onDevice = signature.device == HostSignature::Device::CUDA;
    bool matches = func.getNumArguments() == signature.args.size() + onDevice &&
                   func.getNumResults() == 0 &&
                   (!onDevice ||
                    isa<LLVM::LLVMPointerType>(func.getArgumentTypes().back()));
    for (auto [type, arg] :
         llvm::zip(func.getArgumentTypes(), signature.args)) {
      auto memref = dyn_cast<MemRefType>(type);
      matches &= arg.isTensor ? memref && memref.getElementType() == arg.type &&
                                    memref.getRank() ==
                                        static_cast<int64_t>(arg.dims.size())
                              : type == arg.type;
    }
    if (!matches) // C1
      return func.emitOpError("expected memrefs and scalars as '")
             << HostSignature::kAttrName << "' describes them, got "
             << func.getFunctionType() << "; run attn-bind-host-memory first";
    if (signature.symbols.size() > ATTN_RT_MAX_SYMBOLS) // C3
      return func.emitOpError("has ")
             << signature.symbols.size() << " symbolic extents, at most "
             << ATTN_RT_MAX_SYMBOLS << " are possible";
    if (symbols.lookup(signature.symbol))
      return func.emitOpError("needs the name '@")
             << signature.symbol << "', which is taken";
    return success();
  }
};

} // namespace
