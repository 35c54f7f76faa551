//===- Ptxas.cpp - The PTX assembler --------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search and the process. Files go through the system's temporary folder
// and are removed on every path.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX/Ptxas.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace mlir;
using namespace mlir::attn;

template <typename... Args>
static llvm::Error makeError(const Args &...args) {
  std::string text;
  llvm::raw_string_ostream os(text);
  (os << ... << args);
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

static bool isProgram(StringRef path) {
  return llvm::sys::fs::is_regular_file(path) &&
         llvm::sys::fs::can_execute(path);
}

/// The program that a user's words mean: `path` itself, or ptxas in it.
static std::string findAt(StringRef path) {
  if (isProgram(path))
    return path.str();
  SmallString<128> inside(path);
  llvm::sys::path::append(inside, "ptxas");
  return isProgram(inside) ? inside.str().str() : std::string();
}

llvm::Expected<Ptxas> Ptxas::find(StringRef path) {
  using llvm::sys::Process;
  std::string named = Process::GetEnv("ATTN_PTXAS").value_or("");
  bool isOption = !path.empty();
  if (isOption)
    named = path.str();
  if (!named.empty()) {
    std::string program = findAt(named);
    if (program.empty())
      return makeError("no ptxas at '", named, "', which ",
                       isOption ? "an option" : "ATTN_PTXAS",
                       " names: expected the program or the folder it is in");
    return Ptxas(std::move(program));
  }

  SmallVector<std::string> looked;
  auto findIn = [&](StringRef folder) {
    SmallString<128> file(folder);
    llvm::sys::path::append(file, "ptxas");
    looked.push_back(file.str().str());
    return isProgram(file) ? file.str().str() : std::string();
  };
  if (std::string home = Process::GetEnv("CUDA_HOME").value_or("");
      !home.empty())
    if (std::string program = findIn(home + "/bin"); !program.empty())
      return Ptxas(std::move(program));
  if (llvm::ErrorOr<std::string> program =
          llvm::sys::findProgramByName("ptxas"))
    return Ptxas(std::move(*program));
  looked.push_back("PATH");
  if (std::string program = findIn("/usr/local/cuda/bin"); !program.empty())
    return Ptxas(std::move(program));
  return makeError("no ptxas found (looked at ", llvm::join(looked, ", "),
                   "): it comes with the CUDA toolkit; name it in ATTN_PTXAS");
}

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

/// A temporary file that is removed with this object.
namespace {
class TemporaryFile {
public:
  llvm::Error create(StringRef suffix) {
    int file;
    if (std::error_code code = llvm::sys::fs::createTemporaryFile(
            "attn-ptxas", suffix, file, path))
      return makeError("cannot make a temporary file: ", code.message());
    remover.setFile(path);
    if (std::error_code code =
            llvm::sys::Process::SafelyCloseFileDescriptor(file))
      return makeError("cannot close '", path, "': ", code.message());
    return llvm::Error::success();
  }

  llvm::Error write(StringRef text) const {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    if (code)
      return makeError("cannot write '", path, "': ", code.message());
    os << text;
    os.close();
    if (!os.has_error())
      return llvm::Error::success();
    code = os.error();
    os.clear_error();
    return makeError("cannot write '", path, "': ", code.message());
  }

  llvm::Expected<std::string> read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return makeError("cannot read '", path,
                       "': ", buffer.getError().message());
    return (*buffer)->getBuffer().str();
  }

  StringRef name() const { return path; }

private:
  SmallString<128> path;
  llvm::FileRemover remover;
};
} // namespace

/// Runs `program` and returns all that it printed, whether it succeeded or not.
static llvm::Expected<std::string>
runProgram(StringRef program, ArrayRef<StringRef> args, int &code) {
  TemporaryFile output;
  if (llvm::Error error = output.create("log"))
    return error;
  std::optional<StringRef> redirects[] = {StringRef(""), output.name(),
                                          output.name()};
  std::string message;
  bool failed = false;
  code = llvm::sys::ExecuteAndWait(program, args, std::nullopt, redirects,
                                   /*SecondsToWait=*/0, /*MemoryLimit=*/0,
                                   &message, &failed);
  if (failed || code < 0)
    return makeError("cannot run '", program, "': ", message);
  return output.read();
}

llvm::Expected<std::string> Ptxas::version() const {
  int code = 0;
  llvm::Expected<std::string> output =
      runProgram(program, {program, "--version"}, code);
  if (!output)
    return output.takeError();
  StringRef release = StringRef(*output).split("release ").second;
  release =
      release.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  if (code || release.empty())
    return makeError("'", program, "' does not tell its version: ", *output);
  return release.str();
}

llvm::Expected<PtxasResult> Ptxas::assemble(StringRef ptx,
                                            StringRef chip) const {
  auto start = std::chrono::steady_clock::now();
  TemporaryFile input, cubin;
  if (llvm::Error error = input.create("ptx"))
    return error;
  if (llvm::Error error = input.write(ptx))
    return error;
  if (llvm::Error error = cubin.create("cubin"))
    return error;
  std::string arch = ("-arch=" + chip).str();
  int code = 0;
  llvm::Expected<std::string> output = runProgram(
      program, {program, arch, "-v", "-O3", input.name(), "-o", cubin.name()},
      code);
  if (!output)
    return output.takeError();
  PtxasResult result;
  result.report = parsePtxasOutput(*output);
  if (code || result.report.hasErrors()) {
    std::string text = result.report.errorText();
    return makeError("'", program, "' refuses the PTX for ", chip, ": ",
                     text.empty() ? StringRef(*output).trim()
                                  : StringRef(text));
  }
  llvm::Expected<std::string> bytes = cubin.read();
  if (!bytes)
    return bytes.takeError();
  result.cubin = std::move(*bytes);
  addLocalTraffic(result.report, result.cubin);
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return result;
}
