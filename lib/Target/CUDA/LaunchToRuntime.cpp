//===- LaunchToRuntime.cpp - Launches to calls of the runtime -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the parameters of a launch as the kernel wants them, and calls.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Cuda.h"
#include "attn/Conversion/HostABI/HostSignature.h"
#include "attn/Conversion/HostABI/ModuleBuilder.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Target/CUDA/Passes.h"
#include "attn/Target/Manifest/Manifest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <cstddef>

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNGPULAUNCHTORUNTIMEPASS
#include "attn/Target/CUDA/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Mirrors AttnRtKernelImage and AttnRtCubin.
LLVM::GlobalOp emitImage(ModuleBuilder &module, attn_gpu::ImageOp image) {
  MLIRContext *context = image.getContext();
  Location loc = image.getLoc();
  Builder types(context);
  Type ptr = LLVM::LLVMPointerType::get(context), i32 = types.getI32Type(),
       i64 = types.getI64Type();
  std::string name = ("__attn_" + image.getSymName()).str();
  int64_t capability = image.getCapability();
  bool exact = image.getChip().ends_with("a");

  LLVM::GlobalOp symbol =
      module.createString(loc, image.getSymName(), name + "_name");
  LLVM::GlobalOp ptx = module.createString(loc, image.getPtx(), name + "_ptx");
  LLVM::GlobalOp cubins;
  if (image.getCubin()) {
    LLVM::GlobalOp code =
        module.createBytes(loc, *image.getCubin(), name + "_code");
    code.setAlignment(16);
    auto cubin =
        LLVM::LLVMStructType::getLiteral(context, {i32, i32, ptr, i64});
    cubins =
        module.createGlobal(loc, cubin, name + "_cubin", /*isConstant=*/true,
                            [&](OpBuilder &b, Value value) {
                              return FieldBuilder(b, loc, value)
                                  .add(32, capability)
                                  .add(32, exact)
                                  .add(code)
                                  .add(64, image.getCubin()->size())
                                  .get();
                            });
  }
  auto cluster = LLVM::LLVMArrayType::get(i32, 3);
  auto type = LLVM::LLVMStructType::getLiteral(
      context,
      {i32, i32, ptr, ptr, ptr, i32, i32, i32, i32, cluster, i32, ptr});
  return module.createGlobal(
      loc, type, name, /*isConstant=*/false, [&](OpBuilder &b, Value value) {
        Value blocks =
            FieldBuilder(b, loc, LLVM::PoisonOp::create(b, loc, cluster))
                .add(32, image.getCluster())
                .add(32, 1)
                .add(32, 1)
                .get();
        return FieldBuilder(b, loc, value)
            .add(32, ATTN_RT_ABI_VERSION)
            .add(32, cubins ? 1 : 0)
            .add(symbol)
            .add(ptx)
            .add(cubins)
            .add(32, capability)
            .add(32, exact)
            .add(32, image.getThreads())
            .add(32, image.getShared())
            .add(blocks)
            .add(32, 0)
            .add(LLVM::GlobalOp())
            .get();
      });
}

/// Lowers one launch.
class LaunchLowering {
public:
  LaunchLowering(attn_gpu::LaunchOp launch, attn_gpu::ImageOp image,
                 LLVM::GlobalOp constant, Value call, ModuleBuilder &module)
      : launch(launch), image(image), constant(constant), call(call),
        module(module), b(launch), loc(launch.getLoc()),
        ptr(LLVM::LLVMPointerType::get(launch.getContext())),
        i64(b.getI64Type()) {}

