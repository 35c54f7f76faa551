//===- Npy.cpp - Files of NumPy arrays ------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is NumPy's NEP 1: a magic string, a version, the length of a
// Python dictionary literal, that literal, the elements.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Npy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <cstring>

using namespace mlir::attn::run;
using llvm::StringRef;

static constexpr StringRef kMagic("\x93NUMPY", 6);

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

namespace {
/// Reads the dictionary literal of a header.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  llvm::Error parse(NpyHeader &header) {
    bool descr = false, order = false, shape = false;
    if (!consume("{"))
      return fail("malformed npy header: expected '{'");
    while (!consume("}")) {
      StringRef key;
      if (!parseString(key) || !consume(":"))
        return fail("malformed npy header: expected a key and ':'");
      if (key == "descr") {
        StringRef text;
        descr = parseString(text);
        if (!descr)
          return fail("npy header: expected 'descr' to be one plain type; "
                      "structured arrays are not supported");
        header.descr = text.str();
      } else if (key == "fortran_order") {
        header.fortranOrder = consume("True");
        order = header.fortranOrder || consume("False");
        if (!order)
          return fail("npy header: expected 'fortran_order' True or False");
      } else if (key == "shape") {
        shape = parseShape(header.shape);
        if (!shape)
          return fail("npy header: expected 'shape' to be a tuple of numbers");
      } else {
        return fail("npy header: unknown key '" + key + "'");
      }
      consume(",");
    }
    if (!descr || !order || !shape)
      return fail("npy header: expected keys 'descr', 'fortran_order' and "
                  "'shape'");
    return llvm::Error::success();
  }

private:
  bool consume(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  bool parseString(StringRef &text) {
    rest = rest.ltrim();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return false;
    size_t end = rest.find(rest.front(), 1);
    if (end == StringRef::npos)
      return false;
    text = rest.slice(1, end);
    rest = rest.substr(end + 1);
    return true;
  }

  bool parseShape(llvm::SmallVectorImpl<int64_t> &shape) {
    if (!consume("("))
      return false;
    while (!consume(")")) {
      int64_t extent;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, extent) || extent < 0)
        return false;
      rest.consume_front("L"); // Python 2 wrote long integers so
      shape.push_back(extent);
      if (!consume(",") && !rest.ltrim().starts_with(")"))
        return false;
    }
    return true;
  }

  StringRef rest;
};
} // namespace

llvm::Expected<NpyHeader> mlir::attn::run::parseNpyHeader(StringRef contents) {
  if (!contents.starts_with(kMagic) || contents.size() < 10)
    return fail("not an npy file: expected it to start with \\x93NUMPY");
  unsigned version = static_cast<uint8_t>(contents[6]);
  if (version < 1 || version > 3)
    return fail("npy version " + llvm::Twine(version) +
                " expected to be 1, 2 or 3");
  size_t start = version == 1 ? 10 : 12;
  if (contents.size() < start)
    return fail("npy file ends inside its header");
  const char *field = contents.data() + 8;
  size_t length = version == 1 ? llvm::support::endian::read16le(field)
                               : llvm::support::endian::read32le(field);
  if (contents.size() - start < length)
    return fail("npy file ends inside its header");
  NpyHeader header;
  header.offset = start + length;
  if (llvm::Error error =
          HeaderParser(contents.substr(start, length)).parse(header))
    return error;
  return header;
}

/// NumPy's spellings that hold elements of `type`; the first is written.
static llvm::ArrayRef<StringRef> getDescrs(ElementType type) {
  static constexpr StringRef kF64[] = {"<f8"}, kF32[] = {"<f4"},
                             kBF16[] = {"<u2", "<V2", "|V2"}, kF16[] = {"<f2"},
                             kI64[] = {"<i8"}, kI32[] = {"<i4"},
                             kI16[] = {"<i2"}, kI8[] = {"|i1", "<i1"},
                             kI1[] = {"|b1"};
  switch (type) {
  case ElementType::F64:
    return kF64;
  case ElementType::F32:
    return kF32;
  case ElementType::BF16:
    return kBF16;
  case ElementType::F16:
    return kF16;
  case ElementType::I64:
    return kI64;
  case ElementType::I32:
    return kI32;
  case ElementType::I16:
    return kI16;
  case ElementType::I8:
    return kI8;
  case ElementType::I1:
    return kI1;
  }
  llvm_unreachable("unknown element type");
}

llvm::Error mlir::attn::run::readNpy(StringRef contents,
                                     const HostTensor &tensor) {
  llvm::Expected<NpyHeader> header = parseNpyHeader(contents);
  if (!header)
    return header.takeError();
  llvm::ArrayRef<StringRef> descrs = getDescrs(tensor.getType());
  if (!llvm::is_contained(descrs, StringRef(header->descr)))
    return fail("npy type expected '" + llvm::join(descrs, "' or '") +
                "' for " + getName(tensor.getType()) + ", got '" +
                header->descr + "'");
  if (llvm::ArrayRef<int64_t>(header->shape) != tensor.getShape())
    return fail("npy shape expected " + formatShape(tensor.getShape()) +
                ", got " + formatShape(header->shape));
  int64_t bytes = getByteSize(tensor.getType());
  size_t expected = tensor.getNumElements() * bytes;
  if (contents.size() - header->offset < expected)
    return fail("npy file expected " + llvm::Twine(expected) +
                " bytes of elements, got " +
                llvm::Twine(contents.size() - header->offset));

  // Strides of the file, in elements.
  llvm::SmallVector<int64_t> strides(tensor.getRank());
  int64_t stride = 1;
  for (int64_t n = 0; n < tensor.getRank(); ++n) {
    int64_t dim = header->fortranOrder ? n : tensor.getRank() - 1 - n;
    strides[dim] = stride;
    stride *= tensor.getShape()[dim];
  }
  const char *source = contents.data() + header->offset;
  tensor.forEach([&](llvm::ArrayRef<int64_t> index, std::byte *address) {
    int64_t offset = 0;
    for (auto [n, stride] : llvm::zip_equal(index, strides))
      offset += n * stride;
    std::memcpy(address, source + offset * bytes, bytes);
  });
  return llvm::Error::success();
}

void mlir::attn::run::writeNpy(llvm::raw_ostream &os,
                               const HostTensor &tensor) {
  std::string text = "{'descr': '" + getDescrs(tensor.getType())[0].str() +
                     "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : tensor.getShape())
    text += std::to_string(extent) + ",";
  text += "), }";
  // NumPy aligns the elements to 64 bytes and ends the header with a newline.
  size_t preamble = kMagic.size() + 4;
  text.append(63 - (preamble + text.size()) % 64, ' ');
  text += '\n';
  char length[2];
  llvm::support::endian::write16le(length, static_cast<uint16_t>(text.size()));
  os << kMagic << '\1' << '\0' << StringRef(length, 2) << text;
  int64_t bytes = getByteSize(tensor.getType());
  tensor.forEach([&](llvm::ArrayRef<int64_t>, std::byte *address) {
    os.write(reinterpret_cast<const char *>(address), bytes);
  });
}
