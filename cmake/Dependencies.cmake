# Every library is the distribution's package (Debian 12); vcpkg.json names the same for other systems.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
# Headers only, and no package of CMake's.
find_path(PROTOZERO_INCLUDE protozero/pbf_reader.hpp REQUIRED)
add_library(protozero INTERFACE)
target_include_directories(protozero SYSTEM INTERFACE ${PROTOZERO_INCLUDE})
find_package(mimalloc 2.0 REQUIRED)
find_package(prometheus-cpp REQUIRED COMPONENTS core)
# 0.11 (Debian 12) and 0.58 are tested. The split build of cpp-httplib changes class layouts with its macros: take exactly the package's own flags.
pkg_check_modules(httplib REQUIRED IMPORTED_TARGET cpp-httplib)