  void run() {
    SmallVector<Value> arguments(launch.getInputs());
    llvm::append_range(arguments, launch.getOutputs());
    SmallVector<Value> places;
    for (Attribute parameter : image.getParameters()) {
      auto what = cast<DictionaryAttr>(parameter);
      StringRef kind = cast<StringAttr>(what.get("kind")).getValue();
      if (kind == "counter") {
        places.push_back(placeCounter());
        continue;
      }
      Value argument =
          arguments[cast<IntegerAttr>(what.get("argument")).getInt()];
      places.push_back(kind == "tile_map" ? placeTileMap(what, argument)
                                          : place(getValue(what, argument)));
    }
    auto pointers = LLVM::LLVMArrayType::get(ptr, places.size());
    Value list = allocate(pointers);
    for (auto [n, where] : llvm::enumerate(places))
      store(where, list, pointers, n);
    LLVM::LLVMFuncOp function = module.declare(
        "attn_rt_cuda_launch", b.getI32Type(), {ptr, ptr, i64, i64, i64, ptr});
    Value one = number(1);
    Value blocks = arith::IndexCastOp::create(b, loc, i64, launch.getBlocks());
    // Whole clusters.
    int64_t cluster = image.getCluster();
    auto round = [&](Value blocks, int64_t up) -> Value {
      if (cluster == 1)
        return blocks;
      Value clusters = arith::AddIOp::create(b, loc, blocks, number(up));
      clusters = arith::DivUIOp::create(b, loc, clusters, number(cluster));
      return arith::MulIOp::create(b, loc, clusters, number(cluster));
    };
    blocks = round(blocks, cluster - 1);
    if (image.getPersistent())
      blocks = arith::MinSIOp::create(b, loc, blocks,
                                      round(loadMultiprocessors(), 0));
    Value self = LLVM::AddressOfOp::create(b, loc, ptr, constant.getSymName());
    LLVM::CallOp::create(b, loc, function,
                         ValueRange{call, self, blocks, one, one, list});
    launch.erase();
  }

private:
  Value number(int64_t n) {
    return LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(n));
  }
  /// Memory of the function's frame, whether or not the launch is in a loop.
  Value allocate(Type type, unsigned alignment = 0) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(
        &launch->getParentOfType<func::FuncOp>().getBody().front());
    return LLVM::AllocaOp::create(b, loc, ptr, type, number(1), alignment);
  }
  void store(Value value, Value array, Type type, int64_t n) {
    SmallVector<LLVM::GEPArg> at = {0, static_cast<int32_t>(n)};
    Value element = LLVM::GEPOp::create(b, loc, ptr, type, array, at);
    LLVM::StoreOp::create(b, loc, value, element);
  }
  Value place(Value value) {
    Value memory = allocate(value.getType());
    LLVM::StoreOp::create(b, loc, value, memory);
    return memory;
  }
  Value toI64(OpFoldResult size) {
    if (auto attr = dyn_cast<Attribute>(size))
      return number(cast<IntegerAttr>(attr).getInt());
    return arith::IndexCastOp::create(b, loc, i64, cast<Value>(size));
  }

  /// The multiprocessors of the call's device: a block for each stays until all
  /// is done.
  Value loadMultiprocessors() {
    SmallVector<LLVM::GEPArg> at = {
        static_cast<int32_t>(offsetof(AttnRtCudaCall, sm_count))};
    Value field = LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), call, at);
    Value count = LLVM::LoadOp::create(b, loc, b.getI32Type(), field);
    return arith::ExtUIOp::create(b, loc, i64, count);
  }

  /// The address of a counter of this call's own.
  Value placeCounter() {
    Value memory = allocate(ptr);
    LLVM::LLVMFuncOp function =
        module.declare("attn_rt_cuda_counter", b.getI32Type(), {ptr, ptr});
    LLVM::CallOp::create(b, loc, function, ValueRange{call, memory});
    return memory;
  }

  /// What is known of a tensor's memory; once for each.
  memref::ExtractStridedMetadataOp getMetadata(Value memref) {
    auto &known = metadata[memref];
    if (!known)
      known = memref::ExtractStridedMetadataOp::create(b, loc, memref);
    return known;
  }
  /// The address of element 0.
  Value getAddress(Value memref) {
    Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
    Value offset = getMetadata(memref).getOffset();
    int64_t bytes =
        cast<MemRefType>(memref.getType()).getElementTypeBitWidth() / 8;
    base = toI64(base);
    offset = toI64(offset);
    offset = arith::MulIOp::create(b, loc, offset, number(bytes));
    Value address = arith::AddIOp::create(b, loc, base, offset);
    return LLVM::IntToPtrOp::create(b, loc, ptr, address);
  }

  Value getValue(DictionaryAttr what, Value argument) {
    StringRef kind = cast<StringAttr>(what.get("kind")).getValue();
    if (kind == "scalar")
      return argument.getType().isIndex() ? toI64(argument) : argument;
    if (kind == "pointer")
      return getAddress(argument);
    int64_t dim = cast<IntegerAttr>(what.get("dimension")).getInt();
    auto facts = getMetadata(argument);
    return toI64(kind == "extent" ? facts.getConstifiedMixedSizes()[dim]
                                  : facts.getConstifiedMixedStrides()[dim]);
  }

  /// The user's name for the tensor that `memref` is a view of.
  std::string getName(Value memref) {
    while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
      memref = view.getViewSource();
    auto function = launch->getParentOfType<func::FuncOp>();
    auto argument = dyn_cast<BlockArgument>(memref);
    if (!argument || argument.getOwner() != &function.getBody().front())
      return "tensor";
    unsigned n = argument.getArgNumber();
    if (function->hasAttr(HostSignature::kAttrName)) {
      FailureOr<HostSignature> signature = HostSignature::get(function);
      if (succeeded(signature) && n < signature->args.size())
        return signature->args[n].name;
    }
    return "argument " + std::to_string(n);
  }

  /// Mirrors AttnRtTile, and calls the encoder.
  Value placeTileMap(DictionaryAttr what, Value memref) {
    auto type = cast<MemRefType>(memref.getType());
    auto integer = [&](StringRef name) {
      return cast<IntegerAttr>(what.get(name)).getInt();
    };
    int64_t rank = type.getRank();
    SmallVector<int32_t> box(5, 1);
    box[0] = integer("columns");
    box[rank - 1 - integer("row_dimension")] = integer("rows");
    std::string name = getName(memref);
    LLVM::GlobalOp text = module.createString(
        loc, name, "__attn_" + image.getSymName() + "_" + name);
    MLIRContext *context = b.getContext();
    Type i8 = b.getI8Type();
    auto boxType = LLVM::LLVMArrayType::get(b.getI32Type(), 5);
    auto tileType = LLVM::LLVMStructType::getLiteral(
        context, {ptr, i8, i8, i8, i8, boxType});
    Type element = type.getElementType();
    LLVM::GlobalOp tile = module.createGlobal(
        loc, tileType, "__attn_" + image.getSymName() + "_" + name + "_tile",
        /*isConstant=*/true, [&](OpBuilder &b, Value value) {
          FieldBuilder extents(b, loc, LLVM::PoisonOp::create(b, loc, boxType));
          for (int32_t extent : box)
            extents.add(32, extent);
          return FieldBuilder(b, loc, value)
              .add(text)
              .add(8,
                   element.isBF16() ? ATTN_RT_TYPE_BFLOAT : ATTN_RT_TYPE_FLOAT)
              .add(8, type.getElementTypeBitWidth())
              .add(8, rank)
              .add(8, integer("swizzle"))
              .add(extents.get())
              .get();
        });

    // Innermost first; strides in bytes.
    auto facts = getMetadata(memref);
    auto array = LLVM::LLVMArrayType::get(i64, rank);
    Value extents = allocate(array), strides = allocate(array);
    Value bytes = number(type.getElementTypeBitWidth() / 8);
    for (int64_t n = 0; n < rank; ++n) {
      int64_t dim = rank - 1 - n;
      store(toI64(facts.getConstifiedMixedSizes()[dim]), extents, array, n);
      Value stride = toI64(facts.getConstifiedMixedStrides()[dim]);
      store(arith::MulIOp::create(b, loc, stride, bytes), strides, array, n);
    }
    Value map =
        allocate(LLVM::LLVMArrayType::get(i8, ATTN_RT_CUDA_TILE_MAP_BYTES),
                 /*alignment=*/64);
    LLVM::LLVMFuncOp function =
        module.declare("attn_rt_cuda_encode_tile_map", b.getI32Type(),
                       {ptr, ptr, ptr, ptr, ptr, ptr});
    Value self = LLVM::AddressOfOp::create(b, loc, ptr, tile.getSymName());
    LLVM::CallOp::create(
        b, loc, function,
        ValueRange{call, map, self, getAddress(memref), extents, strides});
    return map;
  }

  attn_gpu::LaunchOp launch;
  attn_gpu::ImageOp image;
  LLVM::GlobalOp constant;
  Value call;
  ModuleBuilder &module;
  OpBuilder b;
  Location loc;
  Type ptr, i64;
  DenseMap<Value, memref::ExtractStridedMetadataOp> metadata;
};

