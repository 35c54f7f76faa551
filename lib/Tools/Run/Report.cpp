//===- Report.cpp - What a run says of itself ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything about a case is in its JSON; text is made from that.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::attn::run;
using nlohmann::json;

static json toJSON(ArrayRef<int64_t> numbers) {
  return std::vector<int64_t>(numbers.begin(), numbers.end());
}

static json toJSON(const Comparison &comparison, Rule rule) {
  json object = {
      {"passed", comparison.passed},       {"error", comparison.error},
      {"bound", comparison.bound},         {"scale", comparison.scale},
      {"misplaced", comparison.misplaced}, {"unwritten", comparison.unwritten},
      {"excused", comparison.excused},     {"spread", comparison.spread},
      {"reasons", comparison.reasons}};
  if (rule == Rule::Value)
    object["plain_error"] = comparison.plainError;
  if (!comparison.worst.empty())
    object["worst"] = {{"index", toJSON(comparison.worst)},
                       {"value", comparison.worstValue},
                       {"reference", comparison.worstReference}};
  return object;
}

static json toJSON(const Timing &timing) {
  json object = {{"median_s", timing.median},
                 {"least_s", timing.least},
                 {"repeats", timing.repeats}};
  if (timing.operations > 0) {
    object["visible_pairs"] = timing.visiblePairs;
    object["operations"] = timing.operations;
    object["gflops"] = timing.operations / timing.median * 1e-9;
  }
  return object;
}

json mlir::attn::run::makeReport(const CaseOptions &options,
                                 const Signature &signature,
                                 ArrayRef<int64_t> symbols,
                                 ArrayRef<HostTensor> inputs,
                                 const CaseResult &result,
                                 const json &compile) {
  json report = {{"function", signature.function},
                 {"device", compile.value("device", "cpu")},
                 {"passed", result.passed()},
                 {"checked", options.check},
                 {"errors", result.errors},
                 {"seed", options.inputs.seed},
                 {"amplitude", options.inputs.amplitude},
                 {"documents", options.inputs.documents == Documents::Sorted
                                   ? "sorted"
                                   : "shuffled"},
                 {"extents", json::object()},
                 {"arguments", json::array()},
                 {"results", json::array()},
                 {"compile", compile}};
  if (!symbols.empty())
    for (auto [symbol, value] : llvm::zip_equal(signature.symbols, symbols))
      report["extents"][symbol] = value;
  for (auto [info, tensor] : llvm::zip(signature.arguments, inputs)) {
    json argument = {{"name", info.name},
                     {"type", getName(info.type).str()},
                     {"role", getName(info.role).str()},
                     {"shape", toJSON(tensor.getShape())},
                     {"layout", getName(tensor.getLayout()).str()},
                     {"strides", toJSON(tensor.getStrides())}};
    auto file = options.inputs.files.find(info.name);
    if (file != options.inputs.files.end())
      argument["file"] = file->second;
    report["arguments"].push_back(std::move(argument));
  }
  for (const ResultReport &info : result.results) {
    json object = {
        {"name", info.name},
        {"type", getName(info.type).str()},
        {"shape", toJSON(info.shape)},
        {"layout", getName(options.inputs.layouts.lookup(info.name)).str()},
        {"rule", info.rule == Rule::LogSumExp ? "log_sum_exp" : "value"}};
    if (info.comparison)
      object["check"] = toJSON(*info.comparison, info.rule);
    report["results"].push_back(std::move(object));
  }
  if (result.timing)
    report["time"] = toJSON(*result.timing);
  if (result.tiles)
    report["tiles"] = {{"visited", result.tiles->full + result.tiles->partial},
                       {"full", result.tiles->full},
                       {"partial", result.tiles->partial},
                       {"all", result.tiles->all}};
  if (!result.kernels.empty())
    report["kernels"] = result.kernels;
  return report;
}

static std::string formatExtents(const json &shape) {
  return mlir::attn::run::formatShape(shape.get<std::vector<int64_t>>());
}

static std::string formatScientific(const json &number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2e", number.get<double>());
  return text;
}

static std::string formatFixed(double number, int digits) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", digits, number);
  return text;
}

