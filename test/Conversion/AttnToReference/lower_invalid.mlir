// RUN: attn-opt %s --attn-lower-to-reference --split-input-file --verify-diagnostics

!t = tensor<1x1x4x8xf32>

func.func @chained(%q: !t, %k: !t) -> !t {
  %x = attn.attention %q, %k, %k : !t, !t, !t -> !t
  // expected-error @below {{'attn.attention' op operand 0 expected an argument of the function, got the result of another operation: the reference lowers attention on arguments only}}
  %y = attn.attention %x, %k, %k : !t, !t, !t -> !t
  return %y : !t
}

// -----

!t = tensor<1x1x4x8xf32>

func.func @other_tensors(%q: !t, %k: !t) -> !t {
  // expected-error @below {{'arith.addf' op is not lowered by the reference; expected attn.attention, tensor.dim, tensor.cast or tensor.extract of arguments, or operations without tensors}}
  %sum = arith.addf %q, %k : !t
  // expected-error @below {{operand 1 expected an argument of the function}}
  %x = attn.attention %q, %sum, %k : !t, !t, !t -> !t
  return %x : !t
}

// -----

!t = tensor<1x1x4x8xf32>

func.func @returned(%q: !t, %k: !t) -> (!t, !t, !t) {
  %x = attn.attention %q, %k, %k : !t, !t, !t -> !t
  // expected-error @below {{'func.return' op has 2 faults: (1) operand 1 expected a result of attn.attention, got another tensor; (2) operand 2 expected each result of attn.attention once, got one that is returned twice}}
  return %x, %q, %x : !t, !t, !t
}

// -----

!t = tensor<1x1x4x8xf32>

func.func @nested(%q: !t, %k: !t, %c: i1) -> !t {
  // expected-error @below {{'scf.if' op holds attn.attention; the reference lowers attention directly in a function only}}
  %x = scf.if %c -> (!t) {
    %y = attn.attention %q, %k, %k : !t, !t, !t -> !t
    scf.yield %y : !t
  } else {
    scf.yield %q : !t
  }
  // expected-error @below {{operand 0 expected a result of attn.attention, got another tensor}}
  return %x : !t
}

// -----

!t = tensor<1x1x4x8xf32>

// expected-error @below {{'func.func' op holds attn.attention; the reference expected one block, got 2}}
func.func @blocks(%q: !t, %k: !t) -> !t {
  %x = attn.attention %q, %k, %k : !t, !t, !t -> !t
  cf.br ^bb1
^bb1:
  return %x : !t
}

// -----

!t = tensor<1x1x4x8xf32>

func.func @called(%q: !t, %k: !t) -> !t {
  %x = attn.attention %q, %k, %k : !t, !t, !t -> !t
  return %x : !t
}

func.func @caller(%q: !t, %k: !t) -> !t {
  // expected-error @below {{'func.call' op calls 'called', which holds attention and becomes a function over buffers; expected no call to it: inline it first}}
  %x = call @called(%q, %k) : (!t, !t) -> !t
  return %x : !t
}

// -----

!t = tensor<1x1x4x8xf32>

func.func @region(%q: !t, %k: !t) -> !t {
  %x = attn.attention %q, %k, %k score_region {
  ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
    // expected-error @below {{'arith.constant' op is not lowered by the reference in a region of attn.attention; expected arith, math, index, scf or affine operations on scalars, tensor.extract or tensor.dim of a tensor passed whole, got  -> 'tensor<2xf32>'}}
    %table = arith.constant dense<1.0> : tensor<2xf32>
    // expected-error @below {{'tensor.extract' op is not lowered by the reference in a region of attn.attention}}
    %y = tensor.extract %table[%h] : tensor<2xf32>
    attn.yield %y : f32
  } : !t, !t, !t -> !t
  return %x : !t
}
