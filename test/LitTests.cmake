# One ctest test per lit file, so that ctest's closing line counts them, and two
# more for each file that runs attn-opt: with a round trip of its input, and with
# its output taken through byte code.

set(ATTN_MLIR_LIB_DIR ${MLIR_INSTALL_PREFIX}/lib)
configure_lit_site_cfg(
  ${CMAKE_CURRENT_SOURCE_DIR}/lit.site.cfg.py.in
  ${CMAKE_CURRENT_BINARY_DIR}/lit.site.cfg.py
  MAIN_CONFIG ${CMAKE_CURRENT_SOURCE_DIR}/lit.cfg.py)

function(attn_add_lit_test mode file)
  add_test(NAME ${mode}:${file}
    COMMAND ${LLVM_EXTERNAL_LIT} -v --skip-test-time-recording
      --param mode=${mode} ${CMAKE_CURRENT_BINARY_DIR}/${file})
  # A test that lit leaves out is shown as such; it does not count as passed.
  set_tests_properties(${mode}:${file} PROPERTIES
    SKIP_REGULAR_EXPRESSION "(^|\n)UNSUPPORTED: " TIMEOUT 600)
endfunction()

file(GLOB_RECURSE lit_files CONFIGURE_DEPENDS
  RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
  ${CMAKE_CURRENT_SOURCE_DIR}/*.mlir ${CMAKE_CURRENT_SOURCE_DIR}/*.test)
list(FILTER lit_files EXCLUDE REGEX "(^|/)(Inputs|Unit)/")
foreach(file IN LISTS lit_files)
  attn_add_lit_test(lit ${file})
  file(STRINGS ${file} runs REGEX "RUN:.*attn-opt")
  # Nothing in an `_invalid` file parses, so there is nothing to print again.
  if(runs AND NOT file MATCHES "_invalid.mlir$")
    attn_add_lit_test(roundtrip ${file})
    # Byte code holds one module: tests that split, expect errors or write files have
    # no output that could go through it.
    file(STRINGS ${file} all_runs REGEX "RUN:")
    if(file MATCHES "[.]mlir$" AND NOT all_runs MATCHES "split-input-file|verify-diagnostics|not attn-opt|emit-bytecode| -o ")
      attn_add_lit_test(bytecode ${file})
    endif()
  endif()
endforeach()
