# Installs the project, and builds and runs examples/embedding against that.
include(${CMAKE_CURRENT_LIST_DIR}/Run.cmake)

# An old installation would hide a header that is no longer installed.
file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
# The tools start from where they were installed.
foreach(tool attn-opt attn-run attn-translate attn-lsp-server)
  if(EXISTS ${BUILD_DIR}/bin/${tool})
    run(${CMAKE_COMMAND} -E env --unset=LD_LIBRARY_PATH
      ${WORK_DIR}/prefix/bin/${tool} --help)
  endif()
endforeach()
set(linker)
if(LINKER)
  set(linker -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=${LINKER})
endif()
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR} -B ${WORK_DIR}/build
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${CXX_COMPILER_LAUNCHER} ${linker})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/embedding)
message("${output}")
