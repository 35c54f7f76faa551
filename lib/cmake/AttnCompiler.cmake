# Finds LLVM/MLIR 22.1 and defines how the compiler's libraries are made.
#
# Only the shared libMLIR and libLLVM are linked: mixing them with the static
# archives puts two copies of LLVM into one program. `add_mlir_library` is not
# used: it appends to MLIR's own export set and pulls the static archives.

find_package(MLIR 22.1 REQUIRED CONFIG HINTS ${MLIR_DIR} /usr/lib/llvm-22/lib/cmake/mlir)

# After find_package: LLVMConfig.cmake overwrites these with the package's own.
set(LLVM_ENABLE_ASSERTIONS ${ATTN_ENABLE_ASSERTIONS})
set(LLVM_ENABLE_WERROR ${ATTN_ENABLE_WERROR})
set(MLIR_LINK_MLIR_DYLIB ON)
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR}) # else mlir-doc writes to /docs
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
find_program(LLVM_EXTERNAL_LIT NAMES lit lit-22 llvm-lit HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

# Installed tools find libMLIR and libLLVM where they were built against them.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${LLVM_LIBRARY_DIRS}")

# attn_add_library(Name sources... [LINK libs...] [DEPENDS targets...])
function(attn_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(attn::${name} ALIAS ${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  add_dependencies(${name} AttnGenerated ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY ATTN_COMPILER_LIBRARIES ${name})
  install(TARGETS ${name} EXPORT AttnTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# All of TableGen's output; every library depends on it, so that the order of
# generated headers never has to be spelt out.
add_custom_target(AttnGenerated)
