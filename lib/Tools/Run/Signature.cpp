//===- Signature.cpp - What a function takes and gives -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traces the operands of attn.attention to arguments and its results to
// returns, and unites the extents that the operation makes equal.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Signature.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::run;

static constexpr StringRef kRoleNames[] = {
    "query",      "key",     "value",        "sinks",         "query ids",
    "key ids",    "prefix",  "cu_seqlens_q", "cu_seqlens_kv", "seqused_q",
    "seqused_kv", "capture", "other"};

StringRef mlir::attn::run::getName(Role role) {
  return kRoleNames[static_cast<unsigned>(role)];
}

const ArgumentInfo *Signature::findArgument(StringRef name) const {
  auto it = llvm::find_if(
      arguments, [&](const ArgumentInfo &info) { return info.name == name; });
  return it == arguments.end() ? nullptr : &*it;
}

SmallVector<int64_t> mlir::attn::run::getShape(ArrayRef<ExtentRef> extents,
                                               ArrayRef<int64_t> values) {
  return llvm::map_to_vector(extents, [&](ExtentRef extent) {
    return values[extent.symbol] + extent.offset;
  });
}

namespace {
/// A dimension of an argument or, from the number of arguments on, of a result.
using Place = std::pair<unsigned, unsigned>;

class SignatureReader {
public:
  explicit SignatureReader(func::FuncOp function) : function(function) {}

  llvm::Expected<Signature> read() {
    signature.function = function.getSymName().str();
    if (function.isExternal())
      return llvm::createStringError("function '" + signature.function +
                                     "' has no body");
    for (auto [n, argument] : llvm::enumerate(function.getArguments())) {
      ArgumentInfo info;
      auto name = function.getArgAttrOfType<StringAttr>(n, "attn.name");
      info.name = name ? name.str() : "arg" + std::to_string(n);
      if (llvm::Error error = readType(
              argument.getType(), n, "argument '" + info.name + "'", info.type))
        return std::move(error);
      signature.arguments.push_back(std::move(info));
    }
    for (auto [n, type] : llvm::enumerate(function.getResultTypes())) {
      ResultInfo info;
      if (llvm::Error error =
              readType(type, signature.arguments.size() + n,
                       "result " + std::to_string(n), info.type))
        return std::move(error);
      signature.results.push_back(std::move(info));
    }
    function.walk([&](AttentionOp op) { readAttention(op); });
    nameResults();
    numberSymbols();
    return std::move(signature);
  }

private:
  llvm::Error readType(Type type, unsigned place, const Twine &what,
                       ElementType &element) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::string text;
    llvm::raw_string_ostream os(text);
    if (!tensor) {
      os << type;
      return llvm::createStringError("function '" + signature.function +
                                     "': " + what +
                                     " expected a ranked tensor, got " + text);
    }
    os << tensor.getElementType();
    std::optional<ElementType> parsed = parseElementType(text);
    if (!parsed)
      return llvm::createStringError("function '" + signature.function +
                                     "': " + what +
                                     " expected elements of f64, f32, bf16, "
                                     "f16, i64, i32, i8 or i1, got " +
                                     text);
    element = *parsed;
    for (auto [dim, extent] : llvm::enumerate(tensor.getShape())) {
      Place key(place, dim);
      places.insert(key);
      order.push_back(key);
      if (!ShapedType::isDynamic(extent))
        constants[key] = extent;
    }
    return llvm::Error::success();
  }

