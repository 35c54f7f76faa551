//===- PtxasReport.cpp - What ptxas says of kernels -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas prints for people. A block of lines per function:
//
//   ptxas info    : Compiling entry function 'f' for 'sm_90a'
//   ptxas info    : Function properties for f
//       8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
//   ptxas info    : Used 168 registers, used 16 barriers, 4096 bytes smem
//
// and messages `ptxas [FILE, line N; ]SEVERITY : [(CODE) ]TEXT` before it.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX/PtxasReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::attn;

bool PtxasMessage::isPerformanceLoss() const {
  return StringRef(code).starts_with("C75");
}

bool PtxasFunction::maySpillInLoop() const {
  if (!spills())
    return false;
  return !local || local->loopStoreBytes || local->loopLoadBytes;
}

bool PtxasFunction::maySpillInMainLoop() const {
  if (!spills())
    return false;
  return !local || local->mainLoopStoreBytes || local->mainLoopLoadBytes;
}

const PtxasFunction *PtxasReport::find(StringRef name) const {
  for (const PtxasFunction &function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

bool PtxasReport::hasErrors() const { return !errorText().empty(); }

std::string PtxasReport::errorText() const {
  std::string text;
  for (const PtxasMessage &message : messages) {
    if (message.severity != PtxasMessage::Severity::Error)
      continue;
    if (!text.empty())
      text += "\n";
    if (message.line)
      text += "line " + std::to_string(message.line) + ": ";
    text += message.text;
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// The text between the first pair of single quotes.
static StringRef quoted(StringRef text) {
  return text.split('\'').second.split('\'').first;
}

namespace {
class Parser {
public:
  PtxasReport run(StringRef output);

private:
  void parseLine(StringRef line);
  void parseInfo(StringRef text);
  void parseSizes(StringRef text);
  void parseUsage(StringRef text);
  void addMessage(PtxasMessage message);
  PtxasFunction &add(StringRef name);

  PtxasReport report;
  // The function whose properties follow, and the kernel whose registers do;
  // indices, since the functions move.
  int64_t current = -1;
  int64_t kernel = -1;
};
} // namespace

PtxasReport Parser::run(StringRef output) {
  SmallVector<StringRef> lines;
  output.split(lines, '\n');
  for (StringRef line : lines)
    parseLine(line.rtrim());
  return std::move(report);
}

PtxasFunction &Parser::add(StringRef name) {
  for (auto [i, function] : llvm::enumerate(report.functions))
    if (function.name == name) {
      current = i;
      return function;
    }
  current = report.functions.size();
  report.functions.push_back({});
  report.functions.back().name = name.str();
  return report.functions.back();
}

void Parser::addMessage(PtxasMessage message) {
  bool known = llvm::any_of(report.messages, [&](const PtxasMessage &other) {
    return other.text == message.text && other.line == message.line &&
           other.code == message.code;
  });
  if (!known)
    report.messages.push_back(std::move(message));
}

void Parser::parseLine(StringRef line) {
  StringRef rest = line;
  if (!rest.consume_front("ptxas ")) {
    if (line.ltrim().contains("bytes stack frame"))
      parseSizes(line);
    else if (!line.trim().empty())
      // What goes on from the line before, or something unknown.
      addMessage({PtxasMessage::Severity::Info, "", "", 0, line.trim().str()});
    return;
  }
  PtxasMessage message;
  // "FILE, line 4; error   : TEXT"
  if (size_t at = rest.find(", line "); at != StringRef::npos) {
    StringRef number = rest.substr(at + 7);
    if (!number.consumeInteger(10, message.line) && number.consume_front(";"))
      rest = number.ltrim();
    else
      message.line = 0;
  }
  auto [severity, text] = rest.split(':');
  severity = severity.trim();
  text = text.trim();
  if (severity == "error" || severity == "fatal")
    message.severity = PtxasMessage::Severity::Error;
  else if (severity == "warning")
    message.severity = PtxasMessage::Severity::Warning;
  else if (severity != "info")
    text = rest; // no severity: keep the whole line
  if (severity == "info" && !text.starts_with("("))
    return parseInfo(text);
  if (text.starts_with("(C")) {
    auto [code, after] = text.drop_front().split(')');
    message.code = code.str();
    text = after.trim();
  }
  if (size_t at = text.find("function '"); at != StringRef::npos)
    message.function = quoted(text.substr(at)).str();
  message.text = text.str();
  addMessage(std::move(message));
}

void Parser::parseInfo(StringRef text) {
  if (text.starts_with("Compiling entry function ")) {
    PtxasFunction &function = add(quoted(text));
    function.chip = quoted(text.split(" for ").second).str();
    kernel = current;
    return;
  }
  if (text.consume_front("Function properties for ")) {
    bool known = report.find(text);
    PtxasFunction &function = add(text);
    if (!known)
      function.isKernel = false;
    return;
  }
  if (text.starts_with("Used ") && text.contains(" registers"))
    return parseUsage(text);
  // Sizes of the whole module and times are nobody's.
  if (text.ends_with(" bytes gmem") || text.contains(" bytes gmem,") ||
      text.starts_with("Compile time "))
    return;
  addMessage({PtxasMessage::Severity::Info, "", "", 0, text.str()});
}

/// "8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads"
void Parser::parseSizes(StringRef text) {
  if (current < 0)
    return;
  PtxasFunction &function = report.functions[current];
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    int64_t bytes = 0;
    part = part.trim();
    if (part.consumeInteger(10, bytes))
      continue;
    part = part.trim();
    if (part == "bytes stack frame")
      function.stackBytes = bytes;
    else if (part == "bytes spill stores")
      function.spillStoreBytes = bytes;
    else if (part == "bytes spill loads")
      function.spillLoadBytes = bytes;
  }
}

/// "Used 168 registers, used 16 barriers, 4096 bytes smem, 384 bytes cmem[0]"
void Parser::parseUsage(StringRef text) {
  // Properties of functions that it calls stand between a kernel and this.
  if (kernel < 0)
    return;
  PtxasFunction &function = report.functions[kernel];
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    part = part.trim();
    if (!part.consume_front("Used "))
      part.consume_front("used ");
    int64_t count = 0;
    if (part.consumeInteger(10, count))
      continue;
    part = part.trim();
    if (part == "registers")
      function.registers = count;
    else if (part == "barriers")
      function.barriers = count;
    else if (part == "bytes smem")
      function.sharedBytes = count;
    else if (part.starts_with("bytes cmem["))
      function.constantBytes += count;
  }
}

PtxasReport mlir::attn::parsePtxasOutput(StringRef output) {
  return Parser().run(output);
}

void mlir::attn::addLocalTraffic(PtxasReport &report, StringRef cubin) {
  llvm::StringMap<std::optional<LocalTraffic>> found =
      findLocalTrafficOfCubin(cubin);
  for (PtxasFunction &function : report.functions) {
    function.local = found.lookup(function.name);
    // ptxas counts the same instructions; fewer here means that they were not
    // all recognised.
    if (function.local &&
        (function.local->storeBytes < function.spillStoreBytes ||
         function.local->loadBytes < function.spillLoadBytes))
      function.local = std::nullopt;
  }
}
