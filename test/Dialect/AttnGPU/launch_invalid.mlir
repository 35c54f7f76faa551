// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_unknown(%to: tensor<?x64xbf16>, %n: index) {
  // expected-error @+1 {{no kernel @unknown}}
  attn_gpu.launch @unknown blocks %n ins() outs(%to : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return
}

// -----

func.func @no_kernel() {
  return
}
func.func @c1_function(%to: tensor<?x64xbf16>, %n: index) {
  // expected-error @+1 {{no kernel @no_kernel}}
  attn_gpu.launch @no_kernel blocks %n ins() outs(%to : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return
}

// -----

attn_gpu.kernel @k(%x: memref<?x64xbf16>, %n: index, %y: memref<?x64xbf16>) warpgroups 1 {
  attn_gpu.return
}
func.func @c1_number(%to: tensor<?x64xbf16>, %n: index) {
  // expected-error @+1 {{expected 3 arguments of @k, got 2}}
  attn_gpu.launch @k blocks %n ins(%n : index) outs(%to : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return
}

// -----

attn_gpu.kernel @k(%x: memref<?x64xbf16>, %n: index, %y: memref<?x64xbf16>) warpgroups 1 {
  attn_gpu.return
}
func.func @c1_types(%from: tensor<?x128xbf16>, %n: index, %m: i32, %to: tensor<?x64xf16>) {
  // expected-error @+3 {{argument 0 expected 'memref<?x64xbf16>', got 'tensor<?x128xbf16>'}}
  // expected-error @+2 {{argument 1 expected 'index', got 'i32'}}
  // expected-error @+1 {{argument 2 expected 'memref<?x64xbf16>', got 'tensor<?x64xf16>'}}
  attn_gpu.launch @k blocks %n ins(%from, %m : tensor<?x128xbf16>, i32) outs(%to : tensor<?x64xf16>) -> tensor<?x64xf16>
  return
}

// -----

attn_gpu.kernel @k(%y: memref<?x64xbf16>) warpgroups 1 {
  attn_gpu.return
}
func.func @c2_none(%n: index, %to: tensor<?x64xbf16>) {
  // expected-error @+1 {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  attn_gpu.launch @k blocks %n ins() outs(%to : tensor<?x64xbf16>)
  return
}

// -----

attn_gpu.kernel @k(%y: memref<?x64xbf16>) warpgroups 1 {
  attn_gpu.return
}
func.func @c2_type(%n: index, %to: tensor<?x64xbf16>) {
  // expected-error @+1 {{expected type of operand #1 ('tensor<?x64xbf16>') to match type of corresponding result ('tensor<4x64xbf16>')}}
  attn_gpu.launch @k blocks %n ins() outs(%to : tensor<?x64xbf16>) -> tensor<4x64xbf16>
  return
}

// -----

// An image says what its parameters are made of.

attn_gpu.image @k chip "sm_90a" threads 128 shared 0 parameters
    [{argument = 1 : i64, kind = "pointer"}, {argument = 0 : i64, kind = "extent", dimension = 0 : i64},
     {argument = 0 : i64, kind = "scalar"}] ptx ""
func.func @c3(%n: index, %to: tensor<?x64xbf16>) {
  // expected-error @+2 {{parameter 0 of @k is made of argument 1, got 1 in all}}
  // expected-error @+1 {{parameter 2 of @k expected argument 0 to be a scalar, got 'tensor<?x64xbf16>'}}
  attn_gpu.launch @k blocks %n ins() outs(%to : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return
}

// -----

attn_gpu.image @k chip "sm_90a" threads 128 shared 0 parameters
    [{argument = 0 : i64, kind = "pointer"}, {argument = 1 : i64, kind = "stride", dimension = 2 : i64}] ptx ""
func.func @c3_tensors(%n: index, %to: tensor<?x64xbf16>) {
  // expected-error @+2 {{parameter 0 of @k expected argument 0 to be a tensor, got 'index'}}
  // expected-error @+1 {{parameter 1 of @k expected argument 1 to have a dimension 2, got 'tensor<?x64xbf16>'}}
  attn_gpu.launch @k blocks %n ins(%n : index) outs(%to : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return
}