struct LaunchToRuntime
    : attn::impl::AttnGPULaunchToRuntimePassBase<LaunchToRuntime> {
  using AttnGPULaunchToRuntimePassBase::AttnGPULaunchToRuntimePassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    ModuleBuilder module(getOperation(), symbols);
    DenseMap<StringAttr, attn_gpu::ImageOp> images;
    DenseMap<Operation *, LLVM::GlobalOp> constants;
    for (auto image : getOperation().getOps<attn_gpu::ImageOp>())
      images[image.getSymNameAttr()] = image;
    bool valid = true;
    SmallVector<Attribute> kernels;
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      SmallVector<attn_gpu::LaunchOp> launches;
      function.walk([&](attn_gpu::LaunchOp op) { launches.push_back(op); });
      if (launches.empty())
        continue;
      if (failed(check(function))) {
        valid = false;
        continue;
      }
      if (function->hasAttr(HostSignature::kAttrName)) {
        FailureOr<HostSignature> signature = HostSignature::get(function);
        if (failed(signature))
          return signalPassFailure();
        signature->device = HostSignature::Device::CUDA;
        function->setAttr(HostSignature::kAttrName,
                          signature->toAttr(&getContext()));
      }
      Type ptr = LLVM::LLVMPointerType::get(&getContext());
      unsigned last = function.getNumArguments();
      if (failed(function.insertArgument(last, ptr, {}, function.getLoc())))
        return signalPassFailure();
      for (attn_gpu::LaunchOp launch : launches) {
        attn_gpu::ImageOp image =
            images.lookup(launch.getKernelAttr().getAttr());
        if (!image) {
          launch.emitOpError("no image ") << launch.getKernelAttr();
          return signalPassFailure();
        }
        LLVM::GlobalOp &constant = constants[image];
        if (!constant)
          constant = emitImage(module, image);
        kernels.push_back(describe(function, image));
        LaunchLowering(launch, image, constant, function.getArgument(last),
                       module)
            .run();
      }
    }
    if (!kernels.empty())
      getOperation()->setAttr(kKernelsAttrName,
                              ArrayAttr::get(&getContext(), kernels));
    for (auto [name, image] : images)
      image.erase();
    if (!valid)
      signalPassFailure();
  }

