//===- attn-run.cpp - Runs attention programs ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of attn-run; see docs/Report.md for cases and reports.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Parallel.h"
#include "attn-rt/Status.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/InitAllDialects.h"
#include "attn/Tools/Common/CommandLine.h"
#include "attn/Tools/Common/CompileOptions.h"
#include "attn/Tools/Run/Driver.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::attn::run;
namespace cl = llvm::cl;

namespace {
/// The options, made after those of libraries have been removed.
struct CommandLine {
  cl::OptionCategory category{"Attention options"};
  mlir::attn::DebugFlag debug{category};

  cl::opt<std::string> file{cl::Positional, cl::desc("<file.mlir>"),
                            cl::cat(category)};
  cl::opt<std::string> function{
      "function", cl::desc("Function to run; needed if there are several"),
      cl::cat(category)};
  cl::opt<std::string> device{
      "device", cl::desc("Where to run: cpu, or sim, a simulated GPU"),
      cl::init("cpu"), cl::cat(category)};
  cl::list<std::string> shapes{
      "shape", cl::CommaSeparated, cl::value_desc("Sq=128|q:1x32x?x128,..."),
      cl::desc("Extents that the function leaves open"), cl::cat(category)};
  mlir::attn::NumberOption<uint64_t> seed{
      "seed", cl::desc("Seed of the inputs"), cl::init(0), cl::cat(category)};
  mlir::attn::NumberOption<double> amplitude{
      "amplitude", cl::desc("Standard deviation of queries, and so of scores"),
      cl::init(1.0), cl::cat(category)};
  mlir::attn::NameOption<Documents> documents{
      "documents", cl::desc("How document ids lie"),
      cl::values(clEnumValN(Documents::Sorted, "sorted", "in ascending runs"),
                 clEnumValN(Documents::Shuffled, "shuffled", "anywhere")),
      cl::init(Documents::Sorted), cl::cat(category)};
  cl::list<std::string> layouts{
      "layout", cl::CommaSeparated, cl::value_desc("q:bshd,..."),
      cl::desc("How tensors lie in memory: dense, bshd, padded, "
               "broadcast_batch, broadcast_heads, reversed, huge"),
      cl::cat(category)};
  cl::list<std::string> plants{
      "plant", cl::CommaSeparated, cl::value_desc("k:0x0x5x3=nan,..."),
      cl::desc("Single elements of arguments"), cl::cat(category)};
  cl::list<std::string> inputs{
      "input", cl::CommaSeparated, cl::value_desc("[name=]a.npy,..."),
      cl::desc("Arguments from NumPy files, by name or in order"),
      cl::cat(category)};
  cl::list<std::string> outputs{
      "output", cl::CommaSeparated, cl::value_desc("[name=]o.npy,..."),
      cl::desc("NumPy files for results, by name or in order"),
      cl::cat(category)};
  cl::opt<bool> check{"check", cl::desc("Check results against the reference"),
                      cl::cat(category)};
  cl::opt<bool> time{"time", cl::desc("Measure the time of a call"),
                     cl::cat(category)};
  mlir::attn::NumberOption<double> seconds{
      "seconds", cl::desc("Seconds that --time may take"), cl::init(1.0),
      cl::cat(category)};
  cl::opt<std::string> report{"report", cl::value_desc("r.json"),
                              cl::desc("Write everything as JSON"),
                              cl::cat(category)};
  cl::opt<std::string> cases{
      "cases", cl::value_desc("cases.json"),
      cl::desc("Run many cases; other options are their defaults"),
      cl::cat(category)};
  cl::opt<std::string> dumpDir{
      "dump-dir", cl::value_desc("folder"),
      cl::desc("Write the program after every pass into numbered files"),
      cl::cat(category)};
  cl::opt<std::string> cpu{"cpu", cl::desc("CPU to compile for"),
                           cl::init("host"), cl::cat(category)};
  mlir::attn::NumberOption<int32_t> threads{
      "threads", cl::desc("Threads to run with; 0: one per CPU"), cl::init(0),
      cl::cat(category)};
  mlir::attn::NumberOption<int64_t> queryTile{
      "query-tile", cl::desc("Rows of a query tile; 0: cost model"),
      cl::init(0), cl::cat(category)};
  mlir::attn::NumberOption<int64_t> keyTile{
      "key-tile", cl::desc("Keys of a key tile; 0: cost model"), cl::init(0),
      cl::cat(category)};
  mlir::attn::NumberOption<int64_t> schedules{
      "schedules",
      cl::desc("Orders of copies, products and warpgroups that --device=sim "
               "runs each call in"),
      cl::init(8), cl::cat(category)};
  mlir::attn::NumberOption<int64_t> stages{
      "stages",
      cl::desc("Stages of a kernel's rings; 0: the table of schedules"),
      cl::init(0), cl::cat(category)};
  cl::opt<std::string> schedule{
      "schedule",
      cl::desc("How tiles come to thread blocks: once, strided, dynamic; "
               "empty: the table of schedules"),
      cl::cat(category)};
  cl::opt<std::string> kernelPasses{
      "kernel-passes", cl::value_desc("pass,..."),
      cl::desc("Passes on attn_gpu.kernel, in place of all that make it "
               "asynchronous"),
      cl::cat(category)};
  mlir::attn::NumberOption<int64_t> keyParts{
      "key-parts", cl::desc("Parts the keys are split into; 0: cost model"),
      cl::init(0), cl::cat(category)};
};
} // namespace

