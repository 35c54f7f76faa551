//===- Case.cpp - One run of one function --------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a case, each of which may fail with a text.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Case.h"
#include "attn/Tools/Run/Allowances.h"
#include "attn/Tools/Run/Npy.h"
#include "attn/Tools/Run/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <chrono>
#include <cmath>

using namespace mlir;
using namespace mlir::attn::run;

namespace {
class CaseRunner {
public:
  CaseRunner(const CaseOptions &options, const Signature &signature,
             ProgramProvider &programs)
      : options(options), signature(signature), programs(programs) {}

  CaseResult run() {
    if (llvm::Error error = runSteps()) {
      std::string text = llvm::toString(std::move(error));
      for (StringRef line : llvm::split(text, '\n'))
        result.errors.push_back(line.str());
    }
    result.report = makeReport(options, signature, symbols, inputs, result,
                               programs.getCompileReport(signature.function));
    return std::move(result);
  }

private:
  llvm::Error runSteps() {
    if (llvm::Error error = prepare())
      return error;
    llvm::Expected<Program *> program =
        programs.get(signature.function, ProgramKind::Compiled);
    if (!program)
      return program.takeError();
    if (llvm::Error error = callOnce(**program))
      return error;
    result.kernels = (*program)->describeLaunches(inputs);
    if (options.check)
      if (llvm::Error error = check())
        return error;
    if (llvm::Error error = writeOutputs())
      return error;
    if (!options.time)
      return llvm::Error::success();
    if (llvm::Error error = time(**program))
      return error;
    return countTiles();
  }

  /// Replaces keys `#n` by the name of item n; the others stay, known or not.
  template <typename Items>
  static llvm::Expected<llvm::StringMap<std::string>>
  byName(const llvm::StringMap<std::string> &files, const Items &items) {
    llvm::StringMap<std::string> named;
    for (const auto &[key, path] : files) {
      StringRef digits = key;
      size_t n;
      bool isNumber = digits.consume_front("#") &&
                      !digits.getAsInteger(10, n) && n < items.size();
      StringRef name = isNumber ? StringRef(items[n].name) : StringRef(key);
      if (!named.try_emplace(name, path).second)
        return llvm::createStringError("expected one file for '" + name +
                                       "', got one by name and one in order");
    }
    return named;
  }

  bool isResult(StringRef name) const {
    return llvm::any_of(signature.results,
                        [&](const ResultInfo &r) { return r.name == name; });
  }

  llvm::Error prepare() {
    if (options.check && signature.results.empty())
      return llvm::createStringError("function '" + signature.function +
                                     "' has no results, expected at least one "
                                     "to check");
    llvm::Expected<std::vector<int64_t>> values =
        signature.resolve(options.shapes);
    if (!values)
      return values.takeError();
    symbols = std::move(*values);

    InputOptions inputOptions = options.inputs;
    auto inputFiles = byName(inputOptions.files, signature.arguments);
    if (!inputFiles)
      return inputFiles.takeError();
    inputOptions.files = std::move(*inputFiles);
    auto resultFiles = byName(options.outputs, signature.results);
    if (!resultFiles)
      return resultFiles.takeError();
    outputFiles = std::move(*resultFiles);
    for (const ResultInfo &info : signature.results)
      inputOptions.layouts.erase(info.name);
    llvm::Expected<std::vector<HostTensor>> made =
        makeInputs(signature, symbols, inputOptions);
    if (!made)
      return made.takeError();
    inputs = std::move(*made);

    SmallVector<StringRef> unknown;
    for (StringRef name : outputFiles.keys())
      if (!isResult(name))
        unknown.push_back(name);
    if (!unknown.empty()) {
      auto names = llvm::map_range(signature.results,
                                   [](const ResultInfo &r) { return r.name; });
      return llvm::createStringError(
          "function '" + signature.function + "' has no result '" +
          llvm::join(unknown, "', '") + "'; it has " + llvm::join(names, ", "));
    }
    for (const ResultInfo &info : signature.results) {
      llvm::Expected<HostTensor> tensor =
          HostTensor::create(info.type, getShape(info.extents, symbols),
                             options.inputs.layouts.lookup(info.name));
      if (!tensor)
        return llvm::createStringError("result '" + info.name + "': " +
                                       llvm::toString(tensor.takeError()));
      result.results.push_back({info.name, info.type, info.rule,
                                SmallVector<int64_t>(tensor->getShape()),
                                std::nullopt});
      outputs.push_back(std::move(*tensor));
    }
    return llvm::Error::success();
  }

