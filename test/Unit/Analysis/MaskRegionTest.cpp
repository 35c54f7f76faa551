//===- MaskRegionTest.cpp - Mask regions against their own meaning --------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions as users write them are recognised (and tight where the same named
// mask is), what is not recognised is opaque where it stands, and random
// regions are never classified wrong: each is held against its own evaluation
// at every position.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/MaskRegion.h"

#include "Interpreter.h"
#include "RandomMasks.h"
#include "gtest/gtest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::test;

namespace {
class MaskRegionTest : public ::testing::Test {
protected:
  MaskRegionTest() {
    context.loadDialect<arith::ArithDialect>();
    context.allowUnregisteredDialects();
    signature.uniformArguments = {0, 1, 4};
  }

  /// Arguments: b, h, p, r and a captured length, all `index`.
  Region &parse(StringRef body) {
    std::string text = "\"test.mask\"() ({\n^bb0(%b: index, %h: index, %p: "
                       "index, %r: index, %n: index):\n" +
                       body.str() +
                       "\n\"test.yield\"(%v) : (i1) -> ()\n}) : () -> ()";
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module->getBody()->front().getRegion(0);
  }

  MaskExpr read(StringRef body) {
    opaque = 0;
    return maskFromRegion(parse(body), signature, [&](Value) { ++opaque; });
  }

  std::string print(StringRef body) {
    std::string text;
    llvm::raw_string_ostream(text) << read(body);
    return text;
  }

  /// The mask of `region` with its evaluation as its meaning; b = 1, h = 3.
  Mask mask(Region &region, const Uniforms &uniforms) {
    return {maskFromRegion(region, signature),
            [&region, uniforms](int64_t p, int64_t r) {
              Block &block = region.front();
              SmallVector<int64_t> arguments = {uniforms[0], uniforms[1], p, r,
                                                uniforms[4]};
              Interpreter interpreter(block, arguments);
              return interpreter.get(block.back().getOperand(0)) != 0;
            }};
  }