/// Prints rows of cells in columns.
static void printColumns(llvm::raw_ostream &os,
                         ArrayRef<SmallVector<std::string>> rows) {
  SmallVector<size_t> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (auto [n, cell] : llvm::enumerate(row))
      widths[n] = std::max(widths[n], cell.size());
  }
  for (const auto &row : rows) {
    std::string line = " ";
    for (auto [n, cell] : llvm::enumerate(row)) {
      line += " " + cell;
      line.append(widths[n] - cell.size() + 1, ' ');
    }
    os << StringRef(line).rtrim() << "\n";
  }
}

static std::string formatTime(const json &time) {
  std::string text = formatFixed(time["median_s"].get<double>() * 1e3, 3) +
                     " ms (median of " + time["repeats"].dump() + ")";
  if (time.contains("gflops"))
    text += ", " + formatFixed(time["gflops"].get<double>(), 1) +
            " GFLOP/s over " + time["visible_pairs"].dump() + " visible pairs";
  return text;
}

/// `192x128, 2 stages, strided, clusters of 2`.
static std::string formatSchedule(const json &kernel) {
  std::string text = kernel.value("schedule", "");
  auto add = [&](const std::string &part) {
    text += (text.empty() ? "" : ", ") + part;
  };
  int64_t stages = kernel["stages"], cluster = kernel["cluster"];
  add(stages == 0
          ? "no rings"
          : std::to_string(stages) + (stages == 1 ? " stage" : " stages"));
  add(kernel["work"]);
  if (cluster > 1)
    add("clusters of " + std::to_string(cluster));
  return text;
}

void mlir::attn::run::printTable(llvm::raw_ostream &os, const json &report) {
  os << report["function"].get<std::string>() << " on "
     << report["device"].get<std::string>() << ", seed "
     << report["seed"].dump() << "\n";
  SmallVector<SmallVector<std::string>> rows;
  for (StringRef kind : {"arguments", "results"})
    for (const json &tensor : report[kind.str()])
      rows.push_back({tensor["name"], formatExtents(tensor["shape"]),
                      tensor["type"], tensor["layout"]});
  printColumns(os, rows);

  rows.clear();
  const json &compile = report["compile"];
  if (compile.contains("choices"))
    for (const json &choice : compile["choices"])
      rows.push_back({choice["name"],
                      choice["value"].is_string()
                          ? choice["value"].get<std::string>()
                          : choice["value"].dump(),
                      choice.value("why", "")});
  if (report.contains("kernels"))
    for (const json &kernel : report["kernels"])
      rows.push_back({"launched", formatSchedule(kernel), kernel["name"]});
  if (report.contains("tiles"))
    rows.push_back({"tiles",
                    "visited " + report["tiles"]["visited"].dump() + " of " +
                        report["tiles"]["all"].dump(),
                    report["tiles"]["full"].dump() + " without a mask"});
  printColumns(os, rows);

  rows.clear();
  for (const json &result : report["results"]) {
    if (!result.contains("check"))
      continue;
    const json &check = result["check"];
    if (rows.empty())
      rows.push_back({"check", "error", "bound", "plain"});
    rows.push_back({result["name"], formatScientific(check["error"]),
                    formatScientific(check["bound"]),
                    check.contains("plain_error")
                        ? formatScientific(check["plain_error"])
                        : "",
                    check["passed"].get<bool>() ? "passed" : "FAILED"});
  }
  printColumns(os, rows);
  if (report.contains("time"))
    os << "  time: " << formatTime(report["time"]) << "\n";
}

void mlir::attn::run::printLine(llvm::raw_ostream &os, const json &report) {
  os << (report["passed"].get<bool>() ? "ok   " : "FAIL ")
     << report["function"].get<std::string>();
  for (const auto &[name, value] : report["extents"].items())
    os << " " << name << "=" << value.dump();
  for (StringRef kind : {"arguments", "results"})
    for (const json &tensor : report[kind.str()])
      if (tensor["layout"] != "dense")
        os << " " << tensor["name"].get<std::string>() << ":"
           << tensor["layout"].get<std::string>();
  os << " seed=" << report["seed"].dump();
  for (const json &result : report["results"])
    if (result.contains("check"))
      os << "  " << result["name"].get<std::string>() << " "
         << formatScientific(result["check"]["error"]) << "/"
         << formatScientific(result["check"]["bound"]);
  if (report.contains("time"))
    os << "  " << formatTime(report["time"]);
  os << "\n";
}
