//===- Environment.cpp - which driver the tests open ----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Set before main: the runtime opens the driver once.
//
//===----------------------------------------------------------------------===//

#include <cstdlib>

static const int done = setenv("ATTN_CUDA_DRIVER", ATTN_TEST_FAKE_CUDA, 1);
