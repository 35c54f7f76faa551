//===- Masks.cpp - Mask attributes ----------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies mask attributes and tells what an operation must bring for them.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

bool attn::isMaskAttr(Attribute attr) {
  return isa_and_present<CausalAttr, WindowAttr, WindowSizeAttr, PrefixAttr,
                         ChunkedAttr, DocumentsAttr, RegionMaskAttr, AndAttr,
                         OrAttr>(attr);
}

MaskNeeds attn::getMaskNeeds(Attribute mask) {
  MaskNeeds needs;
  auto join = [&](ArrayRef<Attribute> parts) {
    for (Attribute part : parts) {
      MaskNeeds other = getMaskNeeds(part);
      needs.documents |= other.documents;
      needs.prefixOperand |= other.prefixOperand;
      needs.region |= other.region;
    }
  };
  if (mask)
    llvm::TypeSwitch<Attribute>(mask)
        .Case([&](DocumentsAttr) { needs.documents = true; })
        .Case([&](RegionMaskAttr) { needs.region = true; })
        .Case([&](PrefixAttr p) { needs.prefixOperand = !p.getLength(); })
        .Case([&](AndAttr a) { join(a.getParts()); })
        .Case([&](OrAttr o) { join(o.getParts()); });
  return needs;
}

LogicalResult WindowAttr::verify(EmitError emitError,
                                 std::optional<int64_t> left,
                                 std::optional<int64_t> right) {
  if (!left && !right)
    return emitError() << "window needs left, right or both; without a mask "
                          "every key is visible";
  if (left && *left < 0)
    return emitError() << "window's left expected at least 0, got " << *left;
  if (right && *right < 0)
    return emitError() << "window's right expected at least 0, got " << *right;
  return success();
}

LogicalResult WindowSizeAttr::verify(EmitError emitError, int64_t size) {
  if (size < 1)
    return emitError() << "window_size expected at least 1, got " << size;
  return success();
}

LogicalResult PrefixAttr::verify(EmitError emitError,
                                 std::optional<int64_t> length) {
  if (length && *length < 0)
    return emitError() << "prefix expected at least 0, got " << *length;
  return success();
}

LogicalResult ChunkedAttr::verify(EmitError emitError, int64_t size) {
  if (size < 1)
    return emitError() << "chunked expected at least 1, got " << size;
  return success();
}

/// How deep masks may be nested: what looks at them does so part by part.
static constexpr unsigned kMaxDepth = 64;

/// How deep `mask` is nested, at most `kMaxDepth` since its parts are verified.
static unsigned getDepth(Attribute mask) {
  ArrayRef<Attribute> parts;
  if (auto all = dyn_cast<AndAttr>(mask))
    parts = all.getParts();
  else if (auto any = dyn_cast<OrAttr>(mask))
    parts = any.getParts();
  unsigned depth = 0;
  for (Attribute part : parts)
    depth = std::max(depth, getDepth(part));
  return depth + 1;
}

static LogicalResult verifyParts(EmitError emitError, StringRef name,
                                 ArrayRef<Attribute> parts) {
  if (parts.empty())
    return emitError() << name << " expected at least one mask, got none";
  for (Attribute part : parts)
    if (!isMaskAttr(part))
      return emitError() << name << " expected mask attributes, got " << part;
  for (Attribute part : parts)
    if (getDepth(part) >= kMaxDepth)
      return emitError() << name << " expected at most " << kMaxDepth
                         << " masks in one another; they take any "
                            "number of parts";
  return success();
}

LogicalResult AndAttr::verify(EmitError emitError, ArrayRef<Attribute> parts) {
  return verifyParts(emitError, "and", parts);
}

LogicalResult OrAttr::verify(EmitError emitError, ArrayRef<Attribute> parts) {
  return verifyParts(emitError, "or", parts);
}