  /// Calls the program and looks for memory that it had no business with.
  llvm::Error callOnce(Program &program) {
    auto sum = [](const HostTensor &tensor) { return tensor.checksum(); };
    std::vector<uint64_t> before(inputs.size());
    llvm::transform(inputs, before.begin(), sum);
    if (llvm::Error error = program.call(inputs, outputs))
      return error;
    for (auto [info, tensor, checksum] :
         llvm::zip_equal(signature.arguments, inputs, before))
      if (sum(tensor) != checksum)
        result.errors.push_back("argument '" + info.name +
                                "' was written to, or memory beside it");
    for (auto [info, tensor] : llvm::zip_equal(signature.results, outputs))
      if (int64_t bytes = tensor.countOverwrites())
        result.errors.push_back("result '" + info.name +
                                "': " + std::to_string(bytes) +
                                " bytes beside its elements were written to");
    return llvm::Error::success();
  }

  /// The results of a definition of the function; `wide` makes them f64.
  llvm::Expected<std::vector<HostTensor>> callDefinition(ProgramKind kind,
                                                         bool wide) {
    llvm::Expected<Program *> program = programs.get(signature.function, kind);
    if (!program)
      return program.takeError();
    std::vector<HostTensor> tensors;
    for (const HostTensor &output : outputs) {
      llvm::Expected<HostTensor> tensor = HostTensor::create(
          wide && isFloat(output.getType()) ? ElementType::F64
                                            : output.getType(),
          output.getShape());
      if (!tensor)
        return tensor.takeError();
      tensors.push_back(std::move(*tensor));
    }
    if (llvm::Error error = (*program)->call(inputs, tensors))
      return error;
    return tensors;
  }

  llvm::Error check() {
    llvm::Expected<std::vector<HostTensor>> reference =
        callDefinition(ProgramKind::Reference, /*wide=*/true);
    if (!reference)
      return reference.takeError();
    llvm::Expected<std::vector<HostTensor>> plain =
        callDefinition(ProgramKind::Plain, /*wide=*/false);
    if (!plain)
      return plain.takeError();
    AllowanceMaker maker(signature, inputs, *reference, programs);
    for (auto [n, output] : llvm::enumerate(outputs)) {
      ResultReport &report = result.results[n];
      Allowances allowances = maker.make(n);
      report.comparison =
          report.rule == Rule::LogSumExp
              ? compareLogSumExp(output, (*reference)[n], allowances)
              : compareValues(output, (*reference)[n], (*plain)[n], allowances);
      for (const std::string &reason : report.comparison->reasons)
        result.errors.push_back("result '" + report.name + "': " + reason);
    }
    return maker.takeError();
  }

  llvm::Error writeOutputs() {
    for (auto [info, tensor] : llvm::zip_equal(signature.results, outputs)) {
      auto path = outputFiles.find(info.name);
      if (path == outputFiles.end())
        continue;
      std::error_code code;
      llvm::raw_fd_ostream os(path->second, code);
      if (!code && os.is_displayed())
        return llvm::createStringError(
            "result '" + info.name +
            "': no terminal can show an array; expected a file, or a pipe");
      if (!code) {
        writeNpy(os, tensor);
        os.close();
        code = os.error();
        os.clear_error();
      }
      if (code)
        return llvm::createStringError("result '" + info.name + "': " +
                                       path->second + ": " + code.message());
    }
    return llvm::Error::success();
  }

