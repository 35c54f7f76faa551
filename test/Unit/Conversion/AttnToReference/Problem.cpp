//===- Problem.cpp - Attention by brute force -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the program and the inputs of a problem, and evaluates it directly.
//
//===----------------------------------------------------------------------===//

#include "Problem.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace mlir::attn;
using namespace mlir::attn::test;

static std::string nameOf(Kind kind) {
  switch (kind) {
  case Kind::F64:
    return "f64";
  case Kind::F32:
    return "f32";
  case Kind::BF16:
    return "bf16";
  case Kind::F16:
    return "f16";
  case Kind::I32:
    return "i32";
  }
  return "";
}

static std::string tensor(bool packed, int64_t dim, Kind kind) {
  return std::string(packed ? "tensor<?x?x" : "tensor<?x?x?x") +
         std::to_string(dim) + "x" + nameOf(kind) + ">";
}

static void makeRandom(Array &array, double amplitude, unsigned seed) {
  Array::forEach(array.shape(), [&](llvm::ArrayRef<int64_t> at) {
    seed = seed * 1664525u + 1013904223u;
    array.set(at, (double(seed >> 8) / (1 << 24) - 0.5) * amplitude);
  });
}

/// Equal in kind (NaN, infinity), and near if finite.
static bool isNear(double got, long double want, double tolerance) {
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got);
  if (std::isinf(want) || std::isinf(got))
    return got == static_cast<double>(want);
  return std::abs(got - want) <= tolerance;
}

