# Configures and builds, with a compiler cache where there is one.

# The C++ compiler to use: CXX, clang-22, the one beside MLIR, or the system's.
attn_compiler() {
  local candidate
  for candidate in "${CXX:-}" clang++-22 "$(attn_llvm_prefix)/bin/clang++" c++; do
    [ -n "$candidate" ] && command -v "$candidate" && return
  done
  return 1
}

# Where LLVM is installed: MLIR_DIR may name its prefix or its lib/cmake/mlir.
attn_llvm_prefix() {
  local dir=${MLIR_DIR:-/usr/lib/llvm-22}
  printf '%s\n' "${dir%/lib/cmake/mlir}"
}

# configure [CMAKE OPTIONS...]
configure() {
  local cxx cc prefix options
  prefix=$(attn_llvm_prefix)
  cxx=$(attn_compiler) || die "no C++ compiler found"
  cc=${CC:-}
  if [ -z "$cc" ]; then
    case $(basename "$cxx") in
    clang++*) cc=${cxx/clang++/clang} ;;
    g++*) cc=${cxx/g++/gcc} ;;
    *) cc=cc ;;
    esac
  fi
  options=(-DCMAKE_BUILD_TYPE=Release "-DMLIR_DIR=$prefix/lib/cmake/mlir"
    "-DCMAKE_C_COMPILER=$cc" "-DCMAKE_CXX_COMPILER=$cxx")
  case $(basename "$cxx") in
  clang++*)
    # Only its own lld fits a clang; an older one stands first on some paths.
    if [ -x "$prefix/bin/ld.lld" ]; then
      options+=(-DLLVM_USE_LINKER=lld)
    fi
    ;;
  esac
  if command -v ccache >/dev/null; then
    # Without these two a fresh clone in another folder hits nothing. The cache
    # itself stays where ccache puts it, outside the tree.
    export CCACHE_BASEDIR=$attn_root CCACHE_NOHASHDIR=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros
    options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  say "configuring $attn_build with $cxx"
  cmake --log-level=NOTICE -G Ninja -S "$attn_root" -B "$attn_build" "${options[@]}" "$@" >&2
}

# build [NINJA TARGETS...]
build() {
  say "building"
  ninja -C "$attn_build" "$@" >&2
}
