//===- ErrorText.h - The text of the latest failure -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The thread's error text, built in place. Memory comes from malloc, so that
// the runtime needs nothing of the C++ library at link time and a failed
// allocation shortens the text instead of ending the program.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_ERRORTEXT_H
#define ATTN_LIB_RUNTIME_ERRORTEXT_H

#if defined(__GNUC__)
#define ATTN_RT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ATTN_RT_PRINTF(text, first)
#endif

namespace attn {
namespace rt {

/// Empties the calling thread's text.
void clearErrorText();

/// Appends to the calling thread's text, in printf's manner.
void appendErrorText(const char *format, ...) ATTN_RT_PRINTF(1, 2);

} // namespace rt
} // namespace attn

#endif // ATTN_LIB_RUNTIME_ERRORTEXT_H
