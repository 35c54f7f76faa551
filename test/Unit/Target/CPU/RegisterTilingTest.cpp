//===- RegisterTilingTest.cpp - vector loops against scalar loops ---------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation is compiled twice, by register tiling and by upstream's scalar
// loops, and run on the same numbers.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/RegisterTiling.h"
#include "Compile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::test;

namespace {
struct Case {
  const char *name;
  const char *text;
  /// Whether 512-bit registers give vector code.
  bool isVector;
};
} // namespace

static const Case kCases[] = {
    {"contraction", R"(
  func.func @f(%a: memref<64x24xf32>, %b: memref<24x64xf32>, %o: memref<64x64xf32>) attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(j, i, d) -> (j, d)>, affine_map<(j, i, d) -> (d, i)>, affine_map<(j, i, d) -> (j, i)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x24xf32>, memref<24x64xf32>) outs(%o : memref<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
    }
    return
  })",
     true},
    {"transposed_contraction", R"(
  func.func @f(%a: memref<20x32xf32>, %b: memref<20x80xf32>, %o: memref<32x80xf32>) attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(i, e, j) -> (j, i)>, affine_map<(i, e, j) -> (j, e)>, affine_map<(i, e, j) -> (i, e)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<20x32xf32>, memref<20x80xf32>) outs(%o : memref<32x80xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %p, %z : f32
      linalg.yield %s : f32
    }
    return
  })",
     true},
    {"one_query", R"(
  func.func @f(%a: memref<20x48xf32>, %b: memref<48x1xf32>, %o: memref<20x1xf32>, %m: memref<1xf32>) attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(j, i, d) -> (j, d)>, affine_map<(j, i, d) -> (d, i)>, affine_map<(j, i, d) -> (j, i)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<20x48xf32>, memref<48x1xf32>) outs(%o : memref<20x1xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
    }
    linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (i)>], iterator_types = ["reduction", "parallel"]}
      ins(%o : memref<20x1xf32>) outs(%m : memref<1xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.maxnumf %x, %y : f32
      linalg.yield %s : f32
    }
    return
  })",
     false},
    {"odd_contraction", R"(
  func.func @f(%a: memref<3x5xf32>, %b: memref<5x7xf32>, %o: memref<3x7xf32>) attributes {llvm.emit_c_interface} {
    linalg.matmul ins(%a, %b : memref<3x5xf32>, memref<5x7xf32>) outs(%o : memref<3x7xf32>)
    return
  })",
     false},
    {"batched_strided", R"(
  func.func @f(%a: memref<2x12x40xbf16>, %b: memref<2x40x48xf32>, %o: memref<2x12x48xf32>) attributes {llvm.emit_c_interface} {
    %as = memref.subview %a[0, 2, 0] [2, 8, 40] [1, 1, 1] : memref<2x12x40xbf16> to memref<2x8x40xbf16, strided<[480, 40, 1], offset: 80>>
    %os = memref.subview %o[0, 0, 0] [2, 8, 48] [1, 1, 1] : memref<2x12x48xf32> to memref<2x8x48xf32, strided<[576, 48, 1]>>
    linalg.generic {indexing_maps = [affine_map<(b, i, e, j) -> (b, i, j)>, affine_map<(b, i, e, j) -> (b, j, e)>, affine_map<(b, i, e, j) -> (b, i, e)>],
                    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%as, %b : memref<2x8x40xbf16, strided<[480, 40, 1], offset: 80>>, memref<2x40x48xf32>) outs(%os : memref<2x8x48xf32, strided<[576, 48, 1]>>) {
    ^bb0(%x: bf16, %y: f32, %z: f32):
      %w = arith.extf %x : bf16 to f32
      %p = arith.mulf %w, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
    }
    return
  })",
     true},
    {"row_maximum", R"(
  func.func @f(%a: memref<24x80xf32>, %o: memref<80xf32>) attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (i)>], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<24x80xf32>) outs(%o : memref<80xf32>) {
    ^bb0(%x: f32, %y: f32):
      %m = arith.maxnumf %x, %y : f32
      linalg.yield %m : f32
    }
    return
  })",
     true},
    {"sum_along_vectors", R"(
  func.func @f(%a: memref<24x32xf32>, %o: memref<24xf32>) attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<24x32xf32>) outs(%o : memref<24xf32>) {
    ^bb0(%x: f32, %y: f32):
      %m = arith.addf %x, %y : f32
      linalg.yield %m : f32
    }
    return
  })",
     true},
    {"maxima_along_vectors", R"(
  func.func @f(%a: memref<6x96xf32>, %o: memref<6xf32>, %p: memref<6xf32>, %q: memref<6xi32>, %b: memref<6x96xi32>) attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (j)>, affine_map<(j, i) -> (j)>, affine_map<(j, i) -> (j)>],
                    iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : memref<6x96xf32>, memref<6x96xi32>) outs(%o, %p, %q : memref<6xf32>, memref<6xf32>, memref<6xi32>) {
    ^bb0(%x: f32, %i: i32, %y: f32, %z: f32, %w: i32):
      %m = arith.maxnumf %x, %y : f32
      %n = arith.minimumf %z, %x : f32
      %k = arith.ori %w, %i : i32
      linalg.yield %m, %n, %k : f32, f32, i32
    }
    return
  })",
     true},
    {"selection_along_vectors", R"(
  func.func @f(%a: memref<6x32xf32>, %o: memref<6xf32>) attributes {llvm.emit_c_interface} {
    %c = arith.constant 1.5 : f32
    %one = arith.constant 1.0 : f32
    linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<6x32xf32>) outs(%o : memref<6xf32>) {
    ^bb0(%x: f32, %y: f32):
      %l = arith.cmpf olt, %x, %c : f32
      %m = arith.select %l, %y, %one : f32
      linalg.yield %m : f32
    }
    return
  })",
     false},
    {"elements_and_sum", R"(
  func.func @f(%a: memref<24x32xf32>, %m: memref<32xf32>, %o: memref<24x32xf32>, %l: memref<32xf32>) attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (i)>, affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (i)>],
                    iterator_types = ["reduction", "parallel"]}
      ins(%a, %m : memref<24x32xf32>, memref<32xf32>) outs(%o, %l : memref<24x32xf32>, memref<32xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32, %s: f32):
      %d = arith.subf %x, %y : f32
      %t = arith.addf %s, %d : f32
      linalg.yield %d, %t : f32, f32
    }
    return
  })",
     true},
    {"transpose", R"(
  func.func @f(%a: memref<32x48xbf16>, %o: memref<48x32xf32>) attributes {llvm.emit_c_interface} {
    %c = arith.constant 0.5 : f32
    linalg.generic {indexing_maps = [affine_map<(d, i) -> (i, d)>, affine_map<(d, i) -> (d, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<32x48xbf16>) outs(%o : memref<48x32xf32>) {
    ^bb0(%x: bf16, %y: f32):
      %e = arith.extf %x : bf16 to f32
      %s = arith.mulf %e, %c : f32
      linalg.yield %s : f32
    }
    return
  })",
     false},
    {"mask_by_index", R"(
  func.func @f(%o: memref<24x40xf32>) attributes {llvm.emit_c_interface} {
    %low = arith.constant -1000.0 : f32
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>], iterator_types = ["parallel", "parallel"]} outs(%o : memref<24x40xf32>) {
    ^bb0(%x: f32):
      %j = linalg.index 0 : index
      %i = linalg.index 1 : index
      %p = arith.addi %i, %c3 : index
      %q = arith.divui %p, %c5 : index
      %c = arith.cmpi sle, %j, %p : index
      %d = arith.cmpi ne, %j, %q : index
      %e = arith.andi %c, %d : i1
      %s = arith.select %e, %x, %low : f32
      linalg.yield %s : f32
    }
    return
  })",
     true},
    {"lookup_by_index", R"(
  func.func @f(%t: memref<64xi32>, %u: memref<24x64xf32>, %o: memref<24x40xf32>) attributes {llvm.emit_c_interface} {
    %low = arith.constant -1000.0 : f32
    %c3 = arith.constant 3 : index
    linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>], iterator_types = ["parallel", "parallel"]} outs(%o : memref<24x40xf32>) {
    ^bb0(%x: f32):
      %j = linalg.index 0 : index
      %i = linalg.index 1 : index
      %p = arith.addi %i, %c3 : index
      %a = memref.load %t[%j] : memref<64xi32>
      %b = memref.load %t[%p] : memref<64xi32>
      %v = memref.load %u[%j, %p] : memref<24x64xf32>
      %y = arith.addf %x, %v : f32
      %c = arith.cmpi slt, %a, %b : i32
      %s = arith.select %c, %y, %low : f32
      linalg.yield %s : f32
    }
    return
  })",
     true},
    {"region_in_body", R"(
  func.func @f(%a: memref<32xf32>, %o: memref<32xf32>) attributes {llvm.emit_c_interface} {
    %c16 = arith.constant 16 : index
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<32xf32>) outs(%o : memref<32xf32>) {
    ^bb0(%x: f32, %y: f32):
      %i = linalg.index 0 : index
      %c = arith.cmpi ult, %i, %c16 : index
      %r = scf.if %c -> f32 {
        %s = arith.addf %x, %y : f32
        scf.yield %s : f32
      } else {
        scf.yield %x : f32
      }
      linalg.yield %r : f32
    }
    return
  })",
     false},
    {"broadcast_rows", R"(
  func.func @f(%a: memref<24xf32>, %o: memref<24x64xf32>) attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(i, e) -> (i)>, affine_map<(i, e) -> (i, e)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<24xf32>) outs(%o : memref<24x64xf32>) {
    ^bb0(%x: f32, %y: f32):
      %m = arith.mulf %x, %y : f32
      linalg.yield %m : f32
    }
    return
  })",
     true},
    {"round_through_bf16", R"(
  func.func @f(%a: memref<24x64xf32>, %o: memref<24x64xf32>, %h: memref<24x64xbf16>) attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(i, e) -> (i, e)>, affine_map<(i, e) -> (i, e)>, affine_map<(i, e) -> (i, e)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<24x64xf32>) outs(%o, %h : memref<24x64xf32>, memref<24x64xbf16>) {
    ^bb0(%x: f32, %y: f32, %z: bf16):
      %t = arith.truncf %x : f32 to bf16
      %e = arith.extf %t : bf16 to f32
      linalg.yield %e, %t : f32, bf16
    }
    return
  })",
     true},
    {"affine_map_with_expression", R"(
  func.func @f(%a: memref<33xf32>, %o: memref<32xf32>) attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<33xf32>) outs(%o : memref<32xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %x : f32
    }
    return
  })",
     false},
    {"fill_and_copy", R"(
  func.func @f(%a: memref<24x40xf32>, %o: memref<24x40xf32>) attributes {llvm.emit_c_interface} {
    %c = arith.constant 2.5 : f32
    linalg.fill ins(%c : f32) outs(%o : memref<24x40xf32>)
    %s = memref.subview %a[3, 0] [5, 40] [1, 1] : memref<24x40xf32> to memref<5x40xf32, strided<[40, 1], offset: 120>>
    %t = memref.subview %o[1, 0] [5, 40] [1, 1] : memref<24x40xf32> to memref<5x40xf32, strided<[40, 1], offset: 40>>
    linalg.copy ins(%s : memref<5x40xf32, strided<[40, 1], offset: 120>>) outs(%t : memref<5x40xf32, strided<[40, 1], offset: 40>>)
    return
  })",
     true},
};

