//===- ShapeContract.cpp - Classes of equal extents -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Union and find over extents, with a constant and a name per class.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/ShapeContract.h"

using namespace mlir::attn;

ShapeContract::Extent ShapeContract::add(std::optional<int64_t> size) {
  Extent extent = extents.size();
  extents.push_back({extent, size, ""});
  return extent;
}

ShapeContract::Extent ShapeContract::find(Extent extent) const {
  while (extents[extent].parent != extent) {
    extents[extent].parent = extents[extents[extent].parent].parent;
    extent = extents[extent].parent;
  }
  return extent;
}

bool ShapeContract::merge(Extent a, Extent b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return true;
  if (extents[a].size && extents[b].size && extents[a].size != extents[b].size)
    return false;
  // The lower number stays the root: names do not depend on the merge order.
  if (b < a)
    std::swap(a, b);
  extents[b].parent = a;
  if (!extents[a].size)
    extents[a].size = extents[b].size;
  if (extents[a].name.empty())
    extents[a].name = extents[b].name;
  return true;
}

void ShapeContract::suggestName(Extent extent, llvm::StringRef name) {
  std::string &current = extents[find(extent)].name;
  if (current.empty())
    current = name.str();
}

unsigned ShapeContract::getSymbol(Extent extent, llvm::StringRef defaultName) {
  extent = find(extent);
  auto [it, isNew] = symbols.try_emplace(extent, symbolNames.size());
  if (!isNew)
    return it->second;
  const std::string &suggested = extents[extent].name;
  std::string base = suggested.empty() ? defaultName.str() : suggested;
  std::string name = base;
  while (!usedNames.try_emplace(name, 0).second)
    name = base + "_" + std::to_string(++usedNames[base]);
  symbolNames.push_back(name);
  return it->second;
}
