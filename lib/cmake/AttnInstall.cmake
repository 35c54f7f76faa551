# What an outside project finds: headers with what TableGen made of them, the
# exported libraries, and the package configuration for find_package(Attn).

include(CMakePackageConfigHelpers)

set(ATTN_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/Attn)
get_property(ATTN_COMPILER_LIBRARIES GLOBAL PROPERTY ATTN_COMPILER_LIBRARIES)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/AttnConfig.cmake.in
  ${PROJECT_BINARY_DIR}/lib/cmake/Attn/AttnConfig.cmake
  INSTALL_DESTINATION ${ATTN_INSTALL_CMAKEDIR}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/lib/cmake/Attn/AttnConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/lib/cmake/Attn/AttnConfig.cmake
  ${PROJECT_BINARY_DIR}/lib/cmake/Attn/AttnConfigVersion.cmake
  DESTINATION ${ATTN_INSTALL_CMAKEDIR})
install(EXPORT AttnTargets NAMESPACE attn:: DESTINATION ${ATTN_INSTALL_CMAKEDIR})

if(ATTN_BUILD_COMPILER)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/attn
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
  install(DIRECTORY ${PROJECT_BINARY_DIR}/include/attn
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.inc"
    PATTERN CMakeFiles EXCLUDE)
endif()
