// RUN: attn-opt %s --attn-lower-to-reference | FileCheck %s
// RUN: attn-opt %s --attn-lower-to-reference=precision=plain \
// RUN:   | FileCheck %s --check-prefix=PLAIN

// In f64, f32 of a region is f64; casts to narrower types stay roundings; bits
// keep the user's width; fast-math goes. Plain keeps the region's types; functions
// are computed in f64 and rounded.

// CHECK-LABEL: func.func @score(
// CHECK:         %[[SLOPE:[a-z0-9_]+]] = memref.load %{{.*}} : memref<4xf32
// CHECK:         %[[WIDE:[a-z0-9_]+]] = arith.extf %[[SLOPE]] : f32 to f64
// CHECK:         %[[CAP:[a-z0-9_]+]] = arith.constant 3.000000e+01 : f64
// CHECK:         %[[X:[a-z0-9_]+]] = arith.divf %[[S:[a-z0-9_]+]], %[[CAP]] : f64
// CHECK:         %[[T:[a-z0-9_]+]] = math.tanh %[[X]] : f64
// CHECK:         %[[Y:[a-z0-9_]+]] = arith.mulf %[[T]], %[[WIDE]] : f64
// CHECK:         %[[Y32:[a-z0-9_]+]] = arith.truncf %[[Y]] : f64 to f32
// CHECK:         %[[Y16:[a-z0-9_]+]] = arith.truncf %[[Y32]] : f32 to bf16
// CHECK:         %[[Y32B:[a-z0-9_]+]] = arith.extf %[[Y16]] : bf16 to f32
// CHECK:         %[[Z:[a-z0-9_]+]] = arith.extf %[[Y32B]] : f32 to f64
// CHECK:         %[[Z32:[a-z0-9_]+]] = arith.truncf %[[Z]] : f64 to f32
// CHECK:         %[[BITS:[a-z0-9_]+]] = arith.bitcast %[[Z32]] : f32 to i32
// CHECK:         %[[BACK:[a-z0-9_]+]] = arith.bitcast %[[BITS]] : i32 to f32
// CHECK:         %[[FINAL:[a-z0-9_]+]] = arith.extf %[[BACK]] : f32 to f64
// A score that f32 cannot hold is infinite.
// CHECK:         %[[F32:[a-z0-9_]+]] = arith.truncf %[[FINAL]] : f64 to f32
// CHECK:         %[[F64:[a-z0-9_]+]] = arith.extf %[[F32]] : f32 to f64
// CHECK:         %[[KEPT:[a-z0-9_]+]] = arith.select %{{.*}}, %[[F64]], %[[FINAL]] : f64
// CHECK:         memref.store %[[KEPT]]

// PLAIN-LABEL: func.func @score(
// PLAIN:         %[[SLOPE:[a-z0-9_]+]] = memref.load %{{.*}} : memref<4xf32
// PLAIN:         %[[CAP:[a-z0-9_]+]] = arith.constant 3.000000e+01 : f32
// PLAIN:         %[[X:[a-z0-9_]+]] = arith.divf %[[S:[a-z0-9_]+]], %[[CAP]] : f32
// PLAIN:         %[[XW:[a-z0-9_]+]] = arith.extf %[[X]] : f32 to f64
// PLAIN:         %[[TW:[a-z0-9_]+]] = math.tanh %[[XW]] : f64
// PLAIN:         %[[T:[a-z0-9_]+]] = arith.truncf %[[TW]] : f64 to f32
// PLAIN:         %[[Y:[a-z0-9_]+]] = arith.mulf %[[T]], %[[SLOPE]] : f32
// PLAIN:         %[[Y16:[a-z0-9_]+]] = arith.truncf %[[Y]] : f32 to bf16
// PLAIN:         %[[Z:[a-z0-9_]+]] = arith.extf %[[Y16]] : bf16 to f32
// PLAIN:         arith.bitcast %[[Z]] : f32 to i32
func.func @score(%q: tensor<1x4x8x16xf32>, %k: tensor<1x4x8x16xf32>,
                 %v: tensor<1x4x8x16xf32>, %slopes: tensor<4xf32>)
    -> tensor<1x4x8x16xf32> {
  %out = attn.attention %q, %k, %v
      score (%slopes : tensor<4xf32>)
      score_maps [affine_map<(b, h, i, j) -> (h)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %slope: f32):
        %cap = arith.constant 30.0 : f32
        %x = arith.divf %s, %cap fastmath<fast> : f32
        %t = math.tanh %x fastmath<afn> : f32
        %y = arith.mulf %t, %slope : f32
        %n = arith.truncf %y : f32 to bf16
        %z = arith.extf %n : bf16 to f32
        %bits = arith.bitcast %z : f32 to i32
        %back = arith.bitcast %bits : i32 to f32
        attn.yield %back : f32
      }
      : tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>
      -> tensor<1x4x8x16xf32>
  return %out : tensor<1x4x8x16xf32>
}

// A tensor passed whole is read with its indices clamped, at 0 if it is empty.

// CHECK-LABEL: func.func @visible(
// CHECK-SAME:    %[[TENSOR:[a-z0-9]+]]: tensor<?xi1>
// CHECK:         %[[TABLE:[a-z0-9_]+]] = bufferization.to_buffer %[[TENSOR]]
// CHECK:         scf.for %[[R:[a-z0-9_]+]] = {{.*}} -> (index, f64)
// CHECK:           memref.dim %[[TABLE]]
// CHECK:           %[[EMPTY:[a-z0-9_]+]] = arith.cmpi eq
// CHECK:           %[[DIM:[a-z0-9_]+]] = memref.dim %[[TABLE]]
// CHECK:           %[[LAST:[a-z0-9_]+]] = arith.subi %[[DIM]], %{{.*}}
// CHECK:           %[[MIN:[a-z0-9_]+]] = arith.minsi %[[R]], %[[LAST]]
// CHECK:           %[[AT:[a-z0-9_]+]] = arith.maxsi %[[MIN]], %{{.*}}
// CHECK:           %[[PLACE:[a-z0-9_]+]] = arith.select %[[EMPTY]], %{{.*}}, %[[AT]]
// CHECK:           %[[BIT:[a-z0-9_]+]] = memref.load %[[TABLE]][%[[PLACE]]]
// CHECK:           scf.if %[[BIT]]
func.func @visible(%q: tensor<1x4x8x16xf32>, %k: tensor<1x4x8x16xf32>,
                   %v: tensor<1x4x8x16xf32>, %table: tensor<?xi1>)
    -> tensor<1x4x8x16xf32> {
  %out = attn.attention %q, %k, %v mask (#attn.region)
      visible (%table : tensor<?xi1>)
      visible_maps [affine_map<(b, h, i, j) -> ()>]
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index, %t: tensor<?xi1>):
        %bit = tensor.extract %t[%r] : tensor<?xi1>
        attn.yield %bit : i1
      }
      : tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>
      -> tensor<1x4x8x16xf32>
  return %out : tensor<1x4x8x16xf32>
}
