//===- Schedules.cpp - #attn.schedule and who carries it ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies schedules and hands them on.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"

using namespace mlir;
using namespace mlir::attn;

LogicalResult
ScheduleAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t queryTile, int64_t keyTile, int64_t stages,
                     StringRef work, bool, bool, bool, bool, bool,
                     int64_t cluster) {
  std::string reasons;
  auto check = [&](StringRef name, int64_t value, int64_t most) { // C1
    if (value < 1 || value > most)
      reasons += ("; '" + name + "' expected 1 to " + Twine(most) + ", got " +
                  Twine(value))
                     .str();
  };
  check("query_tile", queryTile, 1024);
  check("key_tile", keyTile, 4096);
  check("stages", stages, 8);
  if (!llvm::is_contained({"once", "strided", "dynamic"}, work)) // C2
    reasons +=
        ("; 'work' expected once, strided or dynamic, got '" + work + "'")
            .str();
  check("cluster", cluster, 8); // C3
  if (cluster > 1 && work != "strided")
    reasons +=
        ("; 'work' expected strided with a cluster, got '" + work + "'").str();
  if (reasons.empty())
    return success();
  return emitError() << "schedule: " << StringRef(reasons).drop_front(2);
}

void attn::copySchedule(Operation *from, Operation *to) {
  for (StringRef name : {kScheduleAttrName, kChoiceAttrName})
    if (Attribute attr = from->getDiscardableAttr(name))
      to->setDiscardableAttr(name, attr);
}
