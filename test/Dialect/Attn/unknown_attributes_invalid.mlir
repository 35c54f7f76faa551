// RUN: attn-opt %s --split-input-file --verify-diagnostics

// A misspelt attribute passed silently, and with it what the user had asked for.

// On an argument, on a result.
// expected-error @+1 {{'func.func' op argument 1 has the attribute 'attn.nmae', which nothing reads; expected attn.name or attn.dims, the nearest is 'attn.name'}}
func.func @argument(%q: tensor<4xf32>, %k: tensor<4xf32> {attn.nmae = "keys"}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op result 0 has the attribute 'attn.dim', which nothing reads; expected attn.name or attn.dims, the nearest is 'attn.dims'}}
func.func @result(%q: tensor<?xf32>) -> (tensor<?xf32> {attn.dim = ["n"]}) {
  return %q : tensor<?xf32>
}

// -----

// A value of another kind was no name, either.
// expected-error @+1 {{'func.func' op argument 0 expected 'attn.name' to be a string, got 3 : i32}}
func.func @name(%q: tensor<4xf32> {attn.name = 3 : i32}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op argument 0 expected 'attn.dims' to be an array of names and numbers, got "n"}}
func.func @dims(%q: tensor<?xf32> {attn.dims = "n"}) {
  return
}

// -----

// On operations.
// expected-error @+1 {{'func.func' op has the attribute 'attn.name', which nothing reads; expected 'attn.name' on an argument or a result of a function}}
func.func @function() attributes {attn.name = "g"} {
  return
}

// -----

func.func @operation(%x: f32) -> f32 {
  // expected-error @+1 {{'arith.addf' op has the attribute 'attn.fast', which nothing reads; the dialect's attributes of operations are attn.schedule, attn.signature, attn.owned, attn.choice, attn.rejected and attn.kernels}}
  %y = arith.addf %x, %x {attn.fast} : f32
  return %y : f32
}

// -----

// attn.attention C11
!t = tensor<1x1x4x8xf32>
func.func @attention(%q: !t) -> !t {
  // expected-error @+1 {{'attn.attention' op attribute 'maks' is not known, expected one of alignment, mask, mask_maps, scale, score_maps, or one with the name of a dialect in front, as in 'user.maks'; the nearest is 'mask'}}
  %x = attn.attention %q, %q, %q {maks = #attn.causal} : !t, !t, !t -> !t
  return %x : !t
}

// -----

// What has another dialect's name in front is the user's own.
!t = tensor<1x1x4x8xf32>
func.func @user(%q: !t {user.name = "q", attn.name = "queries", attn.dims = [1, 1, 4, 8]}) -> !t {
  %x = attn.attention %q, %q, %q {user.layer = 3 : i32} : !t, !t, !t -> !t
  return %x : !t
}

// -----

func.func @schedule_of_another_kind(%q: tensor<1x1x4x64xbf16>) -> tensor<1x1x4x64xbf16> {
  // expected-error @+1 {{expected 'attn.schedule' to be an #attn.schedule, got 64 : i64}}
  %o = attn.attention %q, %q, %q {attn.schedule = 64} : tensor<1x1x4x64xbf16>, tensor<1x1x4x64xbf16>, tensor<1x1x4x64xbf16> -> tensor<1x1x4x64xbf16>
  return %o : tensor<1x1x4x64xbf16>
}

// -----

// A schedule on a function passed silently, and kernels had another one.
// expected-error @+1 {{'func.func' op has the attribute 'attn.schedule', which nothing reads there; expected it on attn.attention, attn.partial and attn.walk}}
func.func @schedule_of_a_function() attributes {attn.schedule = #attn.schedule<query_tile = 128, key_tile = 128>} {
  return
}

// -----

// expected-error @+1 {{'func.func' op has the attribute 'attn.kernels', which nothing reads there; expected it on modules}}
func.func @kernels_of_a_function() attributes {attn.kernels = []} {
  return
}

// -----

// What is no list of names made the pass that reads it abort.
func.func @rejected(%q: tensor<1x1x4x64xbf16>) -> tensor<1x1x4x64xbf16> {
  // expected-error @+1 {{expected 'attn.rejected' to be an array of strings, got [64]}}
  %o = attn.attention %q, %q, %q {attn.rejected = [64]} : tensor<1x1x4x64xbf16>, tensor<1x1x4x64xbf16>, tensor<1x1x4x64xbf16> -> tensor<1x1x4x64xbf16>
  return %o : tensor<1x1x4x64xbf16>
}

// -----

// The dialect's name is missing: 'scale' was called the nearest.
func.func @schedule_without_dialect(%q: tensor<1x1x4x64xbf16>) -> tensor<1x1x4x64xbf16> {
  // expected-error @+1 {{or one with the name of a dialect in front, as in 'user.schedule'; the nearest is 'attn.schedule'}}
  %o = attn.attention %q, %q, %q {schedule = #attn.schedule<query_tile = 128, key_tile = 128>} : tensor<1x1x4x64xbf16>, tensor<1x1x4x64xbf16>, tensor<1x1x4x64xbf16> -> tensor<1x1x4x64xbf16>
  return %o : tensor<1x1x4x64xbf16>
}

// -----

func.func @misspelt_schedule(%q: tensor<1x1x4x64xbf16>) -> tensor<1x1x4x64xbf16> {
  // expected-error @+1 {{has the attribute 'attn.shedule', which nothing reads; the dialect's attributes of operations are attn.schedule, attn.signature, attn.owned, attn.choice, attn.rejected and attn.kernels, the nearest is 'attn.schedule'}}
  %o = attn.attention %q, %q, %q {attn.shedule = 3} : tensor<1x1x4x64xbf16>, tensor<1x1x4x64xbf16>, tensor<1x1x4x64xbf16> -> tensor<1x1x4x64xbf16>
  return %o : tensor<1x1x4x64xbf16>
}