  llvm::Error time(Program &program) {
    using Clock = std::chrono::steady_clock;
    auto seconds = [](Clock::duration duration) {
      return std::chrono::duration<double>(duration).count();
    };
    // The call that made the results warmed up code, caches and threads.
    std::vector<double> times;
    Clock::time_point start = Clock::now();
    while (times.size() < 3 ||
           (seconds(Clock::now() - start) < options.seconds &&
            times.size() < 10000)) {
      Clock::time_point begin = Clock::now();
      if (llvm::Error error = program.call(inputs, outputs))
        return error;
      times.push_back(seconds(Clock::now() - begin));
    }
    llvm::sort(times);
    Timing timing;
    timing.median = times[times.size() / 2];
    timing.least = times.front();
    timing.repeats = times.size();
    result.timing = timing;
    return countOperations();
  }

  /// Counts the pairs that are visible, by the reference on tensors of zeros
  /// with one head dimension.
  llvm::Error countOperations() {
    if (signature.sites.size() != 1 || signature.sites.front().nested)
      return llvm::Error::success();
    const AttentionSite &site = signature.sites.front();
    std::optional<unsigned> q = site.get(Role::Query), k = site.get(Role::Key),
                            v = site.get(Role::Value);
    if (!q || !k || !v)
      return llvm::Error::success();
    llvm::Expected<Program *> program =
        programs.get(signature.function, ProgramKind::VisibleKeys);
    if (!program)
      return program.takeError();
    std::vector<HostTensor> arguments = inputs;
    for (unsigned n : {*q, *k, *v}) {
      SmallVector<int64_t> shape(inputs[n].getShape());
      shape.back() = 1;
      llvm::Expected<HostTensor> zeros =
          HostTensor::create(inputs[n].getType(), shape);
      if (!zeros)
        return zeros.takeError();
      zeros->forEach([&](ArrayRef<int64_t>, std::byte *address) {
        store(zeros->getType(), address, 0);
      });
      arguments[n] = std::move(*zeros);
    }
    ArrayRef<int64_t> shape = inputs[*q].getShape();
    SmallVector<int64_t> rows = site.packed
                                    ? SmallVector<int64_t>{shape[1], shape[0]}
                                    : SmallVector<int64_t>(shape.drop_back());
    llvm::Expected<HostTensor> logs =
        HostTensor::create(ElementType::F64, rows);
    if (!logs)
      return logs.takeError();
    if (llvm::Error error = (*program)->call(arguments, {*logs}))
      return error;
    Timing &timing = *result.timing;
    for (double log : logs->toVector())
      timing.visiblePairs += std::llround(std::exp(log));
    int64_t width = inputs[*q].getShape().back() + inputs[*v].getShape().back();
    timing.operations = 2.0 * static_cast<double>(width) *
                        static_cast<double>(timing.visiblePairs);
    return llvm::Error::success();
  }

  /// Counts the tiles of attention that runs once in a call.
  llvm::Error countTiles() {
    if (llvm::any_of(signature.sites,
                     [](const AttentionSite &site) { return site.nested; }))
      return llvm::Error::success();
    llvm::Expected<Program *> program =
        programs.get(signature.function, ProgramKind::TileCount);
    if (!program)
      return program.takeError();
    llvm::Expected<HostTensor> counts =
        HostTensor::create(ElementType::I64, {3});
    if (!counts)
      return counts.takeError();
    if (llvm::Error error = (*program)->call(inputs, {*counts}))
      return error;
    auto get = [&](int64_t n) {
      return static_cast<int64_t>(counts->get({n}));
    };
    result.tiles = TileCounts{get(0), get(1), get(2)};
    return llvm::Error::success();
  }

  const CaseOptions &options;
  const Signature &signature;
  ProgramProvider &programs;
  std::vector<int64_t> symbols;
  std::vector<HostTensor> inputs, outputs;
  llvm::StringMap<std::string> outputFiles;
  CaseResult result;
};
} // namespace

CaseResult mlir::attn::run::runCase(const CaseOptions &options,
                                    const Signature &signature,
                                    ProgramProvider &programs) {
  return CaseRunner(options, signature, programs).run();
}
