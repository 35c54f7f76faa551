//===- Driver.cpp - attn-run as a function -------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads programs, goes over cases, collects the report.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Driver.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "attn/Tools/Common/ParseModule.h"
#include "attn/Tools/Run/OutputFiles.h"
#include "attn/Tools/Run/Report.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::attn::run;
using nlohmann::json;

static void reportError(const Twine &text) {
  llvm::WithColor::error(llvm::errs(), "attn-run") << text << "\n";
}

namespace {
/// A file, its programs and the signatures of its functions.
class LoadedFile {
public:
  /// Null after an error, which has been reported.
  static std::unique_ptr<LoadedFile> load(const std::string &path,
                                          const CompileOptions &options,
                                          DialectRegistry &registry) {
    std::string message;
    std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
    if (!buffer) {
      reportError(message);
      return nullptr;
    }
    auto file = std::make_unique<LoadedFile>();
    file->sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    file->context = std::make_unique<MLIRContext>(
        registry, MLIRContext::Threading::DISABLED);
    file->context->printOpOnDiagnostic(false);
    file->handler = std::make_unique<SourceMgrDiagnosticHandler>(
        file->sources, file->context.get());
    file->module = attn::parseModule(file->sources, file->context.get());
    if (!file->module)
      return nullptr;
    // What arguments mean to attention shows only where calls are gone.
    PassManager passes(file->context.get());
    attn::addCallInlining(passes);
    if (failed(passes.run(*file->module)))
      return nullptr;
    file->programs = std::make_unique<CompiledPrograms>(*file->module, options);
    return file;
  }

  /// The function that a case means by `name`, with its signature. Null after
  /// an error, which has been reported.
  const Signature *getSignature(StringRef name) {
    auto [it, isNew] = signatures.try_emplace(name.str());
    if (isNew)
      it->second = readSignature(name);
    return succeeded(it->second) ? &*it->second : nullptr;
  }

  ProgramProvider &getPrograms() { return *programs; }

private:
  FailureOr<Signature> readSignature(StringRef name) {
    SmallVector<func::FuncOp> functions;
    for (auto function : module->getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        functions.push_back(function);
    auto names = llvm::map_range(functions,
                                 [](func::FuncOp f) { return f.getSymName(); });
    auto list = [&] {
      return functions.empty() ? "no public function" : llvm::join(names, ", ");
    };
    func::FuncOp function;
    for (func::FuncOp candidate : functions)
      if (name.empty() ? functions.size() == 1 : candidate.getSymName() == name)
        function = candidate;
    if (!function) {
      reportError(name.empty()
                      ? "name one of the functions by --function: " + list()
                      : "no function '" + name + "'; there is " + list());
      return failure();
    }
    // What cannot be compiled at all is said before what cannot be called.
    OwningOpRef<ModuleOp> part = extractFunction(*module, function.getName());
    PassManager passes(context.get());
    passes.addPass(attn::createCheckHostProgramPass());
    if (!part || failed(passes.run(*part)))
      return failure();
    return attn::run::readSignature(function);
  }

  llvm::SourceMgr sources;
  std::unique_ptr<MLIRContext> context;
  std::unique_ptr<SourceMgrDiagnosticHandler> handler;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<CompiledPrograms> programs;
  std::map<std::string, FailureOr<Signature>> signatures;
};

class Driver {
public:
  Driver(const RunOptions &options, DialectRegistry &registry, raw_ostream &out)
      : options(options), registry(registry), out(out) {}

  LogicalResult run() {
    if (!options.casesFile.empty())
      outputFiles.protect("the cases", options.casesFile);
    if (!options.file.empty())
      outputFiles.protect("the program", options.file);
    if (!options.reportFile.empty())
      if (llvm::Error error =
              outputFiles.claim("the report", options.reportFile)) {
        reportError(llvm::toString(std::move(error)));
        return failure();
      }
    report = {{"tool", "attn-run"},
              {"llvm", LLVM_VERSION_STRING},
              {"cases", json::array()}};
    LogicalResult result = options.casesFile.empty() ? runOne() : runCases();
    report["passed"] = passed;
    report["failed"] = failed;
    if (mlir::failed(writeReport()))
      return failure();
    return success(succeeded(result) && failed == 0);
  }

private:
  LogicalResult runOne() {
    if (options.file.empty()) {
      reportError("expected a file");
      return failure();
    }
    return runCase(options.defaults, options.file, json::array(), "");
  }

