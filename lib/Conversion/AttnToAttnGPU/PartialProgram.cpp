//===- PartialProgram.cpp - attn.partial on fragments ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two products and the online softmax between them, for one warpgroup and one
// key tile.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "attn/Dialect/Attn/Utils/MaskEvaluation.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::detail;

void attn::detail::findUnsupported(PartialOp op,
                                   SmallVectorImpl<std::string> &reasons) {
  auto describe = [](Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  };
  auto acc = cast<RankedTensorType>(op.getAcc().getType());
  auto q = cast<RankedTensorType>(op.getQ().getType());
  auto k = cast<RankedTensorType>(op.getK().getType());
  if (!q.getElementType().isBF16() && !q.getElementType().isF16())
    reasons.push_back("'q', 'k', 'v': expected bf16 or f16, got " +
                      describe(q.getElementType()));
  for (auto [name, extent] :
       {std::pair("'q', 'k': head dimension", k.getShape().back()),
        std::pair("'v': head dimension", acc.getShape().back())})
    if (!llvm::is_contained({64, 128, 256}, extent))
      reasons.push_back(std::string(name) + " expected 64, 128 or 256, got " +
                        std::to_string(extent));
  int64_t rows = acc.getDimSize(PartialOp::Query);
  if (acc.getDimSize(0) != 1 || acc.getDimSize(1) != 1 ||
      acc.getDimSize(2) != 1 || !acc.hasStaticShape() || rows % 64 != 0)
    reasons.push_back("state: expected tiles of one head with rows in "
                      "multiples of 64, got " +
                      describe(acc));
  // A product contracts over keys in steps of 16, and has up to 256 columns.
  int64_t keys =
      k.getDimSize(*PartialOp::getAxis(op.getKMap(), PartialOp::Key));
  if (ShapedType::isDynamic(keys) || keys % 16 != 0 || keys > 256)
    reasons.push_back("'k', 'v': expected tiles of keys in multiples of 16, at "
                      "most 256, got " +
                      describe(k));
  if (!op.getScore().empty())
    reasons.push_back("score region: expected none");
  MaskNeeds needs = getMaskNeeds(op.getMaskAttr());
  if (needs.region)
    reasons.push_back("mask region: expected masks given as attributes");
  if (needs.documents)
    reasons.push_back("#attn.documents: expected masks without operands");
  if (needs.prefixOperand)
    reasons.push_back("#attn.prefix: expected a constant length");
  for (auto [name, map, dim] :
       {std::tuple("'q'", op.getQMap(), unsigned(PartialOp::Query)),
        std::tuple("'k'", op.getKMap(), unsigned(PartialOp::Key)),
        std::tuple("'v'", op.getVMap(), unsigned(PartialOp::Key))}) {
    unsigned last = dim == PartialOp::Query || name[1] == 'k'
                        ? PartialOp::HeadDim
                        : PartialOp::ValueDim;
    if (PartialOp::getAxis(map, last) != map.getNumResults() - 1)
      reasons.push_back(std::string(name) +
                        ": expected the head dimension to be the last");
  }
}

FailureOr<Value> TileProgram::readQueries(PartialOp op) {
  Location loc = op.getLoc();
  FailureOr<GlobalView> view = trace(op.getQ());
  if (failed(view))
    return op.emitOpError("'q' expected a slice of a tensor in memory");
  auto acc = cast<RankedTensorType>(op.getAcc().getType());
  int64_t rows = acc.getDimSize(PartialOp::Query);
  int64_t columns =
      cast<RankedTensorType>(op.getQ().getType()).getShape().back();
  Value tile =
      readTile(loc, *view, *PartialOp::getAxis(op.getQMap(), PartialOp::Query),
               rows, columns);
  constexpr int64_t mine = attn_gpu::AttnGPUDialect::kFragmentRows;
  Type element = cast<attn_gpu::TileType>(tile.getType()).getElementType();
  if (rows != mine)
    tile = attn_gpu::SubtileOp::create(
        b, loc,
        attn_gpu::TileType::get(b.getContext(), mine, columns, element, rows),
        tile, getWarpgroupRow(loc));
  if (options.queriesInRegisters ||
      (schedule && schedule.getQueriesInRegisters()))
    tile = attn_gpu::LoadFragmentOp::create(
        b, loc, VectorType::get({mine, columns}, element), tile);
  return tile;
}

