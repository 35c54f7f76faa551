# Builds the runtime without the compiler, installs it, builds and runs a C
# program against what was installed.
include(${CMAKE_CURRENT_LIST_DIR}/Run.cmake)

file(REMOVE_RECURSE ${WORK_DIR})
set(compilers -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR} -B ${WORK_DIR}/runtime
  ${compilers} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  -DATTN_BUILD_COMPILER=OFF -DATTN_BUILD_TESTS=OFF)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/runtime)
run(${CMAKE_COMMAND} --install ${WORK_DIR}/runtime --prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/runtime
  -B ${WORK_DIR}/program ${compilers} -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/program)
run(${WORK_DIR}/program/with_attn_rt)
run(${WORK_DIR}/program/with_attn_rt_static)