private:
  /// What of a schedule no pass on kernels had to carry out.
  static DictionaryAttr keepCarriedOut(DictionaryAttr schedule) {
    if (!schedule)
      return schedule;
    NamedAttrList kept;
    for (StringRef name :
         {"lazy_rescale", "queries_in_registers", "early_weights"})
      if (Attribute value = schedule.get(name))
        kept.set(name, value);
    return kept.getDictionary(schedule.getContext());
  }

  /// An entry of the module's list of kernels.
  DictionaryAttr describe(func::FuncOp function, attn_gpu::ImageOp image) {
    Builder b(function.getContext());
    NamedAttrList facts;
    StringRef symbol = function.getSymName();
    if (auto signature =
            function->getAttrOfType<DictionaryAttr>(HostSignature::kAttrName))
      if (auto name = signature.getAs<StringAttr>("symbol"))
        symbol = name;
    facts.set("function", b.getStringAttr(symbol));
    facts.set("name", image.getSymNameAttr());
    facts.set("threads", b.getI64IntegerAttr(image.getThreads()));
    facts.set("shared_bytes", b.getI64IntegerAttr(image.getShared()));
    if (image.getCluster() != 1)
      facts.set("cluster", b.getI64IntegerAttr(image.getCluster()));
    if (std::optional<DictionaryAttr> assembly = image.getAssembly())
      facts.set("assembly", *assembly);
    if (Attribute origin =
            image->getDiscardableAttr(attn_gpu::KernelOp::kOriginAttrName))
      facts.set("origin", origin);
    auto schedule = image->getAttrOfType<DictionaryAttr>(
        attn_gpu::KernelOp::kScheduleAttrName);
    if (!kernelPasses.empty()) {
      facts.set("passes", b.getStringAttr(kernelPasses));
      schedule = keepCarriedOut(schedule);
    }
    if (schedule && !schedule.empty())
      facts.set("schedule", schedule);
    return facts.getDictionary(b.getContext());
  }

  /// C1.
  LogicalResult check(func::FuncOp function) {
    WalkResult result =
        function.walk([](Operation *op) {
          if (isa<attn_gpu::LaunchOp, func::FuncOp, func::ReturnOp>(op) ||
              isMemoryEffectFree(op))
            return WalkResult::advance();
          if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
            return WalkResult::advance();
          op->emitError("'")
              << op->getName()
              << "' works on the device's memory, but is not part of a kernel: "
                 "expected a function of attention alone";
          return WalkResult::interrupt();
        });
    return failure(result.wasInterrupted());
  }
};

} // namespace
