//===- CaseOptions.cpp - Cases as JSON -----------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the options of a case from JSON, with all faults at once.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Case.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn::run;
using nlohmann::json;

namespace {
/// Reads one object, key by key, and gathers what does not fit.
class CaseReader {
public:
  explicit CaseReader(CaseOptions &options) : options(options) {}

  llvm::Error read(const json &object) {
    if (!object.is_object())
      return llvm::createStringError("a case expected a JSON object, got " +
                                     object.dump());
    for (const auto &[key, value] : object.items())
      readKey(key, value);
    if (faults.empty())
      return llvm::Error::success();
    return llvm::createStringError(llvm::join(faults, "\n"));
  }

private:
  void fault(const Twine &text) { faults.push_back(text.str()); }

  void expected(StringRef key, StringRef what, const json &got) {
    fault("case key '" + key + "' expected " + what + ", got " + got.dump());
  }

  void readKey(StringRef key, const json &value) {
    InputOptions &inputs = options.inputs;
    if (key == "function")
      return readString(key, value, options.function);
    if (key == "check")
      return readBool(key, value, options.check);
    if (key == "time")
      return readBool(key, value, options.time);
    if (key == "seed") {
      if (!value.is_number_unsigned())
        return expected(key, "a number that is whole and not negative", value);
      inputs.seed = value.get<uint64_t>();
      return;
    }
    if (key == "amplitude")
      return readNumber(key, value, inputs.amplitude);
    if (key == "seconds")
      return readNumber(key, value, options.seconds);
    if (key == "documents") {
      std::string name;
      readString(key, value, name);
      if (name == "sorted")
        inputs.documents = Documents::Sorted;
      else if (name == "shuffled")
        inputs.documents = Documents::Shuffled;
      else
        expected(key, "\"sorted\" or \"shuffled\"", value);
      return;
    }
    if (key == "shapes")
      return readStrings(key, value, [&](StringRef text) {
        options.shapes.push_back(text.str());
      });
    if (key == "plants")
      return readStrings(key, value, [&](StringRef text) {
        llvm::Expected<Plant> plant = Plant::parse(text);
        if (plant)
          inputs.plants.push_back(std::move(*plant));
        else
          fault(llvm::toString(plant.takeError()));
      });
    if (key == "layouts")
      return readMap(key, value, [&](StringRef name, StringRef text) {
        llvm::Expected<Layout> layout = parseLayout(text);
        if (layout)
          inputs.layouts[name] = *layout;
        else
          fault(llvm::toString(layout.takeError()));
      });
    if (key == "inputs")
      return readMap(key, value, [&](StringRef name, StringRef path) {
        inputs.files[name] = path.str();
      });
    if (key == "outputs")
      return readMap(key, value, [&](StringRef name, StringRef path) {
        options.outputs[name] = path.str();
      });
    fault("case key '" + key +
          "' is unknown, expected one of amplitude, check, documents, "
          "function, inputs, layouts, outputs, plants, seconds, seed, shapes, "
          "time");
  }

  void readString(StringRef key, const json &value, std::string &into) {
    if (!value.is_string())
      return expected(key, "a string", value);
    into = value.get<std::string>();
  }

  void readBool(StringRef key, const json &value, bool &into) {
    if (!value.is_boolean())
      return expected(key, "true or false", value);
    into = value.get<bool>();
  }

  void readNumber(StringRef key, const json &value, double &into) {
    if (!value.is_number())
      return expected(key, "a number", value);
    into = value.get<double>();
  }

  void readStrings(StringRef key, const json &value,
                   llvm::function_ref<void(StringRef)> take) {
    if (!value.is_array())
      return expected(key, "an array of strings", value);
    for (const json &item : value) {
      if (!item.is_string())
        expected(key, "an array of strings", value);
      else
        take(item.get_ref<const std::string &>());
    }
  }

  void readMap(StringRef key, const json &value,
               llvm::function_ref<void(StringRef, StringRef)> take) {
    if (!value.is_object())
      return expected(key, "an object of strings", value);
    for (const auto &[name, item] : value.items()) {
      if (!item.is_string())
        expected(key, "an object of strings", value);
      else
        take(name, item.get_ref<const std::string &>());
    }
  }

  CaseOptions &options;
  std::vector<std::string> faults;
};
} // namespace

llvm::Error CaseOptions::read(const json &json) {
  if (llvm::Error error = CaseReader(*this).read(json))
    return error;
  return checkNumbers();
}

llvm::Error CaseOptions::checkNumbers() const {
  std::vector<std::string> faults;
  auto check = [&](StringRef name, double value, double most) {
    if (value >= 0 && value <= most)
      return;
    std::string text;
    llvm::raw_string_ostream(text)
        << "option '" << name << "' expected 0 to " << llvm::format("%g", most)
        << ", got " << llvm::format("%g", value);
    faults.push_back(std::move(text));
  };
  // Beyond f32, in which all but f64 tensors would be infinite.
  check("amplitude", inputs.amplitude, std::numeric_limits<float>::max());
  check("seconds", seconds, 86400);
  if (faults.empty())
    return llvm::Error::success();
  return llvm::createStringError(llvm::join(faults, "\n"));
}
