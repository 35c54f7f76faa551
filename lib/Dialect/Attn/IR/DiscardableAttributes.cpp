//===- DiscardableAttributes.cpp - Attributes beside operations' own ------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Refuses attributes of the dialect that nothing reads, a misspelt name above
// all: what the user asked for would not happen, and nothing would say so.
//
//===----------------------------------------------------------------------===//

#include "Verification.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::detail;

StringRef attn::detail::findNearest(StringRef name, ArrayRef<StringRef> known) {
  return *llvm::min_element(known, [&](StringRef lhs, StringRef rhs) {
    return name.edit_distance_insensitive(lhs) <
           name.edit_distance_insensitive(rhs);
  });
}

/// Those of arguments and results of functions, and those of operations.
static constexpr StringRef kValueNames[] = {"attn.name", "attn.dims"};
static constexpr StringRef kOperationNames[] = {
    kScheduleAttrName, "attn.signature",  "attn.owned",
    kChoiceAttrName,   kRejectedAttrName, "attn.kernels"};

static LogicalResult verifyValueAttribute(Operation *op, const Twine &what,
                                          NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (!llvm::is_contained(kValueNames, name))
    return op->emitOpError()
           << what << " has the attribute '" << name
           << "', which nothing reads; expected "
           << llvm::join(ArrayRef(kValueNames), " or ") << ", the nearest is '"
           << findNearest(name, kValueNames) << "'";
  bool isName = name == "attn.name";
  if (isName ? isa<StringAttr>(attribute.getValue())
             : isa<ArrayAttr>(attribute.getValue()))
    return success();
  return op->emitOpError() << what << " expected '" << name << "' to be "
                           << (isName ? "a string"
                                      : "an array of names and numbers")
                           << ", got " << attribute.getValue();
}

LogicalResult AttnDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned argument,
                                                    NamedAttribute attribute) {
  return verifyValueAttribute(op, "argument " + Twine(argument), attribute);
}

LogicalResult AttnDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  return verifyValueAttribute(op, "result " + Twine(result), attribute);
}

LogicalResult AttnDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kScheduleAttrName && !isa<ScheduleAttr>(attribute.getValue()))
    return op->emitOpError("expected '")
           << name << "' to be an #attn.schedule, got " << attribute.getValue();
  if (llvm::is_contained(kOperationNames, name))
    return success();
  InFlightDiagnostic diag = op->emitOpError() << "has the attribute '" << name
                                              << "', which nothing reads";
  StringRef nearest = findNearest(name, kValueNames);
  if (name.edit_distance(nearest) <= 2)
    diag << "; expected '" << nearest
         << "' on an argument or a result of a function";
  else
    diag << "; the dialect's attributes of operations are "
         << llvm::join(ArrayRef(kOperationNames).drop_back(), ", ") << " and "
         << ArrayRef(kOperationNames).back();
  return diag;
}

void attn::detail::verifyDiscardableAttributes(Faults &faults, Operation *op) {
  // Those of the dialect's own name are verified above.
  SmallVector<StringRef> known;
  for (StringAttr name : op->getRegisteredInfo()->getAttributeNames())
    if (name != "operandSegmentSizes")
      known.push_back(name);
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    faults.require(name.contains('.'), "attribute '", name,
                   "' is not known, expected one of ", llvm::join(known, ", "),
                   ", or one with the name of a dialect in front, as in 'user.",
                   name, "'; the nearest is '", findNearest(name, known), "'");
  }
}