Value TileProgram::hide(PartialOp op, Value scores) {
  Location loc = op.getLoc();
  auto type = cast<VectorType>(scores.getType());
  int64_t rows = type.getDimSize(0), keys = type.getDimSize(1);
  Type i32 = b.getI32Type();
  auto position = [&](Value first, ArrayRef<int64_t> shape) -> Value {
    Value numbers =
        attn_gpu::IotaOp::create(b, loc, VectorType::get(shape, i32));
    Value start = arith::IndexCastOp::create(b, loc, i32, first);
    // Positions are below 2^30.
    return arith::AddIOp::create(b, loc, broadcast(loc, start, shape), numbers,
                                 arith::IntegerOverflowFlags::nsw);
  };
  Value visible;
  // A condition may be one on keys alone.
  auto require = [&](Value condition) {
    condition = broadcast(loc, condition, {rows, keys});
    visible =
        visible ? arith::AndIOp::create(b, loc, visible, condition).getResult()
                : condition;
  };
  if (Attribute mask = op.getMaskAttr()) {
    Value row = arith::AddIOp::create(b, loc, mapping.lookup(op.getOrigin()[3]),
                                      getWarpgroupRow(loc));
    QueryKey at;
    at.queryPosition = position(row, {rows, 1});
    at.keyPosition = position(mapping.lookup(op.getOrigin()[4]), {1, keys});
    require(buildIsVisible(b, loc, mask, at, op.getVisible(), {}));
  }
  if (op.getValid()) {
    Value number =
        attn_gpu::IotaOp::create(b, loc, VectorType::get({1, keys}, i32));
    Value valid =
        arith::IndexCastOp::create(b, loc, i32, mapping.lookup(op.getValid()));
    Value exists =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, number,
                              broadcast(loc, valid, {1, keys}));
    require(exists);
  }
  if (!visible)
    return scores;
  ElementBuilder e(b, loc);
  return e.select(visible, scores, e.infinity(/*negative=*/true, scores));
}

LogicalResult TileProgram::convertPartial(PartialOp op) {
  Location loc = op.getLoc();
  FailureOr<GlobalView> kView = trace(op.getK()), vView = trace(op.getV());
  if (failed(kView) || failed(vView))
    return op.emitOpError() << (failed(kView) ? "'k'" : "'v'")
                            << " expected a slice of a tensor in memory";
  auto k = cast<RankedTensorType>(op.getK().getType());
  auto v = cast<RankedTensorType>(op.getV().getType());
  unsigned kRows = *PartialOp::getAxis(op.getKMap(), PartialOp::Key);
  unsigned vRows = *PartialOp::getAxis(op.getVMap(), PartialOp::Key);
  int64_t keys = k.getDimSize(kRows);
  Value kTile = readTile(loc, *kView, kRows, keys, k.getShape().back());
  Value vTile = readTile(loc, *vView, vRows, keys, v.getShape().back());

  auto product = [&](Value a, Value tile, Value acc, int64_t columns,
                     bool transposed) -> Value {
    auto type = VectorType::get(
        {attn_gpu::AttnGPUDialect::kFragmentRows, columns}, b.getF32Type());
    Value started = attn_gpu::MmaOp::create(
        b, loc, attn_gpu::InFlightType::get(b.getContext(), type), a, tile, acc,
        /*transpose_a=*/false, transposed);
    return attn_gpu::MmaWaitOp::create(b, loc, type, started);
  };
  Value scores = product(queries, kTile, {}, keys, /*transposed=*/true);
  if (op.getMasked() && op.hidesKeys()) {
    auto branch = scf::IfOp::create(
        b, loc, mapping.lookup(op.getMasked()),
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, hide(op, scores));
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, scores); });
    scores = branch.getResult(0);
  } else if (op.hidesKeys()) {
    scores = hide(op, scores);
  }

  Value m = mapping.lookup(op.getM()), l = mapping.lookup(op.getL());
  Value acc = mapping.lookup(op.getAcc());
  auto rowType = cast<VectorType>(m.getType());
  auto partialType = cast<VectorType>(l.getType());
  auto accType = cast<VectorType>(acc.getType());
  auto scoreType = cast<VectorType>(scores.getType());
  auto reduce = [&](vector::CombiningKind kind, Value x, Type type) -> Value {
    return attn_gpu::RowReduceOp::create(b, loc, type, kind, x);
  };
  // Scale and log2(e) join in the one rounding of the exponent, where the
  // maximum has been taken off.
  ElementBuilder e(b, loc);
  double factor = op.getScale().convertToDouble() * kLog2E;
  Value greatest = reduce(vector::CombiningKind::MAXNUMF, scores, rowType);
  double slack = options.rescaleSlack;
  if (slack < 0 && !(schedule && schedule.getLazyRescale()))
    slack = 0;
  if (slack < 0)
    slack = k.getElementType().isF16() ? 4 : 8;
  Value newM = e.raise(m, e.mul(greatest, e.constant(factor, greatest)), slack);
  Value base = e.finiteOrZero(newM);
  Value rescale = e.rescale(m, newM);
  Value factors = e.constant(factor, scores);
  Value minusBase = broadcast(loc, e.neg(base), scoreType.getShape());
  Value weights = e.weigh(scores, factors, minusBase);
  Value sum = reduce(vector::CombiningKind::ADD, weights, partialType);
  if (schedule && schedule.getEarlyWeights())
    attn_gpu::MakeNowOp::create(b, loc, sum);
  Value newL = e.fma(l, broadcast(loc, rescale, partialType.getShape()), sum);
  Value scaled = attn_gpu::ScaleRowsOp::create(b, loc, acc, rescale,
                                               /*always=*/slack == 0);
  Value rounded = arith::TruncFOp::create(
      b, loc, scoreType.clone(k.getElementType()), weights);
  Value newAcc = product(rounded, vTile, scaled, accType.getDimSize(1),
                         /*transposed=*/false);
  mapping.map(op.getNewM(), newM);
  mapping.map(op.getNewL(), newL);
  mapping.map(op.getNewAcc(), newAcc);
  return success();
}
