// RUN: attn-opt %s --attn-check-host-program --split-input-file --verify-diagnostics

// Each is refused at the user's own operation, before a pass that knows nothing
// of it would fail on it.

// C1
!t = tensor<1x1x4x8xf32>
func.func @f(%q: !t) -> !t {
  return %q : !t
}
// expected-error @below {{'builtin.module' op is nested in a module, and nothing in it would be compiled; expected functions in one module}}
module @inner {
  func.func @f(%q: !t) -> !t {
    %x = attn.attention %q, %q, %q : !t, !t, !t -> !t
    return %x : !t
  }
}
// expected-error @below {{'builtin.module' op is nested in a module}}
module {
}

// -----

// C2: private ones, and those without tensors, are symbols of the object, too.
// expected-error @below {{'func.func' op is not compiled: its name is a function of the C library, which compiled code calls; expected another one, such as 'attn_exp'}}
func.func private @exp(%x: f64) -> f64 {
  return %x : f64
}
// expected-error @below {{its name begins with attn_rt_, as names of the runtime do; expected another one, such as 'attn_scale'}}
func.func @attn_rt_scale(%x: f64) -> f64 {
  return %x : f64
}
func.func private @log(f64) -> f64
func.func @fine(%x: f64) -> f64 {
  %0 = call @exp(%x) : (f64) -> f64
  %1 = call @log(%0) : (f64) -> f64
  return %1 : f64
}

// -----

// C3
// expected-error @below {{'func.func' op is on tensors and has 2 blocks, expected one: use scf instead of cf}}
func.func @blocks(%q: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %q : tensor<4xf32>
}

// -----

// C4
// expected-note @below {{the function is here}}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
// expected-note @below {{the function is here}}
func.func private @itself(%q: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'func.call' op calls 'itself' on tensors, which is only possible where the function can be inlined; expected one that does not call itself, and whose operations may be inlined}}
  %0 = call @itself(%q) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-note @below {{the function is here}}
func.func private @branches(%q: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %q : tensor<4xf32>
}
func.func @caller(%q: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected one with a body, got a declaration}}
  %0 = call @declared(%q) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{expected one with a single block, got 2 blocks: use scf instead of cf}}
  %1 = call @branches(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// C5
func.func @operations(%q: tensor<4x4xf32>, %n: index, %i: tensor<4x1xi32>) -> tensor<4x4xf32> {
  // expected-error @below {{'tosa.abs' op is of dialect 'tosa', which is not compiled; expected operations of attn, linalg, tensor, scf, arith and math: lower to these first}}
  %0 = tosa.abs %q : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-error @below {{'linalg.softmax' op on tensors is not compiled; expected structured operations of linalg, elementwise ones of arith and math, scf, and those of tensor that bufferize: decompose it into these first}}
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error @below {{'tensor.gather' op on tensors is not compiled}}
  %2 = tensor.gather %1[%i] gather_dims([0]) : (tensor<4x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
  // expected-error @below {{'tensor.cast' op has a tensor of type 'tensor<*xf32>', expected one whose rank is known}}
  %3 = tensor.cast %2 : tensor<4x4xf32> to tensor<*xf32>
  // expected-error @below {{'tensor.cast' op has a tensor of type}}
  %4 = tensor.cast %3 : tensor<*xf32> to tensor<4x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.while' op carries tensors, which is only compiled of loops whose steps are counted; expected scf.for}}
  %5:2 = scf.while (%j = %c0, %x = %4) : (index, tensor<4x4xf32>) -> (index, tensor<4x4xf32>) {
    %c = arith.cmpi slt, %j, %n : index
    scf.condition(%c) %j, %x : index, tensor<4x4xf32>
  } do {
  ^bb0(%j: index, %x: tensor<4x4xf32>):
    %k = arith.addi %j, %c1 : index
    %y = arith.addf %x, %x : tensor<4x4xf32>
    scf.yield %k, %y : index, tensor<4x4xf32>
  }
  return %5#1 : tensor<4x4xf32>
}

// -----

// C5: what ends the process or prints has no tensors, and was compiled.
func.func @effects(%q: tensor<4xf32>, %c: i1, %x: f32) -> tensor<4xf32> {
  // expected-error @below {{'cf.assert' op ends or prints from within a function that is called from C, which is not compiled; expected what it looks at as a result of the function}}
  cf.assert %c, "no"
  // expected-error @below {{'vector.print' op ends or prints}}
  vector.print %x : f32
  return %q : tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op needs the name '@f_impl' for its code, which is taken; expected another name for one of the two}}
func.func @f(%q: tensor<4xf32>) -> tensor<4xf32> {
  return %q : tensor<4xf32>
}
// expected-note @below {{by this operation}}
func.func @f_impl(%q: tensor<4xf32>) -> tensor<4xf32> {
  return %q : tensor<4xf32>
}

// -----

// C9: memory that nothing had written was read, of attention and around it.
!t = tensor<1x1x4x8xf32>
func.func @unwritten(%q: !t, %x: tensor<4x4xf32>, %i: index) -> (!t, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) {
  // expected-note @below {{made here}}
  %e = tensor.empty() : !t
  // expected-note @below {{made here}}
  %s = tensor.empty() : tensor<4xf32>
  %e1 = tensor.expand_shape %s [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
  %e2 = tensor.collapse_shape %e1 [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  %e3 = tensor.extract_slice %e2[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  // expected-error @below {{'attn.attention' op reads 'k', to which nothing has been written; expected a tensor of values, made by linalg.fill for instance}}
  // expected-error @below {{'attn.attention' op reads 'sinks', to which nothing has been written}}
  %0 = attn.attention %q, %e, %q sinks(%e3 : tensor<1xf32>) : !t, !t, !t -> !t
  // expected-note @below {{made here}}
  %d = tensor.empty() : tensor<4x4xf32>
  // expected-error @below {{'linalg.matmul' op reads operand 2, to which nothing has been written}}
  %1 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error @below {{'arith.addf' op reads operand 1, to which nothing has been written}}
  %2 = arith.addf %x, %d : tensor<4x4xf32>
  // expected-error @below {{'tensor.extract' op reads operand 0, to which nothing has been written}}
  %3 = tensor.extract %d[%i, %i] : tensor<4x4xf32>
  // expected-error @below {{'func.return' op reads operand 3, to which nothing has been written}}
  return %0, %1, %2, %d, %3 : !t, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32
}

// -----

// C9: destinations are written.
func.func @written(%x: tensor<4x4xf32>, %n: index) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<4x4xf32>
  %zero = linalg.fill ins(%f : f32) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) permutation = [1, 0]
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %d) -> tensor<4x4xf32> {
    %s = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
    %z = tensor.insert_slice %s into %y[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
    scf.yield %z : tensor<4x4xf32>
  }
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