  LogicalResult runCases() {
    std::string message;
    std::unique_ptr<llvm::MemoryBuffer> buffer =
        openInputFile(options.casesFile, &message);
    if (!buffer) {
      reportError(message);
      return failure();
    }
    json cases = json::parse(buffer->getBuffer().begin(),
                             buffer->getBuffer().end(), /*cb=*/nullptr,
                             /*allow_exceptions=*/false);
    if (!cases.is_array()) {
      reportError(options.casesFile + ": expected a JSON array of cases");
      return failure();
    }
    if (cases.empty()) {
      reportError(options.casesFile + ": expected at least one case, got none");
      return failure();
    }
    LogicalResult result = success();
    for (const auto &[number, entry] : llvm::enumerate(cases)) {
      CaseOptions caseOptions = options.defaults;
      json rest = entry;
      std::string file = options.file;
      json tags = json::array();
      if (rest.is_object()) {
        file = take(rest, "file", file);
        tags = take(rest, "tags", tags);
      }
      if (llvm::Error error = caseOptions.read(rest)) {
        reportError(options.casesFile + ": case " + Twine(number) + ": " +
                    llvm::toString(std::move(error)));
        ++failed;
        continue;
      }
      out << "[" << number << "] ";
      if (mlir::failed(runCase(caseOptions, file, tags,
                               " of case " + std::to_string(number))))
        result = failure();
    }
    out << passed << " passed, " << failed << " failed\n";
    return result;
  }

  /// Removes `key` from `object` and returns its value, or `otherwise` where it
  /// is absent or of another type.
  template <typename T>
  static T take(json &object, const char *key, const T &otherwise) {
    auto it = object.find(key);
    if (it == object.end() || it->type() != json(otherwise).type())
      return otherwise;
    T value = it->template get<T>();
    object.erase(it);
    return value;
  }

  /// All files that `caseOptions` would write, or false after errors.
  bool claimOutputs(const CaseOptions &caseOptions, const std::string &path,
                    StringRef which) {
    bool ok = true;
    outputFiles.protect("the program", path);
    for (const auto &[name, output] : caseOptions.outputs) {
      std::string what = StringRef(name).starts_with("#")
                             ? "result " + StringRef(name).drop_front().str()
                             : "result '" + name.str() + "'";
      if (llvm::Error error = outputFiles.claim(what + which, output)) {
        reportError(llvm::toString(std::move(error)));
        ok = false;
      }
    }
    return ok;
  }

  /// `which` tells the case from others in errors.
  LogicalResult runCase(const CaseOptions &caseOptions, const std::string &path,
                        const json &tags, StringRef which) {
    if (!claimOutputs(caseOptions, path, which)) {
      if (!options.casesFile.empty())
        out << "FAIL " << path << " " << caseOptions.function << "\n";
      ++failed;
      return failure();
    }
    auto [it, isNew] = files.try_emplace(path);
    if (isNew)
      it->second = LoadedFile::load(path, options.compile, registry);
    LoadedFile *file = it->second.get();
    const Signature *signature =
        file ? file->getSignature(caseOptions.function) : nullptr;
    if (!signature) {
      if (!options.casesFile.empty())
        out << "FAIL " << path << " " << caseOptions.function << "\n";
      ++failed;
      return failure();
    }
    llvm::PrettyStackTraceFormat trace(
        "running %s of %s", signature->function.c_str(), path.c_str());
    CaseResult result =
        attn::run::runCase(caseOptions, *signature, file->getPrograms());
    result.report["file"] = path;
    if (!tags.empty())
      result.report["tags"] = tags;
    if (options.casesFile.empty())
      printTable(out, result.report);
    else
      printLine(out, result.report);
    out.flush();
    for (const std::string &error : result.errors)
      reportError(error);
    ++(result.passed() ? passed : failed);
    report["cases"].push_back(std::move(result.report));
    return success();
  }

  LogicalResult writeReport() {
    if (options.reportFile.empty())
      return success();
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file =
        openOutputFile(options.reportFile, &message);
    if (!file) {
      reportError(message);
      return failure();
    }
    file->os() << report.dump(2, ' ', /*ensure_ascii=*/false,
                              json::error_handler_t::replace)
               << "\n";
    file->keep();
    return success();
  }

  const RunOptions &options;
  DialectRegistry &registry;
  raw_ostream &out;
  json report;
  int64_t passed = 0, failed = 0;
  OutputFiles outputFiles;
  std::map<std::string, std::unique_ptr<LoadedFile>> files;
};
} // namespace

LogicalResult mlir::attn::run::runAll(const RunOptions &options,
                                      DialectRegistry &registry,
                                      raw_ostream &out) {
  return Driver(options, registry, out).run();
}
