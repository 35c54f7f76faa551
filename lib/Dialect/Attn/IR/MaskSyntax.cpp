//===- MaskSyntax.cpp - Mask attributes as text ---------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses and prints mask attributes. By hand, because masks are what people
// write: an error says what the mask takes, and nothing after it is overlooked.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// Reads one mask. `syntax` is how it is written, for errors.
class MaskParser {
public:
  MaskParser(AsmParser &parser, StringRef syntax)
      : parser(parser), syntax(syntax), location(parser.getCurrentLocation()) {}

  SMLoc getLocation() const { return location; }

  /// An error where the parser stands.
  ParseResult fail(const Twine &problem) {
    return parser.emitError(parser.getCurrentLocation())
           << problem << "; expected " << syntax;
  }

  Attribute reject(const Twine &problem) {
    (void)fail(problem);
    return {};
  }

  ParseResult parseOpen() {
    return succeeded(parser.parseOptionalLess())
               ? success()
               : fail("a mask without its parameters");
  }

  ParseResult parseClose() {
    return succeeded(parser.parseOptionalGreater())
               ? success()
               : fail("more than the mask takes");
  }

  /// A number. `name`: what it is for.
  ParseResult parseNumber(StringRef name, int64_t &number) {
    SMLoc start = parser.getCurrentLocation();
    // MLIR would read 'true' as -1.
    if (StringRef word; succeeded(parser.parseOptionalKeyword(&word)))
      return parser.emitError(start) << "'" << name << "' has no number, got '"
                                     << word << "'; expected " << syntax;
    OptionalParseResult result = parser.parseOptionalInteger(number);
    return result.has_value() ? *result : fail("'" + name + "' has no number");
  }

  /// That nothing follows which seems to belong to the mask.
  ParseResult parseNothing() {
    return succeeded(parser.parseOptionalLess())
               ? fail("a mask that takes no parameters has some")
               : success();
  }

private:
  AsmParser &parser;
  StringRef syntax;
  SMLoc location;
};

/// A mask that is a name alone.
template <typename Mask>
Attribute parseName(AsmParser &parser) {
  std::string syntax = ("#attn." + Mask::getMnemonic() + " alone").str();
  if (MaskParser(parser, syntax).parseNothing())
    return {};
  return Mask::get(parser.getContext());
}

/// A mask of one number.
template <typename Mask>
Attribute parseSize(AsmParser &parser) {
  std::string syntax =
      ("a number, as in #attn." + Mask::getMnemonic() + "<16>").str();
  MaskParser mask(parser, syntax);
  int64_t size = 0;
  if (mask.parseOpen() || mask.parseNumber("size", size) || mask.parseClose())
    return {};
  return parser.getChecked<Mask>(mask.getLocation(), parser.getContext(), size);
}

/// A mask made of others.
template <typename Mask>
Attribute parseParts(AsmParser &parser) {
  std::string name = ("#attn." + Mask::getMnemonic()).str();
  std::string syntax =
      "masks, as in " + name + "<#attn.causal, #attn.window<left = 8>>";
  MaskParser mask(parser, syntax);
  SmallVector<Attribute> parts;
  if (mask.parseOpen())
    return {};
  if (failed(parser.parseOptionalGreater())) {
    do {
      OptionalParseResult part =
          parser.parseOptionalAttribute(parts.emplace_back());
      if (!part.has_value())
        return mask.reject("a part that is no attribute");
      if (failed(*part))
        return {};
    } while (succeeded(parser.parseOptionalComma()));
    if (mask.parseClose())
      return {};
  }
  return parser.getChecked<Mask>(mask.getLocation(), parser.getContext(),
                                 ArrayRef(parts));
}
} // namespace

//===----------------------------------------------------------------------===//
// Masks of operations
//===----------------------------------------------------------------------===//

ParseResult attn::parseMask(OpAsmParser &parser, Attribute &mask) {
  SMLoc start = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalAttribute(mask);
  if (!parsed.has_value()) {
    StringRef word;
    InFlightDiagnostic diag = parser.emitError(start)
                              << "'mask' expected a mask";
    if (succeeded(parser.parseOptionalKeyword(&word)))
      return diag << ", as in mask(#attn.causal), got '" << word
                  << "' without '#attn.' in front";
    return diag << ", as in mask(#attn.causal)";
  }
  if (failed(*parsed))
    return failure();
  if (succeeded(parser.parseOptionalComma()))
    return parser.emitError(start)
           << "'mask' expected one mask, got several; write "
              "#attn.and<A, B> for what both let a query see, #attn.or<A, B> "
              "for what either does";
  return success();
}