  std::string checkOnRandomSizes(Region &region, std::mt19937 &rng, bool tight,
                                 int rounds) {
    IntArith arith;
    for (int round = 0; round < rounds; ++round) {
      Problem problem = randomProblem(rng);
      problem.uniforms = {1, 3, 0, 0, draw(rng, -20, 220)};
      problem.queryLast = problem.queryFirst + draw(rng, 0, 15);
      Mask subject = mask(region, problem.uniforms);
      auto segments = classifyKeyTiles(arith, subject.expr, problem.positions(),
                                       problem.tileSize);
      std::string wrong = check(subject, problem, tight, segments);
      if (!wrong.empty())
        return wrong + describe(subject, problem);
    }
    return "";
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  MaskRegionSignature signature;
  int opaque = 0;
};
} // namespace

TEST_F(MaskRegionTest, RecognisedAndTight) {
  const char *bodies[] = {
      // Causal, both ways round and shifted.
      "%v = arith.cmpi sle, %r, %p : index",
      "%v = arith.cmpi sge, %p, %r : index",
      "%c = arith.constant 1 : index\n%q = arith.addi %p, %c : index\n"
      "%v = arith.cmpi slt, %r, %q : index",
      "%w = arith.cmpi sgt, %r, %p : index\n%t = arith.constant true\n"
      "%v = arith.xori %w, %t : i1",
      // A window on the distance.
      "%c = arith.constant 37 : index\n%d = arith.subi %p, %r : index\n"
      "%z = arith.constant 0 : index\n"
      "%x = arith.cmpi sle, %d, %c : index\n%y = arith.cmpi sge, %d, %z : "
      "index\n"
      "%v = arith.andi %x, %y : i1",
      // Chunks by floordivsi, shift, and as a block-causal mask.
      "%c = arith.constant 24 : index\n"
      "%x = arith.floordivsi %p, %c : index\n%y = arith.floordivsi %r, %c : "
      "index\n"
      "%v = arith.cmpi eq, %x, %y : index",
      "%c = arith.constant 4 : index\n"
      "%x = arith.shrsi %p, %c : index\n%y = arith.shrsi %r, %c : index\n"
      "%v = arith.cmpi eq, %x, %y : index",
      "%c = arith.constant 16 : index\n"
      "%x = arith.floordivsi %p, %c : index\n%y = arith.floordivsi %r, %c : "
      "index\n"
      "%v = arith.cmpi sle, %y, %x : index",
      "%c = arith.constant 24 : index\n"
      "%x = arith.divsi %p, %c : index\n%y = arith.divsi %r, %c : index\n"
      "%v = arith.cmpi eq, %x, %y : index",
      "%c = arith.constant 24 : index\n"
      "%x = arith.ceildivsi %p, %c : index\n"
      "%y = arith.ceildivsi %r, %c : index\n"
      "%v = arith.cmpi ne, %x, %y : index",
      // A prefix whose length is captured, or causal.
      "%x = arith.cmpi slt, %r, %n : index\n%y = arith.cmpi sle, %r, %p : "
      "index\n"
      "%v = arith.ori %x, %y : i1",
      // Rows alone; batches and heads alone.
      "%c = arith.constant 50 : index\n%v = arith.cmpi slt, %p, %c : index",
      "%c = arith.constant 3 : index\n%v = arith.cmpi eq, %h, %c : index",
      // A choice by head between causal and everything.
      "%c = arith.constant 3 : index\n%x = arith.cmpi slt, %h, %c : index\n"
      "%y = arith.cmpi sle, %r, %p : index\n%t = arith.constant true\n"
      "%v = arith.select %x, %y, %t : i1",
      // In i64.
      "%c = arith.constant 9 : i64\n%x = arith.index_cast %p : index to i64\n"
      "%y = arith.index_cast %r : index to i64\n%z = arith.addi %x, %c : i64\n"
      "%v = arith.cmpi sle, %y, %z : i64",
      "%v = arith.constant true",
      "%v = arith.constant false",
  };
  std::mt19937 rng(kSeed + 6);
  for (const char *body : bodies) {
    EXPECT_FALSE(read(body).hasOpaque()) << body;
    EXPECT_EQ(opaque, 0) << body;
    Region &region = parse(body);
    EXPECT_EQ(checkOnRandomSizes(region, rng, /*tight=*/true, 25), "") << body;
  }
}

TEST_F(MaskRegionTest, OpaqueWhereItStands) {
  // A captured tensor's value is not known; the diagonal still is.
  EXPECT_EQ(print("%x = \"test.load\"(%p, %r) : (index, index) -> i1\n"
                  "%y = arith.cmpi sle, %r, %p : index\n"
                  "%v = arith.andi %x, %y : i1"),
            "(opaque and (1*r + 0) <= (1*p + 0) + 0)");
  EXPECT_EQ(opaque, 1);
  const char *bodies[] = {
      "%v = arith.cmpi ule, %r, %p : index",
      "%x = arith.muli %r, %p : index\n%v = arith.cmpi sle, %x, %p : index",
      "%x = arith.remsi %r, %n : index\n%v = arith.cmpi sle, %x, %p : index",
      "%x = arith.subi %p, %r : index\n%c = arith.constant 3 : index\n"
      "%y = arith.floordivsi %x, %c : index\n"
      "%v = arith.cmpi sle, %y, %c : index",
      // Wraps in i32 and in i64.
      "%x = arith.index_cast %p : index to i32\n"
      "%y = arith.index_cast %r : index to i32\n"
      "%v = arith.cmpi sle, %y, %x : i32",
      "%c = arith.constant 1099511627776 : index\n"
      "%x = arith.muli %r, %c : index\n%v = arith.cmpi sle, %x, %p : index",
      "%c = arith.constant -2 : index\n%x = arith.floordivsi %r, %c : index\n"
      "%v = arith.cmpi sle, %x, %p : index",
  };
  for (const char *body : bodies)
    EXPECT_EQ(print(body), "opaque") << body;
}

TEST_F(MaskRegionTest, NarrowTypesWithinThePositionsBound) {
  const char *body = "%x = arith.index_cast %p : index to i32\n"
                     "%y = arith.index_cast %r : index to i32\n"
                     "%c = arith.constant 7 : i32\n"
                     "%z = arith.addi %x, %c : i32\n"
                     "%v = arith.cmpi sle, %y, %z : i32";
  signature.positionBits = 30;
  EXPECT_EQ(print(body), "(1*r + 0) <= (1*p + 0) + 7");
  signature.positionBits = 31;
  EXPECT_EQ(print(body), "opaque");
}

TEST_F(MaskRegionTest, ArgumentsThatAreNotUniformAreOpaque) {
  signature.uniformArguments.clear();
  EXPECT_EQ(print("%v = arith.cmpi slt, %r, %n : index"), "opaque");
}

TEST_F(MaskRegionTest, OtherRegionsAreOpaque) {
  Region empty;
  EXPECT_EQ(maskFromRegion(empty, signature).getKind(), MaskExpr::Kind::Opaque);
  module = parseSourceString<ModuleOp>(
      "\"test.mask\"() ({\n^bb0:\n\"test.yield\"() : () -> ()\n}) : () -> ()",
      &context);
  ASSERT_TRUE(module);
  EXPECT_EQ(maskFromRegion(module->getBody()->front().getRegion(0), signature)
                .getKind(),
            MaskExpr::Kind::Opaque);
}

// Each level uses the one below twice: 2^40 paths, which must not be walked.
TEST_F(MaskRegionTest, SharedConditionsAreBounded) {
  std::string body = "%c0 = arith.cmpi sle, %r, %p : index\n"
                     "%d0 = arith.cmpi sle, %r, %n : index\n";
  for (int i = 0; i < 40; ++i) {
    std::string now = std::to_string(i), next = std::to_string(i + 1);
    body += "%c" + next + " = arith.andi %c" + now + ", %d" + now + " : i1\n";
    body += "%d" + next + " = arith.select %c" + now + ", %d" + now + ", %c" +
            now + " : i1\n";
  }
  body += "%v = arith.ori %c40, %d40 : i1";
  EXPECT_TRUE(read(body).hasOpaque());
}

TEST_F(MaskRegionTest, LongChainsAreRead) {
  std::string body = "%c = arith.constant 1 : index\n"
                     "%x0 = arith.addi %p, %c : index\n";
  for (int i = 0; i < 20000; ++i)
    body += "%x" + std::to_string(i + 1) + " = arith.addi %x" +
            std::to_string(i) + ", %c : index\n";
  body += "%v = arith.cmpi sle, %r, %x20000 : index";
  EXPECT_EQ(print(body), "(1*r + 0) <= (1*p + 0) + 20001");
}

TEST_F(MaskRegionTest, RandomRegionsAreNeverWrong) {
  std::mt19937 rng(kSeed + 7);
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  int recognised = 0;
  for (int round = 0; round < 1500; ++round) {
    signature.positionBits = draw(rng, 0, 1) ? 10 : kPositionBits;
    Region region;
    Block &block = region.emplaceBlock();
    Type index = builder.getIndexType();
    for (int i = 0; i < 5; ++i)
      block.addArgument(index, loc);
    builder.setInsertionPointToEnd(&block);

    // Integers, all of one type; narrow ones wrap for some positions.
    Type types[] = {index,
                    index,
                    builder.getI64Type(),
                    builder.getI32Type(),
                    builder.getIntegerType(12),
                    builder.getIntegerType(8)};
    Type type = types[draw(rng, 0, 5)];
    SmallVector<Value> integers;
    for (Value argument : block.getArguments())
      integers.push_back(type.isIndex() ? argument
                                        : arith::IndexCastOp::create(
                                              builder, loc, type, argument)
                                              .getResult());
    auto number = [&](int64_t lo, int64_t hi) -> Value {
      return arith::ConstantOp::create(
          builder, loc, builder.getIntegerAttr(type, draw(rng, lo, hi)));
    };
    auto pick = [&](SmallVectorImpl<Value> &from) {
      return from[draw(rng, 0, from.size() - 1)];
    };
    // p and r are drawn more often than what was made of them.
    auto integer = [&] {
      return draw(rng, 0, 1) ? integers[draw(rng, 2, 3)] : pick(integers);
    };
    for (int64_t i = draw(rng, 0, 6); i > 0; --i) {
      Value lhs = integer(), result;
      switch (draw(rng, 0, 9)) {
      case 0:
        result = arith::AddIOp::create(builder, loc, lhs, integer());
        break;
      case 1:
        result = arith::SubIOp::create(builder, loc, lhs, integer());
        break;
      case 2:
      case 3:
        result = arith::AddIOp::create(builder, loc, lhs, number(-60, 60));
        break;
      case 4:
        result = arith::MulIOp::create(builder, loc, number(-3, 3), lhs);
        break;
      case 5:
        result = arith::FloorDivSIOp::create(builder, loc, lhs, number(1, 40));
        break;
      case 6:
        result = arith::CeilDivSIOp::create(builder, loc, lhs, number(1, 40));
        break;
      case 7:
        result = arith::DivSIOp::create(builder, loc, lhs, number(1, 40));
        break;
      case 8:
        result = arith::ShRSIOp::create(builder, loc, lhs, number(0, 5));
        break;
      default:
        result = arith::RemSIOp::create(builder, loc, lhs, number(1, 40));
        break;
      }
      integers.push_back(result);
    }
    SmallVector<Value> conditions;
    for (int64_t i = draw(rng, 1, 4); i > 0; --i) {
      auto predicate = static_cast<arith::CmpIPredicate>(draw(rng, 0, 9));
      Value lhs = integer(), rhs = draw(rng, 0, 1) ? integer() : pick(integers);
      conditions.push_back(
          arith::CmpIOp::create(builder, loc, predicate, lhs, rhs));
    }
    for (int64_t i = draw(rng, 0, 4); i > 0; --i) {
      Value a = pick(conditions), b = pick(conditions), result;
      switch (draw(rng, 0, 3)) {
      case 0:
        result = arith::AndIOp::create(builder, loc, a, b);
        break;
      case 1:
        result = arith::OrIOp::create(builder, loc, a, b);
        break;
      case 2: {
        Value flip = arith::ConstantOp::create(
            builder, loc, builder.getBoolAttr(draw(rng, 0, 3) != 0));
        result =
            arith::XOrIOp::create(builder, loc, a, draw(rng, 0, 4) ? flip : b);
        break;
      }
      default:
        result = arith::SelectOp::create(builder, loc, a, b, pick(conditions));
        break;
      }
      conditions.push_back(result);
    }
    OperationState yield(loc, "test.yield");
    yield.addOperands(conditions.back());
    builder.create(yield);

    recognised += !maskFromRegion(region, signature).hasOpaque();
    std::string wrong = checkOnRandomSizes(region, rng, /*tight=*/false, 3);
    if (!wrong.empty()) {
      for (Operation &op : block)
        op.dump();
      FAIL() << "round " << round << ": " << wrong;
    }
  }
  EXPECT_GT(recognised, 300) << "hardly any random region was recognised";
}
