// A mask of one's own: causal between blocks of 32, open inside a block, and
// every fourth head sees everything. Tiles that the mask makes empty or full
// are found from the region where it is affine; the head's part is not.
//
//   attn-run block_diffusion_region.mlir --shape=B=1,Sq=300,Skv=300 --check

!qkv = tensor<?x8x?x64xf32>

func.func @block_diffusion(%q: !qkv, %k: !qkv, %v: !qkv) -> !qkv {
  %out = attn.attention %q, %k, %v mask(#attn.region)
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index):
        %c32 = arith.constant 32 : index
        %c4 = arith.constant 4 : index
        %c0 = arith.constant 0 : index
        %pb = arith.floordivsi %p, %c32 : index
        %rb = arith.floordivsi %r, %c32 : index
        %before = arith.cmpi sle, %rb, %pb : index
        %fourth = arith.remui %h, %c4 : index
        %open = arith.cmpi eq, %fourth, %c0 : index
        %seen = arith.ori %before, %open : i1
        attn.yield %seen : i1
      } : !qkv, !qkv, !qkv -> !qkv
  return %out : !qkv
}
