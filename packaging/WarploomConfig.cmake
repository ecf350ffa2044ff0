# find_package(Warploom):
#   warploom_target(<target> [TARGET auto|cpu|cuda] [OPTIONS ...])
#       the C files of <target> are compiled, and the program or shared library is linked, by `warploom cc`. OPTIONS are more of
#       that command's options. TARGET is where kernels run; the default is the variable WARPLOOM_TARGET, else auto.
#   warploom_add_executable(<target> <sources>...)
#       add_executable and warploom_target
#   Warploom::la, Warploom::la_cuda
#       the linear algebra of warploom_la.h without and with a GPU, to be linked; the second where it was built and CUDA is here
get_filename_component(Warploom_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Warploom_EXECUTABLE "${Warploom_PREFIX}/bin/warploom")
if(NOT EXISTS "${Warploom_EXECUTABLE}")
  set(Warploom_FOUND FALSE)
  set(Warploom_NOT_FOUND_MESSAGE "there is no '${Warploom_EXECUTABLE}'")
  return()
endif()

function(warploom_target target)
  cmake_parse_arguments(given "" "TARGET" "OPTIONS" ${ARGN})
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warploom_target(${target}): what is '${given_UNPARSED_ARGUMENTS}'?")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "warploom_target(${target}): there is no such target")
  endif()
  if(NOT given_TARGET)
    set(given_TARGET auto)
    if(WARPLOOM_TARGET)
      set(given_TARGET ${WARPLOOM_TARGET})
    endif()
  endif()
  if(NOT given_TARGET MATCHES "^(auto|cpu|cuda)$")
    message(FATAL_ERROR "warploom_target(${target}): TARGET is auto, cpu or cuda, not '${given_TARGET}'")
  endif()
  set(command "${Warploom_EXECUTABLE}" cc --launcher --target ${given_TARGET} ${given_OPTIONS})
  set_target_properties(${target} PROPERTIES C_COMPILER_LAUNCHER "${command}" C_LINKER_LAUNCHER "${command}"
                        CXX_LINKER_LAUNCHER "${command}")
endfunction()

function(warploom_add_executable target)
  add_executable(${target} ${ARGN})
  warploom_target(${target})
endfunction()

if(NOT TARGET Warploom::la)
  add_library(Warploom::la STATIC IMPORTED)
  set_target_properties(Warploom::la PROPERTIES
    IMPORTED_LOCATION "${Warploom_PREFIX}/lib/warploom/libwarploom_la.a"
    INTERFACE_INCLUDE_DIRECTORIES "${Warploom_PREFIX}/include"
    INTERFACE_LINK_LIBRARIES "openblas;stdc++;m;pthread")
endif()
if(NOT TARGET Warploom::la_cuda AND EXISTS "${Warploom_PREFIX}/lib/warploom/libwarploom_la_cuda.a")
  find_package(CUDAToolkit QUIET)
  if(TARGET CUDA::cublas AND TARGET CUDA::cusparse)
    add_library(Warploom::la_cuda STATIC IMPORTED)
    set_target_properties(Warploom::la_cuda PROPERTIES
      IMPORTED_LOCATION "${Warploom_PREFIX}/lib/warploom/libwarploom_la_cuda.a"
      INTERFACE_INCLUDE_DIRECTORIES "${Warploom_PREFIX}/include"
      INTERFACE_LINK_LIBRARIES "CUDA::cublas;CUDA::cusparse;CUDA::cudart;stdc++;m;pthread")
  endif()
endif()
