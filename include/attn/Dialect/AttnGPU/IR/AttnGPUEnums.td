//===- AttnGPUEnums.td - Choices of the attn_gpu dialect ---*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Enumerations that attributes of operations hold.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUENUMS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUENUMS_TD

include "mlir/IR/EnumAttr.td"

def AttnGPU_WorkScheduleAttr : I32EnumAttr<"WorkSchedule",
    "how points of work come to thread blocks", [
    I32EnumAttrCase<"Once", 0, "once">,
    I32EnumAttrCase<"Strided", 1, "strided">,
    I32EnumAttrCase<"Dynamic", 2, "dynamic">
  ]> {
  let cppNamespace = "::mlir::attn_gpu";
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUENUMS_TD
