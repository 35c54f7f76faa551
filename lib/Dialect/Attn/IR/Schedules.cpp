//===- Schedules.cpp - #attn.schedule and who carries it ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads, prints and verifies schedules, and hands them on.
//
//===----------------------------------------------------------------------===//

#include "Verification.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// A schedule's entries, with the values of those that are left out.
struct ScheduleEntries {
  int64_t queryTile = 0, keyTile = 0, stages = 2, cluster = 1;
  std::string work = "dynamic";
  bool turns = true, flatten = true;
  bool lazyRescale = false, queriesInRegisters = false, earlyWeights = false;

  /// Calls `visit` with the name and the member of each, in order of text.
  template <typename Visit>
  static void forEach(Visit visit) {
    visit("query_tile", &ScheduleEntries::queryTile);
    visit("key_tile", &ScheduleEntries::keyTile);
    visit("stages", &ScheduleEntries::stages);
    visit("work", &ScheduleEntries::work);
    visit("turns", &ScheduleEntries::turns);
    visit("flatten", &ScheduleEntries::flatten);
    visit("lazy_rescale", &ScheduleEntries::lazyRescale);
    visit("queries_in_registers", &ScheduleEntries::queriesInRegisters);
    visit("early_weights", &ScheduleEntries::earlyWeights);
    visit("cluster", &ScheduleEntries::cluster);
  }
};

/// Reads what stands behind `name =`.
class EntryParser {
public:
  EntryParser(AsmParser &parser, StringRef name)
      : parser(parser), name(name), start(parser.getCurrentLocation()) {}

  ParseResult parse(int64_t &number) {
    // MLIR would read 'true' as -1.
    StringRef word;
    if (succeeded(parser.parseOptionalKeyword(&word)))
      return fail("a number");
    OptionalParseResult result = parser.parseOptionalInteger(number);
    return result.has_value() ? *result : fail("a number");
  }
  ParseResult parse(bool &flag) {
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word)) ||
        (word != "true" && word != "false"))
      return fail("true or false");
    flag = word == "true";
    return success();
  }
  ParseResult parse(std::string &text) {
    return succeeded(parser.parseOptionalString(&text))
               ? success()
               : fail("a string, as in \"strided\"");
  }

private:
  ParseResult fail(StringRef expected) {
    return parser.emitError(start)
           << "schedule: '" << name << "' expected " << expected;
  }

  AsmParser &parser;
  StringRef name;
  SMLoc start;
};
} // namespace

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  ScheduleEntries entries;
  SmallVector<StringRef> known;
  ScheduleEntries::forEach(
      [&](StringRef name, auto) { known.push_back(name); });
  SmallVector<StringRef> seen;
  auto parseEntry = [&]() -> ParseResult {
    SMLoc at = parser.getCurrentLocation();
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word)))
      return parser.emitError(at)
             << "schedule: expected one of " << llvm::join(known, ", ");
    if (!llvm::is_contained(known, word)) {
      InFlightDiagnostic diag = parser.emitError(at)
                                << "schedule: '" << word
                                << "' is not known, expected one of "
                                << llvm::join(known, ", ");
      StringRef nearest = detail::findNearest(word, known);
      if (word.edit_distance_insensitive(nearest) <= 3)
        diag << "; the nearest is '" << nearest << "'";
      return diag;
    }
    if (llvm::is_contained(seen, word))
      return parser.emitError(at)
             << "schedule: '" << word << "' is given twice";
    seen.push_back(word);
    if (parser.parseEqual())
      return failure();
    ParseResult result = success();
    ScheduleEntries::forEach([&](StringRef name, auto member) {
      if (name == word)
        result = EntryParser(parser, name).parse(entries.*member);
    });
    return result;
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  for (StringRef name : {"query_tile", "key_tile"})
    if (!llvm::is_contained(seen, name)) {
      parser.emitError(start) << "schedule: '" << name << "' must be given";
      return {};
    }
  return parser.getChecked<ScheduleAttr>(
      start, parser.getContext(), entries.queryTile, entries.keyTile,
      entries.stages, StringRef(entries.work), entries.turns, entries.flatten,
      entries.lazyRescale, entries.queriesInRegisters, entries.earlyWeights,
      entries.cluster);
}

static void printEntry(AsmPrinter &printer, int64_t value) { printer << value; }
static void printEntry(AsmPrinter &printer, bool value) {
  printer << (value ? "true" : "false");
}
static void printEntry(AsmPrinter &printer, const std::string &value) {
  printer.printString(value);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  ScheduleEntries entries{
      getQueryTile(),          getKeyTile(),     getStages(),  getCluster(),
      getWork().str(),         getTurns(),       getFlatten(), getLazyRescale(),
      getQueriesInRegisters(), getEarlyWeights()};
  ScheduleEntries leftOut;
  printer << '<';
  llvm::ListSeparator comma;
  ScheduleEntries::forEach([&](StringRef name, auto member) {
    if (entries.*member == leftOut.*member)
      return;
    printer << StringRef(comma) << name << " = ";
    printEntry(printer, entries.*member);
  });
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

LogicalResult
ScheduleAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t queryTile, int64_t keyTile, int64_t stages,
                     StringRef work, bool, bool, bool, bool, bool,
                     int64_t cluster) {
  std::string reasons;
  auto check = [&](StringRef name, int64_t value, int64_t most) { // C1
    if (value < 1 || value > most)
      reasons += ("; '" + name + "' expected 1 to " + Twine(most) + ", got " +
                  Twine(value))
                     .str();
  };
  check("query_tile", queryTile, 1024);
  check("key_tile", keyTile, 4096);
  check("stages", stages, 8);
  if (!llvm::is_contained({"once", "strided", "dynamic"}, work)) // C2
    reasons +=
        ("; 'work' expected once, strided or dynamic, got '" + work + "'")
            .str();
  check("cluster", cluster, 8); // C3
  if (cluster > 1 && work != "strided")
    reasons +=
        ("; 'work' expected strided with a cluster, got '" + work + "'").str();
  if (reasons.empty())
    return success();
  return emitError() << "schedule: " << StringRef(reasons).drop_front(2);
}

void attn::copySchedule(Operation *from, Operation *to) {
  for (StringRef name : {kScheduleAttrName, kChoiceAttrName})
    if (Attribute attr = from->getDiscardableAttr(name))
      to->setDiscardableAttr(name, attr);
}
