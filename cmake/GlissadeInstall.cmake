# Install rules, and the package files behind find_package(glissade).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/glissade")

install(TARGETS glissade EXPORT glissadeTargets FILE_SET HEADERS)
install(EXPORT glissadeTargets NAMESPACE glissade:: DESTINATION "${package_dir}")

configure_package_config_file(cmake/glissadeConfig.cmake.in "${PROJECT_BINARY_DIR}/glissadeConfig.cmake"
    INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor version may break its users, so 0.2 does not answer a request for 0.1.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/glissadeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/glissadeConfig.cmake" "${PROJECT_BINARY_DIR}/glissadeConfigVersion.cmake"
    DESTINATION "${package_dir}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
