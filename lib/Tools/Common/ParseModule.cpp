//===- ParseModule.cpp - Modules with the user's names -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser's record of source ranges gives the names.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Common/ParseModule.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::attn;

/// The name at `range`, `%q` without its `%`; empty for a number.
static StringRef getValueName(SMRange range) {
  if (!range.isValid())
    return {};
  StringRef text(range.Start.getPointer(),
                 range.End.getPointer() - range.Start.getPointer());
  uint64_t number;
  if (!text.consume_front("%") || !text.getAsInteger(10, number))
    return {};
  return text;
}

static void recordNames(ModuleOp module, const AsmParserState &state) {
  module.walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    const AsmParserState::BlockDefinition *block =
        state.getBlockDef(&function.getFunctionBody().front());
    if (!block)
      return;
    for (auto [n, argument] : llvm::enumerate(block->arguments)) {
      StringRef name = getValueName(argument.loc);
      if (n < function.getNumArguments() && !name.empty() &&
          !function.getArgAttr(n, "attn.name"))
        function.setArgAttr(n, "attn.name",
                            StringAttr::get(module.getContext(), name));
    }
  });
}

static OwningOpRef<ModuleOp> parse(llvm::SourceMgr &sourceMgr,
                                   MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
  if (isBytecode(*buffer))
    return parseSourceFile<ModuleOp>(sourceMgr, context);

  // The parser of attributes calls itself for each that stands in another.
  constexpr unsigned kMaxDepth = 1000;
  unsigned depth = 0;
  StringRef text = buffer->getBuffer();
  for (size_t n = 0; n < text.size(); ++n) {
    bool isArrow = n > 0 && text[n] == '>' && text[n - 1] == '-';
    if (text[n] == '<')
      ++depth;
    else if (text[n] == '>' && !isArrow && depth > 0)
      --depth;
    else if (text[n] == '\n' && depth < kMaxDepth / 2)
      depth = 0; // a '<' in a comment or a string
    if (depth > kMaxDepth) {
      sourceMgr.PrintMessage(
          SMLoc::getFromPointer(text.data() + n), llvm::SourceMgr::DK_Error,
          "expected at most " + Twine(kMaxDepth) + " '<' in one another");
      return nullptr;
    }
  }

  Block block;
  AsmParserState state;
  if (failed(
          parseAsmSourceFile(sourceMgr, &block, ParserConfig(context), &state)))
    return nullptr;
  // A file is one module, or operations that stand in one.
  if (llvm::hasSingleElement(block))
    if (auto module = dyn_cast<ModuleOp>(block.front())) {
      module->remove();
      recordNames(module, state);
      return module;
    }
  OwningOpRef<ModuleOp> module = ModuleOp::create(
      FileLineColLoc::get(context, buffer->getBufferIdentifier(), 0, 0));
  module->getBody()->getOperations().splice(module->getBody()->end(),
                                            block.getOperations());
  recordNames(*module, state);
  return module;
}

OwningOpRef<ModuleOp> mlir::attn::parseModule(llvm::SourceMgr &sourceMgr,
                                              MLIRContext *context) {
  OwningOpRef<ModuleOp> module = parse(sourceMgr, context);
  if (!module || failed(checkModuleSymbols(*module)))
    return nullptr;
  return module;
}