/// Buffers for the arguments of `@f`, filled with reproducible numbers.
static std::vector<Buffer> makeArguments(ModuleOp module) {
  std::vector<Buffer> result;
  Random random{3};
  auto function = module.lookupSymbol<func::FuncOp>("f");
  for (Type argument : function.getArgumentTypes()) {
    auto type = cast<MemRefType>(argument);
    Type element = type.getElementType();
    Buffer buffer(type.getShape(), type.getElementTypeBitWidth() / 8);
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      float value = random.next(2.0f);
      if (element.isF32())
        buffer.data<float>()[i] = value;
      else if (element.isBF16())
        buffer.data<uint16_t>()[i] = toBF16(value);
      else
        buffer.data<int32_t>()[i] = int32_t(value * 100.0f);
    }
    result.push_back(std::move(buffer));
  }
  return result;
}

static void run(llvm::StringRef text, const BuildPipeline &pipeline,
                std::vector<Buffer> &arguments) {
  auto program = compile(text, pipeline);
  ASSERT_TRUE(program);
  SmallVector<void *> descriptors;
  for (Buffer &buffer : arguments)
    descriptors.push_back(buffer.get());
  call(*program, "f", descriptors);
}

class RegisterTilingTest
    : public testing::TestWithParam<std::tuple<Case, int64_t>> {};

