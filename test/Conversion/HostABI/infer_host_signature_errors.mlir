// RUN: attn-opt %s --attn-infer-host-signature --split-input-file --verify-diagnostics

// C1
// expected-error @below {{has 4 faults: (1) argument 0 expected a ranked tensor of f16, bf16, f32, f64, i1, i8, i16, i32 or i64, or a scalar of type index, i32, i64, f32 or f64, got tensor<*xf32>; (2) argument 1 expected a ranked tensor of f16, bf16, f32, f64, i1, i8, i16, i32 or i64, or a scalar of type index, i32, i64, f32 or f64, got bf16; (3) argument 2 expected a ranked tensor}}
func.func @types(%a: tensor<*xf32>, %b: bf16, %c: tensor<4xi4>, %d: tensor<4xf32>) -> i32 {
  %0 = arith.constant 0 : i32
  return %0 : i32
}

// -----

// C2
// expected-error @below {{expected one func.return, got 2}}
func.func @returns(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : tensor<4xf32>
^bb2:
  return %a : tensor<4xf32>
}

// -----

// C3
// expected-error @below {{result 'out' has an extent 0 that no argument determines; expected it to be constant, or 'attn.dims' that name it as an argument's}}
func.func @unknown(%n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// C4
func.func @conflict(%q: tensor<1x1x4x8xf32>, %k: tensor<1x1x?x8xf32>,
                    %v: tensor<1x1x?x8xf32>, %a: tensor<1x1x96x8xf32>,
                    %b: tensor<1x1x100x8xf32>) -> tensor<1x1x4x8xf32> {
  %k1 = tensor.cast %a : tensor<1x1x96x8xf32> to tensor<1x1x?x8xf32>
  %v1 = tensor.cast %b : tensor<1x1x100x8xf32> to tensor<1x1x?x8xf32>
  // expected-error @below {{expected extent 2 of 'v' to be 96 as extent 2 of 'k', got 100}}
  %0 = attn.attention %q, %k1, %v1
      : tensor<1x1x4x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>
      -> tensor<1x1x4x8xf32>
  return %0 : tensor<1x1x4x8xf32>
}

// -----

// C4, of relations: head counts that meet only through casts.
func.func @heads(%q: tensor<1x4x4x8xf32>, %a: tensor<1x3x4x8xf32>)
    -> tensor<1x4x4x8xf32> {
  %k = tensor.cast %a : tensor<1x3x4x8xf32> to tensor<1x?x4x8xf32>
  // expected-error @below {{expected extent 1 of 'q' to be a multiple of 3 because of extent 1 of 'k', got 4}}
  %0 = attn.attention %q, %k, %k
      : tensor<1x4x4x8xf32>, tensor<1x?x4x8xf32>, tensor<1x?x4x8xf32>
      -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}

// -----

// expected-error @below {{argument 0 expected 'attn.dims' of names and numbers of at least 0, got -1}}
func.func @negative_dims(%a: tensor<?xf32> {attn.dims = [-1]}) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{has 3 faults: (1) argument 0 expected 'attn.dims' of 2 entries, got 1; (2) argument 1 has 'attn.dims' [5], which the type or another annotation contradicts; (3) result 0 expected 'attn.dims' of names and numbers, got f32}}
func.func @annotations(%a: tensor<?x?xf32> {attn.dims = ["N"]},
                       %b: tensor<4xf32> {attn.dims = [5]})
    -> (tensor<4xf32> {attn.dims = [f32]}) {
  return %b : tensor<4xf32>
}

// -----

// C5: names of what generated code calls, and names that C does not take.
// expected-error @below {{'func.func' op its name is a function of the C library, which compiled code calls; expected another one, such as 'attn_malloc'}}
func.func @malloc(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// expected-error @below {{its name is where a program begins; expected another one, such as 'attn_main'}}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// expected-error @below {{its name begins with an underscore, as names of compilers and of their libraries do; expected another one, such as 'divti3'}}
func.func @__divti3(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// expected-error @below {{its name is not an identifier in C; expected another one, such as 'my_function'}}
func.func @"my-function"(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// expected-error @below {{its name is not an identifier in C; expected another one, such as 'a_b'}}
func.func @"a\00b"(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// expected-error @below {{its name is not an identifier in C; expected another one, such as 'f'}}
func.func @""(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// expected-error @below {{its name is a keyword of C or C++; expected another one, such as 'int_'}}
func.func @int(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// What a condition chooses has the extent of both ways or none: the ways may
// differ here.
// expected-error @below {{result 'out' has an extent 0 that no argument determines}}
func.func @either(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  %0 = tensor.extract %c[] : tensor<i1>
  %1 = scf.if %0 -> tensor<?xf32> {
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  return %1 : tensor<?xf32>
}

// -----

// What a loop carries has another extent after every step.
// expected-error @below {{result 'out' has an extent 0 that no argument determines}}
func.func @growing(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %y = tensor.concat dim(0) %x, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
