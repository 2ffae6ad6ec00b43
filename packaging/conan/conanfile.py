import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

required_conan_version = ">=2.0"


class WidephaseConan(ConanFile):
    name = "widephase"
    description = "Collides shapes in bulk"
    license = "MIT"
    topics = ("collision-detection", "geometry", "simd")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = os.path.join(self._root, "soa", "include", "widephase", "version.h")
        self.version = re.search(r'"([0-9.]+)"', load(self, header)).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "CHANGELOG.md", "cmake/*", "soa/*", "geometry/*", "kernels/*", "pipeline/*", "c/*"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("onetbb/2021.12.0")
        self.requires("xsimd/13.0.0", visible=False)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for name in ("TOOLS", "TESTS", "EXAMPLES"):
            toolchain.cache_variables["WIDEPHASE_" + name] = False
        toolchain.cache_variables["WIDEPHASE_INSTALL"] = True
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["widephase"]
        self.cpp_info.set_property("cmake_file_name", "widephase")
        self.cpp_info.set_property("cmake_target_name", "widephase::widephase")
        self.cpp_info.set_property("pkg_config_name", "widephase")
        self.cpp_info.requires = ["onetbb::libtbb", "xsimd::xsimd"]
        if self.settings.os == "Linux":
            self.cpp_info.system_libs = ["pthread", "m"]
