//===- CopiesToNVVM.cpp - Reads and writes to NVVM ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads by all threads of a block and writes by those of a warpgroup. No branch
// depends on the thread: accesses are predicated.
//
//===----------------------------------------------------------------------===//

#include "NVVMBuilder.h"
#include "Patterns.h"
#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using Predicate = arith::CmpIPredicate;

namespace {
/// A box of rows and columns in a tensor, and how much of it exists.
class Box {
public:
  /// `columns`: extent of the box along the last dimension.
  Box(NVVMBuilder &b, const TensorView &tensor, ArrayRef<Value> offsets,
      int64_t rowDim, int64_t columns)
      : b(b), tensor(tensor), rowDim(rowDim) {
    elementBytes = tensor.getType().getElementTypeBitWidth() / 8;
    int64_t lastDim = tensor.getType().getRank() - 1;
    for (Value offset : offsets)
      at.push_back(b.toI64(offset));
    exists = b.i1(true);
    Value origin = at[lastDim];
    for (int64_t dim = 0; dim < lastDim; ++dim) {
      origin = b.add(origin, b.mul(at[dim], tensor.getStride(dim)));
      if (dim != rowDim)
        exists = b.bitAnd(
            exists, b.cmp(Predicate::ult, at[dim], tensor.getExtent(dim)));
    }
    start = b.offset(tensor.getPointer(), b.mul(origin, elementBytes));
    rowBytes = b.mul(tensor.getStride(rowDim), elementBytes);
    // Columns [begin, end) of the box exist.
    Value before = b.sub(b.i64(0), at[lastDim]);
    Value after = b.sub(tensor.getExtent(lastDim), at[lastDim]);
    begin = b.toI32(b.clamp(before, columns));
    end = b.toI32(b.clamp(after, columns));
  }

  /// Whether the box's rows start at multiples of `size` elements' bytes, a
  /// power of two, and no `size` elements lie across the tensor's edge. The
  /// same for all threads.
  Value isAligned(int64_t size) {
    Value address = b.address(start, b.getI64Type());
    Value bits = b.bitAnd(b.bitOr(address, rowBytes), size * elementBytes - 1);
    Value edges = b.bitAnd(b.bitOr(begin, end), size - 1);
    Value startsAligned = b.cmp(Predicate::eq, bits, 0);
    Value endsAligned = b.cmp(Predicate::eq, edges, 0);
    return b.bitAnd(startsAligned, endsAligned);
  }

  /// Whether row `row` (i32) of the box exists.
  Value hasRow(Value row) {
    Value inTensor = b.add(at[rowDim], b.toI64(row));
    return b.bitAnd(exists,
                    b.cmp(Predicate::ult, inTensor, tensor.getExtent(rowDim)));
  }

  /// Whether column `column` (i32) of the box exists.
  Value hasColumn(Value column) {
    Value afterBegin = b.cmp(Predicate::sge, column, begin);
    Value beforeEnd = b.cmp(Predicate::slt, column, end);
    return b.bitAnd(afterBegin, beforeEnd);
  }

  /// Where the element at `row`, `column` (i32) stands, if it exists.
  Value getPointer(Value row, Value column) {
    Value toRow = b.mul(b.toI64(row), rowBytes);
    Value inRow = b.toI64(b.mul(column, elementBytes));
    return b.offset(start, b.add(toRow, inRow));
  }

  int64_t getElementBytes() const { return elementBytes; }

private:
  NVVMBuilder &b;
  const TensorView &tensor;
  int64_t rowDim, elementBytes;
  SmallVector<Value> at; // i64
  Value exists;          // i1: dimensions other than rows and columns
  Value start, rowBytes; // pointer to (0, 0), i64
  Value begin, end;      // i32
};

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// Copies a tile's chunks of 16 bytes, each by one thread.
class TileReader {
public:
  TileReader(NVVMBuilder &b, TileLayout tile, Box &box, Value buffer,
             int64_t threads)
      : b(b), tile(tile), box(box), buffer(buffer), threads(threads),
        chunks(tile.getRows() * tile.getRowChunks()) {}