  /// The argument that `value` is, seen through casts.
  std::optional<unsigned> trace(Value value) {
    while (value) {
      if (auto cast = value.getDefiningOp<tensor::CastOp>()) {
        value = cast.getSource();
        continue;
      }
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument || argument.getOwner() != &function.front())
        return std::nullopt;
      return argument.getArgNumber();
    }
    return std::nullopt;
  }

  /// The results of the function that `value` is, seen through casts.
  SmallVector<unsigned> traceForward(Value value) const {
    SmallVector<unsigned> results;
    for (OpOperand &use : value.getUses()) {
      if (auto cast = dyn_cast<tensor::CastOp>(use.getOwner()))
        llvm::append_range(results, traceForward(cast.getResult()));
      else if (isa<func::ReturnOp>(use.getOwner()))
        results.push_back(use.getOperandNumber());
    }
    return results;
  }

  /// States that dimension `dim` at `place` is the extent `name` of the current
  /// site, plus `offset`.
  void state(unsigned place, unsigned dim, StringRef name, int64_t offset = 0) {
    Place key(place, dim);
    if (!places.contains(key))
      return;
    offsets.try_emplace(key, offset);
    names.try_emplace(key, siteName(name));
    auto [it, isNew] = current.try_emplace(name, key);
    if (!isNew)
      places.unionSets(it->second, key);
  }

  std::string siteName(StringRef name) const {
    unsigned site = signature.sites.size() - 1;
    return site == 0 ? name.str() : (name + "_" + Twine(site)).str();
  }

  void readAttention(AttentionOp op) {
    unsigned number = signature.sites.size();
    signature.sites.emplace_back();
    signature.sites.back().packed = op.isPacked();
    signature.sites.back().topLeft = op.getAlignment() == Alignment::TopLeft;
    current.clear();

    auto take = [&](Value value, Role role) -> std::optional<unsigned> {
      std::optional<unsigned> argument = value ? trace(value) : std::nullopt;
      if (!argument)
        return std::nullopt;
      if (role < Role::Capture)
        signature.sites.back().arguments[static_cast<unsigned>(role)] =
            argument;
      ArgumentInfo &info = signature.arguments[*argument];
      if (!info.site) {
        info.site = number;
        info.role = role;
      }
      return argument;
    };
    auto takeDims = [&](Value value, Role role, ArrayRef<StringRef> dims,
                        int64_t offset = 0) {
      if (std::optional<unsigned> argument = take(value, role))
        for (auto [dim, name] : llvm::enumerate(dims))
          state(*argument, dim, name, offset);
    };

    bool packed = op.isPacked();
    using Dims = SmallVector<StringRef>;
    StringRef lengthQ = packed ? "total_q" : "Sq";
    StringRef lengthKv = packed ? "total_kv" : "Skv";
    auto tensorDims = [&](StringRef heads, StringRef length, StringRef last) {
      return packed ? Dims{length, heads, last}
                    : Dims{"B", heads, length, last};
    };
    takeDims(op.getQ(), Role::Query, tensorDims("Hq", lengthQ, "D"));
    takeDims(op.getK(), Role::Key, tensorDims("Hkv", lengthKv, "D"));
    takeDims(op.getV(), Role::Value, tensorDims("Hkv", lengthKv, "Dv"));
    takeDims(op.getSinks(), Role::Sinks, {"Hq"});
    takeDims(op.getPrefix(), Role::Prefix, {"B"});
    takeDims(op.getSequsedQ(), Role::SequsedQ, {"B"});
    takeDims(op.getSequsedKv(), Role::SequsedKv, {"B"});
    takeDims(op.getCuSeqlensQ(), Role::CuSeqlensQ, {"B"}, 1);
    takeDims(op.getCuSeqlensKv(), Role::CuSeqlensKv, {"B"}, 1);
    StringRef idRows = packed ? "one" : "B";
    takeDims(op.getQIds(), Role::QueryIds, {idRows, lengthQ});
    takeDims(op.getKvIds(), Role::KeyIds, {idRows, lengthKv});

    StringRef domain[] = {packed ? "" : "B", "Hq", lengthQ, lengthKv};
    auto takeCaptures = [&](ValueRange captures, ArrayAttr maps) {
      for (auto [capture, map] : llvm::zip(captures, maps)) {
        std::optional<unsigned> argument = take(capture, Role::Capture);
        if (!argument)
          continue;
        AffineMap affine = cast<AffineMapAttr>(map).getValue();
        for (auto [axis, expr] : llvm::enumerate(affine.getResults()))
          if (auto dim = dyn_cast<AffineDimExpr>(expr))
            if (StringRef name = domain[dim.getPosition()]; !name.empty())
              state(*argument, axis, name);
      }
    };
    if (op.getScoreMaps())
      takeCaptures(op.getScoreCaptures(), *op.getScoreMaps());
    if (op.getMaskMaps())
      takeCaptures(op.getMaskCaptures(), *op.getMaskMaps());

    unsigned numArguments = signature.arguments.size();
    auto give = [&](Value value, Rule rule, ArrayRef<StringRef> dims) {
      if (!value)
        return;
      for (unsigned result : traceForward(value)) {
        signature.results[result].rule = rule;
        signature.results[result].name =
            rule == Rule::LogSumExp ? "lse" : "out";
        for (auto [dim, name] : llvm::enumerate(dims))
          state(numArguments + result, dim, name);
      }
    };
    give(op.getOut(), Rule::Value, tensorDims("Hq", lengthQ, "Dv"));
    give(op.getLse(), Rule::LogSumExp,
         packed ? Dims{"Hq", lengthQ} : Dims{"B", "Hq", lengthQ});
  }

  /// Gives every result a name of its own.
  void nameResults() {
    llvm::StringMap<unsigned> counts;
    for (auto [n, info] : llvm::enumerate(signature.results)) {
      if (auto name = function.getResultAttrOfType<StringAttr>(n, "attn.name"))
        info.name = name.str();
      else if (info.name.empty())
        info.name = "result";
      ++counts[info.name];
    }
    llvm::StringMap<unsigned> seen;
    for (ResultInfo &info : signature.results)
      if (std::string base = info.name; counts[base] > 1)
        info.name = base + std::to_string(seen[base]++);
  }

  void numberSymbols() {
    // By leader of the class: its number.
    llvm::MapVector<Place, unsigned> numbers;
    unsigned numArguments = signature.arguments.size();
    for (Place key : order) {
      Place leader = places.getLeaderValue(key);
      auto [it, isNew] = numbers.insert({leader, signature.symbols.size()});
      if (isNew)
        signature.symbols.emplace_back();
      Symbol &symbol = signature.symbols[it->second];
      auto added = offsets.find(key);
      int64_t offset = added == offsets.end() ? 0 : added->second;
      if (auto name = names.find(key); name != names.end())
        if (symbol.name.empty())
          symbol.name = name->second;
      if (auto constant = constants.find(key); constant != constants.end())
        symbol.value = constant->second - offset;
      ExtentRef extent{it->second, offset};
      if (key.first < numArguments)
        signature.arguments[key.first].extents.push_back(extent);
      else
        signature.results[key.first - numArguments].extents.push_back(extent);
    }
    for (Place key : order) {
      Symbol &symbol =
          signature.symbols[numbers.lookup(places.getLeaderValue(key))];
      if (!symbol.name.empty())
        continue;
      const std::string &owner =
          key.first < numArguments
              ? signature.arguments[key.first].name
              : signature.results[key.first - numArguments].name;
      symbol.name = owner + "." + std::to_string(key.second);
    }
  }

  func::FuncOp function;
  Signature signature;
  llvm::EquivalenceClasses<Place> places;
  /// All places, arguments first.
  std::vector<Place> order;
  std::map<Place, int64_t> constants;
  /// What a place adds to its symbol, where that is not 0.
  std::map<Place, int64_t> offsets;
  std::map<Place, std::string> names;
  /// Extents named by the attention being read.
  llvm::StringMap<Place> current;
};
} // namespace

llvm::Expected<Signature>
mlir::attn::run::readSignature(func::FuncOp function) {
  return SignatureReader(function).read();
}