void Problem::check(ReferencePrecision precision, double bits) {
  bool packed = !segmentsQ.empty();
  std::string qType = tensor(packed, dim, kind),
              vType = tensor(packed, valueDim, kind),
              lType = packed ? "tensor<?x?xf32>" : "tensor<?x?x?xf32>";
  std::string text = "func.func @f(%q: " + qType + ", %k: " + qType +
                     ", %v: " + vType + arguments + ") -> (" + vType + ", " +
                     lType + ") {\n  %o, %l = attn.attention %q, %k, %v " +
                     (mask.empty() ? "" : "mask (" + mask + ") ") +
                     (topLeft ? "alignment top_left " : "") + clauses + " : " +
                     qType + ", " + qType + ", " + vType + " -> " + vType +
                     ", " + lType + "\n  return %o, %l : " + vType + ", " +
                     lType + "\n}\n";
  // Problems that differ in extents only share a program.
  // Never destroyed: an engine's destructor compiles, which after LLVM's own
  // statics are gone, at the end of the process, crashes.
  static auto &programs =
      *new std::map<std::pair<std::string, ReferencePrecision>,
                    std::unique_ptr<ReferenceProgram>>;
  auto [entry, isNew] = programs.try_emplace({text, precision});
  if (isNew)
    entry->second = ReferenceProgram::compile(text, precision);
  ReferenceProgram *program = entry->second.get();
  ASSERT_TRUE(program) << text;

  auto shape = [&](int64_t heads, int64_t length, int64_t last) {
    return packed ? std::vector<int64_t>{length, heads, last}
                  : std::vector<int64_t>{batch, heads, length, last};
  };
  // Strides that no compact array has: heads innermost but one, odd gaps.
  auto strides = [&](int64_t heads, int64_t last) {
    int64_t row = last + 3, place = heads * row + 1;
    return packed ? std::vector<int64_t>{place, row, 1}
                  : std::vector<int64_t>{place * 64 + 5, row, place, 1};
  };
  bool f64 = precision == ReferencePrecision::F64;
  Array q(kind, shape(headsQ, lengthQ, dim), strides(headsQ, dim), 3),
      k(kind, shape(headsKv, lengthKv, dim), strides(headsKv, dim), 1),
      v(kind, shape(headsKv, lengthKv, valueDim), strides(headsKv, valueDim)),
      out(f64 ? Kind::F64 : kind, shape(headsQ, lengthQ, valueDim),
          strides(headsQ, valueDim), 2),
      lse(f64 ? Kind::F64 : Kind::F32,
          packed ? std::vector<int64_t>{headsQ, lengthQ}
                 : std::vector<int64_t>{batch, headsQ, lengthQ});
  makeRandom(q, amplitude, 1);
  makeRandom(k, amplitude, 2);
  makeRandom(v, 2, 3);
  if (edit)
    edit(q, k, v);

  std::vector<Array *> inputs = {&q, &k, &v};
  llvm::append_range(inputs, arrays);
  program->run(inputs, scalars, {&out, &lse});

  double factor = scale ? scale : 1 / std::sqrt(double(dim));
  int64_t segments = packed ? segmentsQ.size() - 1 : batch;
  auto segmentOf = [&](int64_t stored) {
    for (int64_t s = 0; s < segments; ++s)
      if (segmentsQ[s] <= stored && stored < segmentsQ[s + 1])
        return s;
    return int64_t(-1);
  };
  auto at = [&](int64_t b, int64_t h, int64_t s, int64_t d) {
    return packed ? std::vector<int64_t>{s, h, d}
                  : std::vector<int64_t>{b, h, s, d};
  };

  for (int64_t outer = 0; outer < (packed ? 1 : batch); ++outer)
    for (int64_t h = 0; h < headsQ; ++h)
      for (int64_t stored = 0; stored < lengthQ; ++stored) {
        int64_t b = packed ? segmentOf(stored) : outer;
        int64_t firstQ = packed && b >= 0 ? segmentsQ[b] : 0,
                firstKv = packed && b >= 0 ? segmentsKv[b] : 0;
        int64_t sq = packed && b >= 0 ? segmentsQ[b + 1] - firstQ : lengthQ,
                skv = packed && b >= 0 ? segmentsKv[b + 1] - firstKv : lengthKv;
        if (b >= 0 && !usedQ.empty())
          sq = usedQ[b];
        if (b >= 0 && !usedKv.empty())
          skv = usedKv[b];
        int64_t i = stored - firstQ;
        bool counts = b >= 0 && i < sq;
        int64_t p = topLeft ? i : i + skv - sq, hk = h / (headsQ / headsKv);

        std::vector<std::pair<int64_t, long double>> seen;
        for (int64_t j = 0; counts && j < skv; ++j) {
          At where{b, h, p, j, stored, firstKv + j};
          if (!visible(where))
            continue;
          long double dot = 0;
          for (int64_t d = 0; d < dim; ++d)
            dot += (long double)q.get(at(b, h, stored, d)) *
                   k.get(at(b, hk, firstKv + j, d));
          long double s = score(dot * factor, where);
          if (s != -kInf)
            seen.push_back({firstKv + j, s});
        }
        long double maximum = -kInf;
        bool nan = false;
        for (auto [j, s] : seen) {
          maximum = std::max(maximum, s);
          nan |= std::isnan(s);
        }
        bool hasSink = counts && !sinks.empty();
        if (hasSink)
          maximum = std::max<long double>(maximum, sinks[h]);
        long double sum =
            hasSink && sinks[h] != -kInf
                ? (sinks[h] == maximum ? 1 : std::exp(sinks[h] - maximum))
                : 0;
        std::vector<long double> want(valueDim, 0.0L);
        for (auto [j, s] : seen)
          sum += std::exp(s - maximum);
        for (auto [j, s] : seen)
          for (int64_t e = 0; e < valueDim; ++e)
            want[e] += std::exp(s - maximum) / sum * v.get(at(b, hk, j, e));
        long double wantLse = maximum + std::log(sum);
        if (nan) {
          wantLse = kNaN;
          want.assign(valueDim, kNaN);
        } else if (seen.empty()) {
          wantLse = hasSink ? sinks[h] : -kInf;
        }

        std::string where = "b " + std::to_string(b) + ", h " +
                            std::to_string(h) + ", i " + std::to_string(i);
        long double largest = 0;
        for (long double value : want)
          if (std::isfinite(value))
            largest = std::max(largest, std::abs(value));
        double relative = std::exp2(-bits);
        for (int64_t e = 0; e < valueDim; ++e) {
          double got = out.get(at(b >= 0 ? b : 0, h, stored, e));
          EXPECT_TRUE(isNear(got, want[e], largest * relative))
              << where << ", e " << e << ": got " << got << ", want "
              << (double)want[e];
        }
        double got = lse.get(packed ? std::vector<int64_t>{h, stored}
                                    : std::vector<int64_t>{outer, h, stored});
        long double tolerance =
            std::exp2(f64 ? -bits : -20.0) *
            std::max<long double>(1, std::isfinite(wantLse) ? std::abs(wantLse)
                                                            : 1);
        EXPECT_TRUE(isNear(got, wantLse, tolerance))
            << where << ": lse got " << got << ", want " << (double)wantLse;
      }
}
