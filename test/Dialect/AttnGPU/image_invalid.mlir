// RUN: attn-opt %s --split-input-file --verify-diagnostics

// Each parameter that says too little, at once.

// expected-error @+5 {{'parameters' entry 0: expected a dictionary, got 4 : i64}}
// expected-error @+4 {{'parameters' entry 1: 'argument' expected an integer from 0, got -1 : i64}}
// expected-error @+3 {{'parameters' entry 2: 'kind' expected pointer, extent, stride, scalar, tile_map, counter, got "pinter"}}
// expected-error @+2 {{'parameters' entry 3: 'dimension' expected an integer from 0, got none}}
// expected-error @+1 {{'parameters' entry 4: 'rows' expected an integer from 1, got none}}
attn_gpu.image @c1 chip "sm_90a" threads 128 shared 0 parameters
    [4, {argument = -1 : i64, kind = "pointer"}, {argument = 0 : i64, kind = "pinter"},
     {argument = 0 : i64, kind = "extent"},
     {argument = 0 : i64, kind = "tile_map", columns = 64 : i64, row_dimension = 0 : i64, swizzle = 128 : i64}]
    ptx ""

// -----

// expected-error @+1 {{'threads' expected 1 to 1024, got 0}}
attn_gpu.image @c2 chip "sm_90a" threads 0 shared 0 parameters [] ptx ""

// -----

// expected-error @+1 {{'shared' expected 0 or more bytes, got -8}}
attn_gpu.image @c2_shared chip "sm_90a" threads 128 shared -8 parameters [] ptx ""

// -----

// expected-error @+1 {{'chip' expected a name such as sm_90a, got "hopper"}}
attn_gpu.image @c3 chip "hopper" threads 128 shared 0 parameters [] ptx ""

// -----

// expected-error @+1 {{'cluster' expected 1 to 8, got 16}}
attn_gpu.image @c2_cluster chip "sm_90a" threads 128 shared 0 cluster 16 parameters [] ptx ""