/// The device and what only the simulator knows. All faults at once.
static llvm::Error readDevice(const CommandLine &line, RunOptions &options) {
  std::string faults;
  auto fail = [&](const Twine &text) {
    if (!faults.empty())
      faults += '\n';
    faults += text.str();
  };
  bool isSimulator = line.device == "sim";
  if (!isSimulator && line.device != "cpu")
    fail("device '" + line.device + "' is not supported, expected cpu or sim");
  if (line.schedules < 1 || line.schedules > 1000)
    fail("option 'schedules' expected 1 to 1000, got " +
         Twine(line.schedules.value));
  for (const std::string &fault :
       {mlir::attn::kStagesRange.check("stages", line.stages),
        mlir::attn::checkWorkSchedule(line.schedule)})
    if (!fault.empty())
      fail(fault);
  if (line.device == "cpu")
    for (const cl::Option *option :
         {static_cast<const cl::Option *>(&line.schedules),
          static_cast<const cl::Option *>(&line.stages),
          static_cast<const cl::Option *>(&line.schedule),
          static_cast<const cl::Option *>(&line.kernelPasses)})
      if (option->getNumOccurrences() > 0)
        fail(
            "option '" + option->ArgStr +
            "' is for kernels of a GPU, which device cpu has none of; expected "
            "it with device sim");
  if (isSimulator && line.time)
    fail("option 'time' needs device cpu: a simulator's time says nothing");
  if (std::string fault = mlir::attn::findKernelPassesFault(line.kernelPasses);
      !fault.empty())
    fail(fault);
  options.compile.device = isSimulator ? Device::Simulator : Device::CPU;
  options.compile.schedules = line.schedules;
  options.compile.cuda.stages = line.stages;
  options.compile.cuda.schedule = line.schedule;
  options.compile.cuda.kernelPasses = line.kernelPasses;
  return faults.empty() ? llvm::Error::success()
                        : llvm::createStringError(faults);
}

static llvm::Error readOptions(const CommandLine &line, RunOptions &options) {
  if (llvm::Error error = readDevice(line, options))
    return error;
  options.file = line.file;
  if (options.file.empty() && line.cases.empty())
    return llvm::createStringError("expected a file, see --help");
  options.casesFile = line.cases;
  options.reportFile = line.report;
  options.compile.cpu = line.cpu;
  options.compile.dumpFolder = line.dumpDir;
  options.compile.iteration.queryTile = line.queryTile;
  options.compile.iteration.keyTile = line.keyTile;
  options.compile.iteration.keyParts = line.keyParts;
  options.compile.iteration.threads = attn_rt_get_num_threads();

  mlir::attn::ObjectOptions object;
  object.cpu = options.compile.cpu;
  if (llvm::Error error =
          mlir::attn::checkCompileOptions(options.compile.iteration, object))
    return error;

  CaseOptions &defaults = options.defaults;
  defaults.function = line.function;
  defaults.shapes.assign(line.shapes.begin(), line.shapes.end());
  defaults.check = line.check;
  defaults.time = line.time;
  defaults.seconds = line.seconds;
  defaults.inputs.seed = line.seed;
  defaults.inputs.amplitude = line.amplitude;
  defaults.inputs.documents = line.documents;
  if (llvm::Error error = defaults.checkNumbers())
    return error;
  for (const std::string &text : line.layouts) {
    auto [name, layoutName] = StringRef(text).split(':');
    if (name.empty() || name.size() == text.size())
      return llvm::createStringError("option 'layout' expected NAME:LAYOUT, as "
                                     "in q:bshd, got '" +
                                     text + "'");
    llvm::Expected<Layout> layout = parseLayout(layoutName);
    if (!layout)
      return layout.takeError();
    if (!defaults.inputs.layouts.try_emplace(name, *layout).second)
      return llvm::createStringError("option 'layout' names '" + name +
                                     "' twice, expected one layout for it");
  }
  for (const std::string &text : line.plants) {
    llvm::Expected<Plant> plant = Plant::parse(text);
    if (!plant)
      return plant.takeError();
    defaults.inputs.plants.push_back(std::move(*plant));
  }
  auto readFiles = [](const cl::list<std::string> &list,
                      llvm::StringMap<std::string> &files) -> llvm::Error {
    for (auto [n, text] : llvm::enumerate(list)) {
      auto [name, path] = StringRef(text).split('=');
      // Without a name: that of the n-th argument or result.
      if (name.size() == text.size())
        files["#" + std::to_string(n)] = text;
      else if (!files.try_emplace(name, path).second)
        return llvm::createStringError("option '" + list.ArgStr + "' names '" +
                                       name + "' twice, expected one file");
    }
    return llvm::Error::success();
  };
  if (llvm::Error error = readFiles(line.inputs, defaults.inputs.files))
    return error;
  return readFiles(line.outputs, defaults.outputs);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::attn::setAsideLibraryOptions(mlir::attn::LibraryOptions::Remove);
  CommandLine line;
  cl::ParseCommandLineOptions(
      argc, argv,
      "compile, run, check and time attention programs\n\n"
      "The function is compiled in memory, run on inputs made from a seed or "
      "read from\nfiles, and compared with a reference in f64. The exit code "
      "is "
      "0 only if all went well.\n");
  line.debug.apply();
  mlir::attn::registerKernelPasses();

  auto fail = [](const Twine &text) {
    llvm::WithColor::error(llvm::errs(), "attn-run") << text << "\n";
    return 1;
  };
  if (attn_rt_set_num_threads(line.threads) != ATTN_RT_OK)
    return fail(attn_rt_last_error());
  RunOptions options;
  if (llvm::Error error = readOptions(line, options))
    return fail(llvm::toString(std::move(error)));
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  mlir::attn::registerAllDialects(registry);
  return succeeded(runAll(options, registry, llvm::outs())) ? 0 : 1;
}
