//===- ShapeFacts.cpp - What operations say about extents -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generated part of the interface.
//
//===----------------------------------------------------------------------===//

#include "attn/Interfaces/ShapeFacts.h"

#include "attn/Interfaces/ShapeFactsInterface.cpp.inc"
