//===- NativeCall.cpp - Calls of compiled code ---------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function between, in the LLVM dialect, and the descriptors of tensors.
//
//===----------------------------------------------------------------------===//

#include "NativeCall.h"
#include "attn-rt/Status.h"
#include "attn-rt/Tensor.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::attn::run;

NativeEntry mlir::attn::run::addNativeEntry(ModuleOp module,
                                            StringRef function) {
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(function);
  assert(callee && "the function was lowered");
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = callee.getLoc();
  auto ptr = LLVM::LLVMPointerType::get(b.getContext());
  auto entry = LLVM::LLVMFuncOp::create(
      b, loc, "attn_run_entry",
      LLVM::LLVMFunctionType::get(b.getI32Type(), {ptr}));
  SymbolTable(module).insert(entry); // makes the name unique
  Block *body = entry.addEntryBlock(b);
  b.setInsertionPointToStart(body);
  NativeEntry result = {entry.getSymName().str(), {}};
  SmallVector<Value> operands;
  for (auto [n, type] : llvm::enumerate(callee.getFunctionType().getParams())) {
    SmallVector<LLVM::GEPArg> at = {static_cast<int32_t>(n)};
    Value place =
        LLVM::GEPOp::create(b, loc, ptr, ptr, body->getArgument(0), at);
    Value argument = LLVM::LoadOp::create(b, loc, ptr, place);
    result.isScalar.push_back(type != ptr);
    if (type != ptr)
      argument = LLVM::LoadOp::create(b, loc, type, argument);
    operands.push_back(argument);
  }
  Value status = LLVM::CallOp::create(b, loc, callee, operands).getResult();
  LLVM::ReturnOp::create(b, loc, status);
  return result;
}

static AttnRtDataType getDataType(ElementType type) {
  uint8_t bits = static_cast<uint8_t>(getByteSize(type) * 8);
  switch (type) {
  case ElementType::F64:
  case ElementType::F32:
  case ElementType::F16:
    return {ATTN_RT_TYPE_FLOAT, bits, 1};
  case ElementType::BF16:
    return {ATTN_RT_TYPE_BFLOAT, bits, 1};
  case ElementType::I64:
  case ElementType::I32:
  case ElementType::I16:
  case ElementType::I8:
    return {ATTN_RT_TYPE_INT, bits, 1};
  case ElementType::I1:
    return {ATTN_RT_TYPE_BOOL, bits, 1};
  }
  llvm_unreachable("unknown element type");
}

AttnRtTensor mlir::attn::run::describeTensor(const HostTensor &tensor) {
  // DLPack has no const; nobody writes shapes or strides.
  return {tensor.getData(),
          {ATTN_RT_DEVICE_CPU, 0},
          static_cast<int32_t>(tensor.getRank()),
          getDataType(tensor.getType()),
          const_cast<int64_t *>(tensor.getShape().data()),
          const_cast<int64_t *>(tensor.getStrides().data()),
          0};
}

llvm::Error mlir::attn::run::makeCallError(AttnRtStatus status) {
  if (status == ATTN_RT_OK)
    return llvm::Error::success();
  return llvm::createStringError(llvm::Twine(attn_rt_status_name(status)) +
                                 " (status " + llvm::Twine(status) + "):\n" +
                                 attn_rt_last_error());
}

namespace {
class EntryProgram : public Program {
public:
  EntryProgram(std::shared_ptr<void> code, void *address, NativeEntry entry)
      : code(std::move(code)), address(address), entry(std::move(entry)) {}

  llvm::Error call(llvm::ArrayRef<HostTensor> arguments,
                   llvm::ArrayRef<HostTensor> results) override {
    assert(entry.isScalar.size() == arguments.size() + results.size() &&
           "as the function has them");
    std::vector<AttnRtTensor> tensors;
    for (const HostTensor &tensor :
         llvm::concat<const HostTensor>(arguments, results))
      tensors.push_back(describeTensor(tensor));
    llvm::SmallVector<void *> pointers;
    for (auto [tensor, isScalar] : llvm::zip_equal(tensors, entry.isScalar))
      pointers.push_back(isScalar ? tensor.data : &tensor);
    return makeCallError(
        reinterpret_cast<int32_t (*)(void **)>(address)(pointers.data()));
  }

private:
  std::shared_ptr<void> code;
  void *address;
  NativeEntry entry;
};

} // namespace

std::unique_ptr<Program>
mlir::attn::run::makeEntryProgram(std::shared_ptr<void> code, void *address,
                                  NativeEntry entry) {
  return std::make_unique<EntryProgram>(std::move(code), address,
                                        std::move(entry));
}