TEST_P(RegisterTilingTest, MatchesScalarLoops) {
  const Case test = std::get<0>(GetParam());
  const int64_t bits = std::get<1>(GetParam());
  OwningOpRef<ModuleOp> module = parse(test.text);
  ASSERT_TRUE(module);
  std::vector<Buffer> expected = makeArguments(*module);
  std::vector<Buffer> got = makeArguments(*module);
  run(test.text, scalarPipeline(), expected);
  run(test.text, cpuPipeline(bits), got);
  auto types = module->lookupSymbol<func::FuncOp>("f").getArgumentTypes();
  bool changed = false;
  std::vector<Buffer> before = makeArguments(*module);
  for (auto [k, argument] : llvm::enumerate(types)) {
    auto type = cast<MemRefType>(argument);
    changed |= expected[k].bytes != before[k].bytes;
    if (!type.getElementType().isF32()) {
      EXPECT_EQ(expected[k].bytes, got[k].bytes) << "argument " << k;
      continue;
    }
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      float e = expected[k].data<float>()[i], g = got[k].data<float>()[i];
      // A fused multiply-add may differ in the last bits of each step.
      ASSERT_NEAR(e, g, 1e-5f * std::max(1.0f, std::fabs(e)))
          << "argument " << k << ", element " << i;
    }
  }
  EXPECT_TRUE(changed) << "the operation wrote nothing";
}

TEST_P(RegisterTilingTest, Vectorizes) {
  const Case test = std::get<0>(GetParam());
  const int64_t bits = std::get<1>(GetParam());
  if (bits != 512)
    return;
  OwningOpRef<ModuleOp> module = parse(test.text);
  ASSERT_TRUE(module);
  bool isVector = false;
  module->walk([&](linalg::LinalgOp op) {
    FailureOr<RegisterTiling> tiling =
        RegisterTiling::plan(op, VectorRegisters{bits});
    isVector |= succeeded(tiling) && tiling->vectorDim.has_value();
  });
  EXPECT_EQ(isVector, test.isVector);
}

INSTANTIATE_TEST_SUITE_P(Operations, RegisterTilingTest,
                         testing::Combine(testing::ValuesIn(kCases),
                                          testing::Values(128, 256, 512)),
                         [](const auto &info) {
                           return std::get<0>(info.param).name +
                                  std::string("_") +
                                  std::to_string(std::get<1>(info.param));
                         });
