//===- CheckCall.cpp - Whether arguments fit a function -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Describes the signature to the runtime, as emit-host-entry does in a module.
//
//===----------------------------------------------------------------------===//

#include "CheckCall.h"
#include "NativeCall.h"
#include "attn-rt/Arguments.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::run;

llvm::Error mlir::attn::run::checkCall(const HostSignature &signature,
                                       ArrayRef<HostTensor> arguments,
                                       ArrayRef<HostTensor> results) {
  std::vector<AttnRtArgument> described;
  std::vector<AttnRtTensor> tensors;
  // A descriptor is two pointers, an offset, sizes and strides.
  std::vector<std::vector<int64_t>> descriptors;
  auto given = llvm::concat<const HostTensor>(arguments, results);
  for (auto [arg, tensor] : llvm::zip_equal(signature.args, given)) {
    if (!arg.isTensor)
      continue;
    HostElementType element = *getHostElementType(arg.type);
    described.push_back(
        {arg.name.c_str(), arg.dims.data(),
         static_cast<int32_t>(arg.dims.size()), element.code, element.bits,
         static_cast<uint16_t>(arg.isOutput ? ATTN_RT_ARGUMENT_OUTPUT : 0)});
    tensors.push_back(describeTensor(tensor));
    descriptors.emplace_back(3 + 2 * arg.dims.size());
  }
  std::vector<const char *> symbols;
  for (const std::string &symbol : signature.symbols)
    symbols.push_back(symbol.c_str());
  std::vector<AttnRtConstraint> constraints;
  for (const HostRelation &r : signature.relations)
    constraints.push_back(
        {r.kind == HostRelation::Kind::Multiple ? ATTN_RT_CONSTRAINT_MULTIPLE
                                                : ATTN_RT_CONSTRAINT_OFFSET,
         static_cast<int32_t>(signature.getTensorIndex(r.lhsArg)),
         static_cast<int32_t>(r.lhsDim),
         static_cast<int32_t>(signature.getTensorIndex(r.rhsArg)),
         static_cast<int32_t>(r.rhsDim), static_cast<int32_t>(r.offset)});
  AttnRtFunction function = {ATTN_RT_ABI_VERSION,
                             static_cast<int32_t>(described.size()),
                             static_cast<int32_t>(symbols.size()),
                             static_cast<int32_t>(constraints.size()),
                             signature.symbol.c_str(),
                             described.data(),
                             symbols.data(),
                             constraints.data(),
                             /*required_cpu_features=*/0};
  std::vector<const AttnRtTensor *> tensorPointers;
  std::vector<void *> descriptorPointers;
  for (auto [tensor, descriptor] : llvm::zip_equal(tensors, descriptors)) {
    tensorPointers.push_back(&tensor);
    descriptorPointers.push_back(descriptor.data());
  }
  return makeCallError(attn_rt_bind_arguments(&function, tensorPointers.data(),
                                              descriptorPointers.data()));
}
