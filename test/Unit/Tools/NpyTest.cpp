//===- NpyTest.cpp - Files of NumPy arrays -------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round trips, files as NumPy writes them, and every malformed header.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Npy.h"
#include "gtest/gtest.h"

using namespace mlir::attn::run;

static HostTensor make(ElementType type, llvm::ArrayRef<int64_t> shape,
                       Layout layout = Layout::Dense) {
  llvm::Expected<HostTensor> tensor = HostTensor::create(type, shape, layout);
  if (!tensor)
    llvm::report_fatal_error(tensor.takeError());
  return std::move(*tensor);
}

static void fillCounting(const HostTensor &tensor) {
  double next = 0;
  tensor.forEach([&](llvm::ArrayRef<int64_t>, std::byte *address) {
    store(tensor.getType(), address, next++);
  });
}

static std::string write(const HostTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeNpy(os, tensor);
  return text;
}

/// A file of version 1 with this dictionary and these bytes.
static std::string makeFile(std::string dictionary, std::string bytes) {
  dictionary += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(dictionary.size() & 0xff);
  text += static_cast<char>(dictionary.size() >> 8);
  return text + dictionary + bytes;
}

static std::string readError(llvm::StringRef contents,
                             const HostTensor &tensor) {
  return llvm::toString(readNpy(contents, tensor));
}

TEST(Npy, RoundTripOfEveryType) {
  for (ElementType type :
       {ElementType::F64, ElementType::F32, ElementType::BF16, ElementType::F16,
        ElementType::I64, ElementType::I32, ElementType::I8}) {
    HostTensor source = make(type, {2, 3, 4});
    fillCounting(source);
    std::string text = write(source);
    EXPECT_EQ(text.size() % 64, (24 * getByteSize(type)) % 64);
    HostTensor target = make(type, {2, 3, 4}, Layout::Padded);
    EXPECT_EQ(readError(text, target), "");
    EXPECT_EQ(target.toVector(), source.toVector());
    EXPECT_EQ(target.countOverwrites(), 0);
  }
}

TEST(Npy, WritesInIndexOrderWhateverTheLayout) {
  HostTensor dense = make(ElementType::F32, {2, 3, 4});
  HostTensor swapped = make(ElementType::F32, {2, 3, 4}, Layout::Swapped);
  fillCounting(dense);
  fillCounting(swapped);
  EXPECT_EQ(write(dense), write(swapped));
}

TEST(Npy, HeaderAsNumPyWritesIt) {
  HostTensor tensor = make(ElementType::F32, {3});
  fillCounting(tensor);
  std::string text = write(tensor);
  EXPECT_EQ(text.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(text.find("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), "
                      "} "),
            10u);
  EXPECT_EQ(text[127], '\n');
  EXPECT_EQ(text.size(), 128u + 12u);
}

TEST(Npy, FortranOrderAndVersion2) {
  std::string bytes;
  for (char value : {1, 2, 3, 4, 5, 6})
    bytes += value;
  std::string text = makeFile(
      "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }", bytes);
  HostTensor tensor = make(ElementType::I8, {2, 3});
  EXPECT_EQ(readError(text, tensor), "");
  EXPECT_EQ(tensor.toVector(), (std::vector<double>{1, 3, 5, 2, 4, 6}));

  text = text.substr(0, 10) + std::string(2, '\0') + text.substr(10);
  text[6] = 2;
  EXPECT_EQ(readError(text, tensor), "");
  EXPECT_EQ(tensor.toVector(), (std::vector<double>{1, 3, 5, 2, 4, 6}));
}

TEST(Npy, ScalarAndEmpty) {
  HostTensor scalar = make(ElementType::F32, {});
  scalar.set({}, 2.5);
  HostTensor target = make(ElementType::F32, {});
  EXPECT_EQ(readError(write(scalar), target), "");
  EXPECT_EQ(target.get({}), 2.5);
  HostTensor empty = make(ElementType::F32, {4, 0});
  EXPECT_EQ(readError(write(empty), empty), "");
}

TEST(Npy, BF16FromRawVoid) {
  std::string text =
      makeFile("{'descr': '<V2', 'fortran_order': False, 'shape': (1,)}",
               std::string("\x80\x3f", 2));
  HostTensor tensor = make(ElementType::BF16, {1});
  EXPECT_EQ(readError(text, tensor), "");
  EXPECT_EQ(tensor.get({0}), 1.0);
}

TEST(Npy, Errors) {
  HostTensor tensor = make(ElementType::F32, {2});
  std::string bytes(8, '\0');
  auto error = [&](const std::string &dictionary) {
    return readError(makeFile(dictionary, bytes), tensor);
  };
  EXPECT_EQ(readError("PK", tensor),
            "not an npy file: expected it to start with \\x93NUMPY");
  EXPECT_EQ(readError(std::string("\x93NUMPY\x07\x00\x00\x00", 10), tensor),
            "npy version 7 expected to be 1, 2 or 3");
  EXPECT_EQ(readError(std::string("\x93NUMPY\x01\x00\xff\x00", 10), tensor),
            "npy file ends inside its header");
  EXPECT_EQ(error("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}"),
            "npy type expected '<f4' for f32, got '<f8'");
  EXPECT_EQ(error("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}"),
            "npy type expected '<f4' for f32, got '>f4'");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}"),
            "npy shape expected 2, got 3");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}"),
            "npy header: expected 'fortran_order' True or False");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': (2 2)}"),
            "npy header: expected 'shape' to be a tuple of numbers");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False}"),
            "npy header: expected keys 'descr', 'fortran_order' and 'shape'");
  EXPECT_EQ(error("{'colour': 1}"), "npy header: unknown key 'colour'");
  EXPECT_EQ(error("{'descr': [('a', '<f4')]}"),
            "npy header: expected 'descr' to be one plain type; structured "
            "arrays are not supported");
  EXPECT_EQ(error("descr"), "malformed npy header: expected '{'");
  bytes.pop_back();
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}"),
            "npy file expected 8 bytes of elements, got 7");
}