  /// Emits the copy; `wide`: whole chunks exist, or nothing of them, and are
  /// aligned.
  void emit(bool wide) {
    int64_t rounds = llvm::divideCeil(chunks, threads);
    int64_t inFlight = std::min(rounds, wide ? kWideLoads : 1);
    if (rounds == inFlight)
      return emitRounds(b.i32(0), inFlight, wide);
    Value first = b.i32(0), end = b.i32(rounds), step = b.i32(inFlight);
    auto loop = scf::ForOp::create(b, first, end, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitRounds(loop.getInductionVar(), inFlight, wide);
  }

private:
  /// Loads of 16 bytes that a thread has under way at once.
  static constexpr int64_t kWideLoads = 8;

  /// Rounds `first` .. `first + count - 1`: all loads, then all stores.
  void emitRounds(Value first, int64_t count, bool wide) {
    struct Chunk {
      Value place, exists, data;
    };
    SmallVector<Chunk> loaded;
    for (int64_t round = 0; round < count; ++round) {
      Value index = b.mul(b.add(first, round), threads);
      index = b.add(index, b.getThread());
      Chunk chunk;
      if (chunks % (threads * count) != 0)
        chunk.exists = b.cmp(Predicate::ult, index, chunks);
      Value row = b.divU(index, tile.getRowChunks());
      Value inRow = b.remU(index, tile.getRowChunks());
      Value hasRow = box.hasRow(row);
      if (chunk.exists)
        hasRow = b.bitAnd(hasRow, chunk.exists);
      Value column = b.mul(inRow, TileLayout::kChunkColumns);
      chunk.data = wide ? loadWide(row, column, hasRow)
                        : loadElements(row, column, hasRow);
      chunk.place = getPlace(row, inRow);
      loaded.push_back(chunk);
    }
    for (const Chunk &chunk : loaded)
      store(chunk.place, chunk.data, chunk.exists);
  }

  /// As TileLayout::getChunkOffset.
  Value getPlace(Value row, Value chunk) {
    Value place = b.remU(b.bitXor(chunk, row), TileLayout::kPanelChunks);
    Value panel = b.divU(chunk, TileLayout::kPanelChunks);
    Value toPanel = b.mul(panel, tile.getPanelBytes());
    Value toRow = b.mul(row, TileType::kPanelRowBytes);
    Value inRow = b.mul(place, TileLayout::kChunkBytes);
    Value bytes = b.add(toPanel, b.add(toRow, inRow));
    return b.offset(buffer, bytes);
  }

  Value loadWide(Value row, Value column, Value hasRow) {
    InlinePTX code;
    code.results.assign(4, b.getI32Type());
    code.inputs = {box.getPointer(row, column),
                   b.bitAnd(hasRow, box.hasColumn(column))};
    code.text = llvm::formatv(
        "mov.b32 $0, 0;\nmov.b32 $1, 0;\nmov.b32 $2, 0;\nmov.b32 $3, 0;\n"
        "@{1} ld.global.v4.b32 {{$0, $1, $2, $3}, [{0}];",
        code.input(0), code.input(1));
    return b.pack(b.ptx(code), VectorType::get({4}, b.getI32Type()));
  }

  Value loadElements(Value row, Value column, Value hasRow) {
    SmallVector<Value> elements;
    for (int64_t i = 0; i < TileLayout::kChunkColumns; ++i) {
      Value at = b.add(column, i);
      InlinePTX code;
      code.results = {b.getI16Type()};
      code.inputs = {box.getPointer(row, at),
                     b.bitAnd(hasRow, box.hasColumn(at))};
      code.text = llvm::formatv("mov.b16 $0, 0;\n@{1} ld.global.b16 $0, [{0}];",
                                code.input(0), code.input(1));
      llvm::append_range(elements, b.ptx(code));
    }
    Value halves = b.pack(elements, VectorType::get({8}, b.getI16Type()));
    return vector::BitCastOp::create(b, VectorType::get({4}, b.getI32Type()),
                                     halves);
  }

  void store(Value place, Value data, Value exists) {
    if (!exists) {
      LLVM::StoreOp::create(b, data, place,
                            /*alignment=*/TileLayout::kChunkBytes);
      return;
    }
    InlinePTX code;
    code.inputs = {place, exists};
    llvm::append_range(code.inputs, b.unpack(data));
    code.text =
        llvm::formatv("@{1} st.shared.v4.b32 [{0}], {{{2}, {3}, {4}, {5}};",
                      code.input(0), code.input(1), code.input(2),
                      code.input(3), code.input(4), code.input(5));
    b.ptx(code);
  }

  NVVMBuilder &b;
  TileLayout tile;
  Box &box;
  Value buffer;
  int64_t threads, chunks;
};

/// Emits both sides of a branch that all threads take alike.
void emitUniformBranch(NVVMBuilder &b, Value condition,
                       llvm::function_ref<void(bool)> emit) {
  auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emit(true);
  b.setInsertionPointToStart(branch.elseBlock());
  emit(false);
}

/// The operands of `offsets` that stay one value each.
SmallVector<Value> getSingle(ArrayRef<ValueRange> offsets) {
  return llvm::map_to_vector(offsets,
                             [](ValueRange values) { return values.front(); });
}

struct ReadLowering : OpConversionPattern<ReadOp> {
  ReadLowering(const TypeConverter &converter, MLIRContext *context,
               const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(ReadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    const ReadPlan &read = plan.getRead(op);
    TileLayout tile(op.getTile().getType());
    TensorView tensor(b, op.getSource().getType(), adaptor.getSource());
    Box box(b, tensor, getSingle(adaptor.getOffsets()), op.getRowDimension(),
            tile.getColumns());
    Value buffer = b.sharedMemory(read.offset);

    if (read.barrierBefore)
      NVVM::Barrier0Op::create(b);
    TileReader reader(b, tile, box, buffer, plan.getThreads());
    emitUniformBranch(b, box.isAligned(TileLayout::kChunkColumns),
                      [&](bool wide) { reader.emit(wide); });
    if (read.barrierAfter) {
      // Matrix instructions read shared memory through another proxy (PTX ISA,
      // async proxy).
      NVVM::FenceProxyOp::create(
          b, NVVM::ProxyKind::async_shared,
          NVVM::SharedSpaceAttr::get(getContext(),
                                     NVVM::SharedSpace::shared_cta));
      NVVM::Barrier0Op::create(b);
    }
    rewriter.replaceOp(op, buffer);
    return success();
  }

  const KernelPlan &plan;
};

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

struct WriteLowering : OpConversionPattern<WriteOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(WriteOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    auto type = cast<VectorType>(op.getValue().getType());
    RegisterLayout layout(type);
    TensorView tensor(b, op.getDestination().getType(),
                      adaptor.getDestination());
    Box box(b, tensor, getSingle(adaptor.getOffsets()), op.getRowDimension(),
            type.getDimSize(1));
    Value value = adaptor.getValue().front();
    int64_t elementBits = 8 * box.getElementBytes();
    SmallVector<Value> elements = b.unpack(vector::BitCastOp::create(
        b,
        VectorType::get({layout.getNumElements()},
                        b.getIntegerType(elementBits)),
        value));

    bool isFragment = getLayout(type) == Layout::Fragment;
    Value column = isFragment ? b.getFragmentColumn() : b.i32(0);
    SmallVector<Value> rowExists, rowPointers;
    for (int64_t i = 0; i < 2; ++i) {
      Value row = b.add(b.getFragmentRow(), 8 * i);
      rowPointers.push_back(box.getPointer(row, column));
      rowExists.push_back(box.hasRow(row));
      // One lane of a quad stores what all of them hold.
      if (!isFragment)
        rowExists[i] = b.bitAnd(
            rowExists[i], b.cmp(Predicate::eq, b.remU(b.getThread(), 4), 0));
    }

    // Stores `element`, or the two that begin there, neighbours in one row.
    auto store = [&](int64_t element, ArrayRef<Value> bits) {
      Position at = layout.getPosition(0, element);
      int64_t row = at.row / 8;
      InlinePTX code;
      code.inputs = {
          rowPointers[row],
          b.bitAnd(rowExists[row], box.hasColumn(b.add(column, at.column)))};
      llvm::append_range(code.inputs, bits);
      std::string source = code.input(2);
      if (bits.size() == 2)
        source = "{" + source + ", " + code.input(3) + "}";
      code.text = llvm::formatv("@{0} st.global{1}.b{2} [{3}+{4}], {5};",
                                code.input(1), bits.size() == 2 ? ".v2" : "",
                                bits.front().getType().getIntOrFloatBitWidth(),
                                code.input(0),
                                at.column * box.getElementBytes(), source);
      b.ptx(code);
    };
    if (!isFragment) {
      store(0, elements[0]);
      store(1, elements[1]);
      rewriter.eraseOp(op);
      return success();
    }
    emitUniformBranch(b, box.isAligned(2), [&](bool pairs) {
      if (!pairs) {
        for (auto [i, element] : llvm::enumerate(elements))
          store(i, element);
        return;
      }
      SmallVector<Value> packed;
      if (elementBits == 16)
        packed = b.unpackPairs(value);
      for (size_t i = 0; i < elements.size(); i += 2)
        store(i, packed.empty() ? ArrayRef(elements).slice(i, 2)
                                : ArrayRef(packed).slice(i / 2, 1));
    });
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void attn::populateCopyPatterns(const TypeConverter &converter,
                                const KernelPlan &plan,
                                RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ReadLowering>(converter, context, plan);
  patterns.add<WriteLowering>(converter, context);
}
