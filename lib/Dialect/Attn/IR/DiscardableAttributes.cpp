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
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
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

/// Those of arguments and results of functions.
static constexpr StringRef kValueNames[] = {"attn.name", "attn.dims"};

namespace {
/// An attribute of operations.
struct OperationAttribute {
  StringRef name;
  /// What has it. Nothing looks for it elsewhere.
  bool (*isRead)(Operation *);
  StringRef where;
  /// What it must be; null where its reader says.
  bool (*isValid)(Attribute);
  StringRef what;
};
} // namespace

template <typename Op>
static bool isOp(Operation *op) {
  return isa<Op>(op);
}
template <typename Attr>
static bool isAttr(Attribute attribute) {
  return isa<Attr>(attribute);
}
static bool isScheduled(Operation *op) {
  return isa<AttentionOp, PartialOp, WalkOp>(op);
}
static bool isNameList(Attribute attribute) {
  auto names = dyn_cast<ArrayAttr>(attribute);
  return names && llvm::all_of(names, llvm::IsaPred<StringAttr>);
}

static constexpr StringRef kScheduled =
    "attn.attention, attn.partial and attn.walk";
static constexpr OperationAttribute kOperationAttributes[] = {
    {kScheduleAttrName, isScheduled, kScheduled, isAttr<ScheduleAttr>,
     "an #attn.schedule"},
    {"attn.signature", isOp<FunctionOpInterface>, "functions", nullptr, ""},
    {"attn.owned",
     [](Operation *op) {
       return op->getName().getStringRef() == "memref.alloc";
     },
     "memref.alloc", isAttr<UnitAttr>, "without a value"},
    {kChoiceAttrName, isScheduled, kScheduled, isAttr<DictionaryAttr>,
     "a dictionary"},
    {kRejectedAttrName, isOp<AttentionOp>, "attn.attention", isNameList,
     "an array of strings"},
    {"attn.kernels", isOp<ModuleOp>, "modules", isAttr<ArrayAttr>, "an array"}};

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
  const auto *known =
      llvm::find_if(kOperationAttributes, [&](const OperationAttribute &entry) {
        return entry.name == name;
      });
  if (known != std::end(kOperationAttributes)) {
    if (!known->isRead(op))
      return op->emitOpError("has the attribute '")
             << name << "', which nothing reads there; expected it on "
             << known->where;
    if (known->isValid && !known->isValid(attribute.getValue()))
      return op->emitOpError("expected '") << name << "' to be " << known->what
                                           << ", got " << attribute.getValue();
    return success();
  }
  InFlightDiagnostic diag = op->emitOpError() << "has the attribute '" << name
                                              << "', which nothing reads";
  SmallVector<StringRef> names = llvm::map_to_vector(
      kOperationAttributes,
      [](const OperationAttribute &entry) { return entry.name; });
  StringRef ofValue = findNearest(name, kValueNames);
  StringRef nearest = findNearest(name, names);
  if (name.edit_distance(ofValue) <= 2)
    return diag << "; expected '" << ofValue
                << "' on an argument or a result of a function";
  diag << "; the dialect's attributes of operations are "
       << llvm::join(ArrayRef(names).drop_back(), ", ") << " and "
       << names.back();
  if (name.edit_distance(nearest) <= 2)
    diag << ", the nearest is '" << nearest << "'";
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
    if (name.contains('.'))
      continue;
    std::string full = ("attn." + name).str();
    bool lacksDialect = llvm::any_of(
        kOperationAttributes, [&](const OperationAttribute &entry) {
          return entry.name == full && entry.isRead(op);
        });
    faults.require(false, "attribute '", name,
                   "' is not known, expected one of ", llvm::join(known, ", "),
                   ", or one with the name of a dialect in front, as in 'user.",
                   name, "'; the nearest is '",
                   lacksDialect ? full : findNearest(name, known).str(), "'");
  }
}