void attn::printMask(OpAsmPrinter &printer, Operation *, Attribute mask) {
  printer << mask;
}

//===----------------------------------------------------------------------===//
// Masks without parameters
//===----------------------------------------------------------------------===//

Attribute CausalAttr::parse(AsmParser &parser, Type) {
  return parseName<CausalAttr>(parser);
}
void CausalAttr::print(AsmPrinter &) const {}

Attribute DocumentsAttr::parse(AsmParser &parser, Type) {
  return parseName<DocumentsAttr>(parser);
}
void DocumentsAttr::print(AsmPrinter &) const {}

Attribute RegionMaskAttr::parse(AsmParser &parser, Type) {
  return parseName<RegionMaskAttr>(parser);
}
void RegionMaskAttr::print(AsmPrinter &) const {}

//===----------------------------------------------------------------------===//
// Masks with numbers
//===----------------------------------------------------------------------===//

Attribute WindowAttr::parse(AsmParser &parser, Type) {
  MaskParser mask(parser,
                  "left = N, right = N or both, as in #attn.window<left "
                  "= 1023, right = 0>");
  std::optional<int64_t> left, right;
  if (mask.parseOpen())
    return {};
  if (failed(parser.parseOptionalGreater())) {
    do {
      StringRef name;
      if (failed(parser.parseOptionalKeyword(&name)))
        return mask.reject("a side without a name");
      std::optional<int64_t> &side = name == "left" ? left : right;
      if (name != "left" && name != "right")
        return mask.reject("a window has no '" + name + "'");
      if (side)
        return mask.reject("'" + name + "' is given twice");
      if (failed(parser.parseOptionalEqual()))
        return mask.reject("'" + name + "' has no number");
      if (mask.parseNumber(name, side.emplace()))
        return {};
    } while (succeeded(parser.parseOptionalComma()));
    if (mask.parseClose())
      return {};
  }
  return parser.getChecked<WindowAttr>(mask.getLocation(), parser.getContext(),
                                       left, right);
}

void WindowAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (getLeft())
    printer << "left = " << *getLeft() << (getRight() ? ", " : "");
  if (getRight())
    printer << "right = " << *getRight();
  printer << '>';
}

Attribute WindowSizeAttr::parse(AsmParser &parser, Type) {
  return parseSize<WindowSizeAttr>(parser);
}
void WindowSizeAttr::print(AsmPrinter &printer) const {
  printer << '<' << getSize() << '>';
}

Attribute ChunkedAttr::parse(AsmParser &parser, Type) {
  return parseSize<ChunkedAttr>(parser);
}
void ChunkedAttr::print(AsmPrinter &printer) const {
  printer << '<' << getSize() << '>';
}

Attribute PrefixAttr::parse(AsmParser &parser, Type) {
  MaskParser mask(parser, "a number, as in #attn.prefix<16>, or #attn.prefix "
                          "alone for the operand 'prefix'");
  std::optional<int64_t> length;
  if (succeeded(parser.parseOptionalLess()) &&
      (mask.parseNumber("length", length.emplace()) || mask.parseClose()))
    return {};
  return parser.getChecked<PrefixAttr>(mask.getLocation(), parser.getContext(),
                                       length);
}
void PrefixAttr::print(AsmPrinter &printer) const {
  if (getLength())
    printer << '<' << *getLength() << '>';
}

//===----------------------------------------------------------------------===//
// Masks of masks
//===----------------------------------------------------------------------===//

Attribute AndAttr::parse(AsmParser &parser, Type) {
  return parseParts<AndAttr>(parser);
}
void AndAttr::print(AsmPrinter &printer) const {
  printer << '<' << getParts() << '>';
}

Attribute OrAttr::parse(AsmParser &parser, Type) {
  return parseParts<OrAttr>(parser);
}
void OrAttr::print(AsmPrinter &printer) const {
  printer << '<' << getParts() << '>';
}
