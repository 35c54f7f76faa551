// RUN: attn-opt %s --split-input-file --verify-diagnostics

// What attributes refuse.

// #attn.window C1: at least one side.
// expected-error @+1 {{window needs left, right or both; without a mask every key is visible}}
func.func private @f() attributes {mask = #attn.window<>}

// -----

// #attn.window C1: left is not negative.
// expected-error @+1 {{window's left expected at least 0, got -1}}
func.func private @f() attributes {mask = #attn.window<left = -1>}

// -----

// #attn.window C1: right is not negative.
// expected-error @+1 {{window's right expected at least 0, got -2}}
func.func private @f() attributes {mask = #attn.window<left = 4, right = -2>}

// -----

// #attn.window names each side once.
// expected-error @+1 {{'left' is given twice; expected left = N, right = N or both, as in #attn.window<left = 1023, right = 0>}}
func.func private @f() attributes {mask = #attn.window<left = 4, left = 5>}

// -----

// #attn.window: 64 bits.
// expected-error @+1 {{integer value too large}}
func.func private @f() attributes {mask = #attn.window<left = 9223372036854775808>}

// -----

// What a mask does not know says what it knows: was "expected '>'".
// expected-error @+1 {{a window has no 'lft'; expected left = N, right = N or both, as in #attn.window<left = 1023, right = 0>}}
func.func private @f() attributes {mask = #attn.window<lft = 3>}

// -----

// expected-error @+1 {{a mask without its parameters; expected left = N, right = N or both, as in #attn.window<left = 1023, right = 0>}}
func.func private @f() attributes {mask = #attn.window}

// -----

// expected-error @+1 {{'left' has no number; expected left = N, right = N or both, as in #attn.window<left = 1023, right = 0>}}
func.func private @f() attributes {mask = #attn.window<left 3>}

// -----

// expected-error @+1 {{'left' has no number, got 'x'; expected left = N, right = N or both, as in #attn.window<left = 1023, right = 0>}}
func.func private @f() attributes {mask = #attn.window<left = x>}

// -----

// expected-error @+1 {{a side without a name; expected left = N, right = N or both, as in #attn.window<left = 1023, right = 0>}}
func.func private @f() attributes {mask = #attn.window<3>}

// -----

// expected-error @+1 {{a side without a name; expected left = N, right = N or both, as in #attn.window<left = 1023, right = 0>}}
func.func private @f() attributes {mask = #attn.window<left = 3,>}

// -----

// expected-error @+1 {{more than the mask takes; expected left = N, right = N or both, as in #attn.window<left = 1023, right = 0>}}
func.func private @f() attributes {mask = #attn.window<left = 3 right = 0>}

// -----

// expected-error @+1 {{'size' has no number, got 'w'; expected a number, as in #attn.window_size<16>}}
func.func private @f() attributes {mask = #attn.window_size<w>}

// -----

// expected-error @+1 {{a mask without its parameters; expected a number, as in #attn.window_size<16>}}
func.func private @f() attributes {mask = #attn.window_size}

// -----

// expected-error @+1 {{more than the mask takes; expected a number, as in #attn.window_size<16>}}
func.func private @f() attributes {mask = #attn.window_size<3, 4>}

// -----

// expected-error @+1 {{'size' has no number; expected a number, as in #attn.chunked<16>}}
func.func private @f() attributes {mask = #attn.chunked<>}

// -----

// expected-error @+1 {{'length' has no number, got 'n'; expected a number, as in #attn.prefix<16>, or #attn.prefix alone for the operand 'prefix'}}
func.func private @f() attributes {mask = #attn.prefix<n>}

// -----

// expected-error @+1 {{'length' has no number; expected a number, as in #attn.prefix<16>}}
func.func private @f() attributes {mask = #attn.prefix<>}

// -----

// Was read as the mask without them.
// expected-error @+1 {{a mask that takes no parameters has some; expected #attn.causal alone}}
func.func private @f() attributes {mask = #attn.causal<foo>}

// -----

// expected-error @+1 {{a mask that takes no parameters has some; expected #attn.documents alone}}
func.func private @f() attributes {mask = #attn.documents<3>}

// -----

// expected-error @+1 {{a mask that takes no parameters has some; expected #attn.region alone}}
func.func private @f() attributes {mask = #attn.region<1>}

// -----

// expected-error @+1 {{a part that is no attribute; expected masks, as in #attn.and<#attn.causal, #attn.window<left = 8>>}}
func.func private @f() attributes {mask = #attn.and<causal>}

// -----

// expected-error @+1 {{a mask without its parameters; expected masks, as in #attn.or<#attn.causal, #attn.window<left = 8>>}}
func.func private @f() attributes {mask = #attn.or}

// -----

// expected-error @+1 {{more than the mask takes; expected masks, as in #attn.or<#attn.causal, #attn.window<left = 8>>}}
func.func private @f() attributes {mask = #attn.or<#attn.causal #attn.causal>}

// -----

// #attn.window_size C1.
// expected-error @+1 {{window_size expected at least 1, got 0}}
func.func private @f() attributes {mask = #attn.window_size<0>}

// -----

// #attn.prefix C1.
// expected-error @+1 {{prefix expected at least 0, got -1}}
func.func private @f() attributes {mask = #attn.prefix<-1>}

// -----

// #attn.chunked C1.
// expected-error @+1 {{chunked expected at least 1, got 0}}
func.func private @f() attributes {mask = #attn.chunked<0>}

// -----

// #attn.and C1: parts are masks.
// expected-error @+1 {{and expected mask attributes, got 3 : i32}}
func.func private @f() attributes {mask = #attn.and<#attn.causal, 3 : i32>}

// -----

// #attn.and C1: at least one part. (No part was a syntax error that named no mask.)
// expected-error @+1 {{and expected at least one mask, got none}}
func.func private @f() attributes {mask = #attn.and<>}

// -----

// #attn.or C1: at least one part.
// expected-error @+1 {{or expected at least one mask, got none}}
func.func private @f() attributes {mask = #attn.or<>}

// -----

// #attn.or C1: parts are masks.
// expected-error @+1 {{or expected mask attributes, got #attn<alignment top_left>}}
func.func private @f() attributes {mask = #attn.or<#attn<alignment top_left>>}

// -----

// #attn.or C1, nested.
// expected-error @+1 {{chunked expected at least 1, got -7}}
func.func private @f() attributes {mask = #attn.and<#attn.or<#attn.chunked<-7>>>}

// -----

// No such mask.
// expected-error @+1 {{unknown attribute `casual` in dialect `attn`}}
func.func private @f() attributes {mask = #attn.casual}

// -----

// #attn.segment: a kind.
// expected-error @+2 {{expected ::mlir::attn::SegmentKind to be one of: range, list}}
// expected-error @+1 {{failed to parse Attn_SegmentAttr parameter 'kind' which is to be a `::mlir::attn::SegmentKind`}}
func.func private @f() attributes {mask = #attn.segment<page, full>}

// -----

// #attn.segment: a class.
// expected-error @+2 {{expected ::mlir::attn::SegmentClass to be one of: full, partial}}
// expected-error @+1 {{failed to parse Attn_SegmentAttr parameter 'tiles' which is to be a `::mlir::attn::SegmentClass`}}
func.func private @f() attributes {mask = #attn.segment<range, empty>}

// -----

// #attn.segment: a direction.
// expected-error @+2 {{expected one of [ascending, descending] for the order inside a segment, got: sideways}}
// expected-error @+1 {{failed to parse Attn_SegmentAttr parameter 'direction' which is to be a `SegmentDirection`}}
func.func private @f() attributes {mask = #attn.segment<range, full, sideways>}

// -----

// #attn.dim: a name.
// expected-error @+2 {{expected ::mlir::attn::Dimension to be one of: batch, kv_head, group, query, key_split}}
// expected-error @+1 {{failed to parse Attn_DimensionAttr parameter 'value' which is to be a `::mlir::attn::Dimension`}}
func.func private @f() attributes {mask = #attn.dim<head>}

// -----

// #attn.and, #attn.or: what looks at masks calls itself for each in another.
// expected-error @below {{and expected at most 64 masks in one another; they take any number of parts}}
func.func private @f() attributes {mask = #attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.and<#attn.causal>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>}

// -----

// #attn.schedule C1 and C2, all reasons at once.
// expected-error @+1 {{schedule: 'query_tile' expected 1 to 1024, got 0; 'key_tile' expected 1 to 4096, got 5000; 'stages' expected 1 to 8, got 9; 'work' expected once, strided or dynamic, got 'static'}}
func.func private @f() attributes {s = #attn.schedule<query_tile = 0, key_tile = 5000, stages = 9, work = "static">}

// -----

// #attn.schedule C3, all reasons at once.
// expected-error @+1 {{schedule: 'cluster' expected 1 to 8, got 9; 'work' expected strided with a cluster, got 'dynamic'}}
func.func private @f() attributes {s = #attn.schedule<query_tile = 64, key_tile = 64, cluster = 9>}

// -----

// expected-error @+1 {{schedule: 'cluster' expected 1 to 8, got 0}}
func.func private @f() attributes {s = #attn.schedule<query_tile = 64, key_tile = 64, cluster = 0>}

// -----

// expected-error @+1 {{schedule: 'work' expected strided with a cluster, got 'once'}}
func.func private @f() attributes {s = #attn.schedule<query_tile = 64, key_tile = 64, work = "once", cluster = 2>}

// -----

// #attn.schedule: choices are true or false, and have these names.
// expected-error @+1 {{schedule: 'flatten' expected true or false}}
func.func private @f() attributes {s = #attn.schedule<query_tile = 64, key_tile = 64, flatten = maybe>}

// -----

// expected-error @+1 {{schedule: 'flattened' is not known, expected one of query_tile, key_tile, stages, work, turns, flatten, lazy_rescale, queries_in_registers, early_weights, cluster; the nearest is 'flatten'}}
func.func private @f() attributes {s = #attn.schedule<query_tile = 64, key_tile = 64, flattened = true>}

// -----

// Was read as -1.
// expected-error @+1 {{'left' has no number, got 'true'; expected left = N, right = N or both, as in #attn.window<left = 1023, right = 0>}}
func.func private @f() attributes {mask = #attn.window<left = true>}

// -----

// expected-error @+1 {{'size' has no number, got 'false'; expected a number, as in #attn.chunked<16>}}
func.func private @f() attributes {mask = #attn.chunked<false>}

// -----

// A mask without its dialect was "expected attribute value".
!t = tensor<1x1x4x8xf32>
func.func @word(%q: !t) -> !t {
  // expected-error @+1 {{'mask' expected a mask, as in mask(#attn.causal), got 'causal' without '#attn.' in front}}
  %0 = attn.attention %q, %q, %q mask(causal) : !t, !t, !t -> !t
  return %0 : !t
}

// -----

!t = tensor<1x1x4x8xf32>
func.func @no_mask(%q: !t) -> !t {
  // expected-error @+1 {{'mask' expected a mask, as in mask(#attn.causal)}}
  %0 = attn.attention %q, %q, %q mask() : !t, !t, !t -> !t
  return %0 : !t
}

// -----

// Several were "expected ')'".
!t = tensor<1x1x4x8xf32>
func.func @masks(%q: !t) -> !t {
  // expected-error @+1 {{'mask' expected one mask, got several; write #attn.and<A, B> for what both let a query see, #attn.or<A, B> for what either does}}
  %0 = attn.attention %q, %q, %q mask(#attn.causal, #attn.window<left = 3>) : !t, !t, !t -> !t
  return %0 : !t
}

// -----

// A schedule's entries: the text of MLIR's structs said which was wrong, but not
// which there are, and numbers and words were taken for each other.
// expected-error @+1 {{schedule: 'qt' is not known, expected one of query_tile, key_tile, stages, work, turns, flatten, lazy_rescale, queries_in_registers, early_weights, cluster}}
func.func private @f() attributes {schedule = #attn.schedule<qt = 3>}

// -----

// expected-error @+1 {{schedule: 'key_tiles' is not known, expected one of query_tile, key_tile, stages, work, turns, flatten, lazy_rescale, queries_in_registers, early_weights, cluster; the nearest is 'key_tile'}}
func.func private @f() attributes {schedule = #attn.schedule<query_tile = 64, key_tiles = 3>}

// -----

// expected-error @+1 {{schedule: 'query_tile' is given twice}}
func.func private @f() attributes {schedule = #attn.schedule<query_tile = 64, query_tile = 3>}

// -----

// expected-error @+1 {{schedule: 'key_tile' must be given}}
func.func private @f() attributes {schedule = #attn.schedule<query_tile = 64>}

// -----

// expected-error @+1 {{schedule: 'query_tile' expected a number}}
func.func private @f() attributes {schedule = #attn.schedule<query_tile = true>}

// -----

// expected-error @+1 {{schedule: 'turns' expected true or false}}
func.func private @f() attributes {schedule = #attn.schedule<query_tile = 64, key_tile = 64, turns = 1>}

// -----

// expected-error @+1 {{schedule: 'work' expected a string, as in "strided"}}
func.func private @f() attributes {schedule = #attn.schedule<query_tile = 64, key_tile = 64, work = strided>}

// -----

// expected-error @+1 {{schedule: expected one of query_tile, key_tile, stages}}
func.func private @f() attributes {schedule = #attn.schedule<64, 64>}
