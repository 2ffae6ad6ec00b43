"""The Python package, built by CMake: pip install . --no-build-isolation

CMAKE_ARGS has more options for CMake. WIDEPHASE_BUILD_FOLDER names a build to take, one that was
configured with WIDEPHASE_PYTHON=ON for this Python; without it one is made in build/wheel.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
VERSION = re.search(r'#define WIDEPHASE_VERSION "([\d.]+)"',
                    (HERE / "soa/include/widephase/version.h").read_text())[1]


class CMakeBuild(build_ext):
    def run(self):
        build = os.environ.get("WIDEPHASE_BUILD_FOLDER")
        if build is None:
            build = HERE / "build/wheel"
            subprocess.run(["cmake", "-S", HERE, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                            "-DWIDEPHASE_PYTHON=ON", "-DWIDEPHASE_TESTS=OFF",
                            "-DWIDEPHASE_EXAMPLES=OFF", "-DBUILD_SHARED_LIBS=OFF",
                            f"-DWIDEPHASE_PYTHON_EXECUTABLE={sys.executable}",
                            *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "widephase_python", "--parallel",
                        str(os.cpu_count())], check=True)
        with tempfile.TemporaryDirectory() as prefix:
            subprocess.run(["cmake", "--install", build, "--component", "widephase_python",
                            "--strip", "--prefix", prefix], check=True)
            (module,) = Path(prefix).rglob("_widephase.*.so")
            target = Path(self.get_ext_fullpath("widephase._widephase"))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(module, target)


(HERE / "build").mkdir(exist_ok=True)
setup(
    name="widephase",
    version=VERSION,
    description="Collides shapes in bulk",
    license="MIT",
    python_requires=">=3.9",
    install_requires=["numpy>=1.20"],
    packages=["widephase"],
    package_dir={"": "python"},
    package_data={"widephase": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("widephase._widephase", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"egg_info": {"egg_base": "build"}},
)
