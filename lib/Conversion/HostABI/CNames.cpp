//===- CNames.cpp - Names that C takes ------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks LLVM which names are library functions, and knows the rest of ISO C.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/CNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

/// Words that cannot be names in C99 or C++17.
static bool isKeyword(StringRef word) {
  static const StringSet<> words = {
      "alignas",      "alignof",  "and",           "and_eq",
      "asm",          "auto",     "bitand",        "bitor",
      "bool",         "break",    "case",          "catch",
      "char",         "char16_t", "char32_t",      "class",
      "compl",        "const",    "const_cast",    "constexpr",
      "continue",     "decltype", "default",       "delete",
      "do",           "double",   "dynamic_cast",  "else",
      "enum",         "explicit", "export",        "extern",
      "false",        "float",    "for",           "friend",
      "goto",         "if",       "inline",        "int",
      "long",         "mutable",  "namespace",     "new",
      "noexcept",     "not",      "not_eq",        "nullptr",
      "operator",     "or",       "or_eq",         "private",
      "protected",    "public",   "register",      "reinterpret_cast",
      "restrict",     "return",   "short",         "signed",
      "sizeof",       "static",   "static_assert", "static_cast",
      "struct",       "switch",   "template",      "this",
      "thread_local", "throw",    "true",          "try",
      "typedef",      "typeid",   "typename",      "union",
      "unsigned",     "using",    "virtual",       "void",
      "volatile",     "wchar_t",  "while",         "xor",
      "xor_eq"};
  return words.contains(word);
}

/// Names that a header has of itself or of what it includes, and macros that
/// compilers define without being asked.
static bool isTakenInHeaders(StringRef name) {
  static const StringSet<> words = {"NULL", "i386",   "linux",
                                    "unix", "typeof", "noreturn"};
  StringRef rest = name.ltrim("uU");
  // What C keeps for <stdint.h>: int32_t, uint_fast8_t, INT64_C, UINTPTR_MAX,
  // SIZE_MAX, ...
  bool isStandardType =
      name.ends_with("_t") &&
      (rest.starts_with("int") || name == "size_t" || name == "ptrdiff_t" ||
       name == "max_align_t" || name == "nullptr_t");
  bool isLimit = (name.ends_with("_MAX") || name.ends_with("_MIN") ||
                  name.ends_with("_C") || name.ends_with("_WIDTH")) &&
                 (rest.starts_with("INT") || name.starts_with("SIZE_") ||
                  name.starts_with("PTRDIFF_") || name.starts_with("WCHAR_") ||
                  name.starts_with("WINT_") || name.starts_with("SIG_ATOMIC_"));
  return words.contains(name) || isStandardType || isLimit ||
         name.starts_with("AttnRt") || name.starts_with("ATTN_RT_");
}

/// Names of the C library. LLVM knows what it may itself call or replace, which
/// is most of ISO C and much of POSIX; the rest of ISO C is listed, with what
/// our runtime calls.
static bool isLibraryFunction(StringRef name) {
  static const TargetLibraryInfoImpl known(Triple("x86_64-unknown-linux-gnu"));
  static const StringSet<> others = {
      "asctime",     "bsearch", "clock",    "ctime",    "difftime",  "div",
      "erfc",        "fma",     "fegetenv", "fesetenv", "freopen",   "gmtime",
      "isalnum",     "isalpha", "isblank",  "iscntrl",  "isgraph",   "islower",
      "isprint",     "ispunct", "isspace",  "isupper",  "isxdigit",  "ldiv",
      "lgamma",      "llrint",  "llround",  "lldiv",    "localtime", "longjmp",
      "lrint",       "lround",  "mblen",    "mbstowcs", "mbtowc",    "raise",
      "rand",        "setjmp",  "signal",   "srand",    "strerror",  "strftime",
      "time",        "tmpnam",  "tolower",  "toupper",  "wcstombs",  "wctomb",
      "close",       "dlclose", "dlopen",   "dlsym",    "getpid",    "select",
      "sched_yield", "sysconf"};
  LibFunc function;
  // Of mathematical functions there are variants for float and long double.
  bool isVariant = name.ends_with("f") || name.ends_with("l");
  return known.getLibFunc(name, function) || others.contains(name) ||
         (isVariant && others.contains(name.drop_back())) ||
         name.starts_with("pthread_");
}

bool mlir::attn::isCIdentifier(StringRef name) {
  return !name.empty() && !isDigit(name.front()) &&
         all_of(name, [](char c) { return isAlnum(c) || c == '_'; }) &&
         !isKeyword(name) && !isTakenInHeaders(name);
}

std::string mlir::attn::makeCIdentifier(StringRef name) {
  std::string result;
  for (char c : name)
    result += isAlnum(c) ? c : '_';
  if (result.empty() || isDigit(result.front()))
    result = "_" + result;
  if (isKeyword(result))
    result += "_";
  if (isTakenInHeaders(result))
    result = "a_" + result;
  return result;
}

std::string mlir::attn::explainBadFunctionName(StringRef name) {
  if (isTakenInHeaders(name))
    return "is one that C headers or compilers define, or begins as names of "
           "the runtime's headers do";
  if (!isCIdentifier(name))
    return isKeyword(name) ? "is a keyword of C or C++"
                           : "is not an identifier in C";
  if (name.front() == '_')
    return "begins with an underscore, as names of compilers and of their "
           "libraries do";
  if (name.starts_with("attn_rt_"))
    return "begins with attn_rt_, as names of the runtime do";
  if (name == "main")
    return "is where a program begins";
  if (isLibraryFunction(name))
    return "is a function of the C library, which compiled code calls";
  return "";
}

std::string mlir::attn::makeFunctionName(StringRef name) {
  std::string result = makeCIdentifier(name);
  StringRef rest = StringRef(result).ltrim('_');
  if (rest.size() != result.size())
    result =
        rest.empty() || isDigit(rest.front()) ? "f" + rest.str() : rest.str();
  if (isKeyword(result))
    result += "_";
  if (StringRef(result).starts_with("attn_rt_"))
    result.erase(4, 3);
  return explainBadFunctionName(result).empty() ? result : "attn_" + result;
}
