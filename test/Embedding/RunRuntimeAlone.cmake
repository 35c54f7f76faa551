# Configures and builds the runtime without the compiler, then compiles, links
# and runs a C99 program that uses it.
foreach(name SOURCE_DIR WORK_DIR GENERATOR C_COMPILER CXX_COMPILER)
  if(NOT DEFINED ${name})
    message(FATAL_ERROR "RunRuntimeAlone.cmake needs -D ${name}=...")
  endif()
endforeach()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR} -B ${WORK_DIR}/build
  -D ATTN_BUILD_COMPILER=OFF -D ATTN_BUILD_TESTS=OFF
  -D CMAKE_BUILD_TYPE=Release
  -D CMAKE_C_COMPILER=${C_COMPILER} -D CMAKE_CXX_COMPILER=${CXX_COMPILER})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)

file(WRITE ${WORK_DIR}/alone.c [[
#include "attn-rt/Parallel.h"
#include "attn-rt/Status.h"
#include <stdint.h>

static void square(void *context, int64_t index) {
  ((int64_t *)context)[index] = index * index;
}

int main(void) {
  int64_t squares[100];
  attn_rt_parallel_for(square, squares, 100);
  for (int64_t i = 0; i < 100; ++i)
    if (squares[i] != i * i)
      return 1;
  return attn_rt_last_error() == 0;
}
]])
run(${C_COMPILER} -std=c99 -Wall -Wextra -Werror -I ${SOURCE_DIR}/include
  ${WORK_DIR}/alone.c -o ${WORK_DIR}/alone
  -L ${WORK_DIR}/build/lib -lattn_rt -Wl,-rpath,${WORK_DIR}/build/lib)
run(${WORK_DIR}/alone)
