//===- Launches.h - Which kernels a call launches ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function may have several kernels for one attention; lengths choose.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TOOLS_RUN_LAUNCHES_H
#define ATTN_LIB_TOOLS_RUN_LAUNCHES_H

#include "attn/Tools/Run/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "nlohmann/json.hpp"

namespace mlir::attn::run {

/// The kernels that `function`, which has launches, starts when it is called
/// with `arguments`: one entry for each launch, in order, with the keys of
/// `kernels` in docs/Report.md.
nlohmann::json describeLaunches(func::FuncOp function,
                                llvm::ArrayRef<HostTensor> arguments);

} // namespace mlir::attn::run

#endif // ATTN_LIB_TOOLS_RUN_LAUNCHES_H
