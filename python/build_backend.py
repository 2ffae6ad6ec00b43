"""The build backend of pyproject.toml (PEP 517): CMake builds, this packs the wheel. It requires nothing else.

The wheel has the package, its module and the command `widephase`, without tests, pages and examples. Kernels are
compiled for this machine's CPU only. CMAKE_ARGS has more options for CMake, such as
-DWIDEPHASE_ISAS="scalar;sse2;avx2;avx512" for a wheel that others install. WIDEPHASE_BUILD_FOLDER names a build to
take, one that was configured with WIDEPHASE_PYTHON=ON for this Python; without it one is made in build/wheel.
"""

import base64
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def project():
    """The table [project] of pyproject.toml, with the version of the library's header."""
    try:
        import tomllib
    except ImportError:  # Python 3.9 and 3.10: pip brings its own
        from pip._vendor import tomli as tomllib
    table = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    header = (HERE / "soa/include/widephase/version.h").read_text(encoding="utf-8")
    table["version"] = re.search(r'#define WIDEPHASE_VERSION "([\d.]+)"', header)[1]
    return table


def address():
    """Where the sources are: the origin of the checkout if it is on the web, else its folder."""
    try:
        origin = subprocess.run(["git", "-C", HERE, "remote", "get-url", "origin"], check=True,
                                capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        origin = ""
    web = re.fullmatch(r"(?:https://|git@)(?:[^@/]*@)?([\w.-]+)[/:]([\w./-]+?)(?:\.git)?", origin)
    return f"https://{web[1]}/{web[2]}" if web else HERE.as_uri()


def metadata():
    table = project()
    source = address()
    files = source if source.startswith("file:") else source + "/blob/HEAD"
    lines = ["Metadata-Version: 2.1", f"Name: {table['name']}", f"Version: {table['version']}",
             f"Summary: {table['description']}", f"License: {table['license']['text']}",
             f"Requires-Python: {table['requires-python']}", f"Keywords: {','.join(table['keywords'])}",
             f"Project-URL: Source, {source}", f"Project-URL: Documentation, {files}/docs/python.md",
             f"Project-URL: Changelog, {files}/CHANGELOG.md"]
    lines += [f"Classifier: {classifier}" for classifier in table["classifiers"]]
    for extra, needed in table["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {package}; extra == "{extra}"' for package in needed]
    readme = HERE / table["readme"]
    text = readme.read_text(encoding="utf-8")
    folder = readme.parent.relative_to(HERE).as_posix()

    def absolute(link):
        path = os.path.normpath(f"{folder}/{link[1]}")
        return f"]({files}/{path}"

    text = re.sub(r"\]\((?!https?:|#)([^)#]+)", absolute, text)
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", text])


def tags():
    """The interpreter's, its interface's and the system's: "cp311-cp311-linux_x86_64"."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def own_isas():
    """The widest instruction set of this CPU as an option of CMake; none where that is not known."""
    found = subprocess.run(["bash", "-c", ". scripts/environment && own_isas"], cwd=HERE,
                           capture_output=True, text=True).stdout.strip()
    return [f"-DWIDEPHASE_ISAS={found.split(';')[-1]}"] if found else []


def cmake(*words):
    try:
        subprocess.run(["cmake", *words], check=True)
    except FileNotFoundError:
        sys.exit("widephase is built by CMake 3.25 or newer; install it (Debian: scripts/setup, which installs "
                 "the compiler and the libraries too)")
    except subprocess.CalledProcessError:
        sys.exit("widephase was not built: the lines above say what is missing (Debian: scripts/setup installs "
                 "the compiler and the libraries)")


def built_folder():
    given = os.environ.get("WIDEPHASE_BUILD_FOLDER")
    build = Path(given) if given else HERE / "build/wheel"
    if not given:
        words = ["-DCMAKE_BUILD_TYPE=Release", "-DWIDEPHASE_PYTHON=ON", "-DWIDEPHASE_TESTS=OFF",
                 "-DWIDEPHASE_EXAMPLES=OFF", "-DWIDEPHASE_WEB=OFF", "-DBUILD_SHARED_LIBS=OFF",
                 "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "-DWIDEPHASE_TOOLS_LEVEL=-O1",
                 f"-DWIDEPHASE_PYTHON_EXECUTABLE={sys.executable}", *own_isas()]
        if not (build / "CMakeCache.txt").exists():
            if shutil.which("ninja") and "CMAKE_GENERATOR" not in os.environ:
                words += ["-G", "Ninja"]
            # It compiles the kernels in a third of g++ 12's time.
            if shutil.which("clang++-19") and "CXX" not in os.environ:
                words.append("-DCMAKE_CXX_COMPILER=clang++-19")
        cmake("-S", str(HERE), "-B", str(build), "--log-level=WARNING", *words,
              *shlex.split(os.environ.get("CMAKE_ARGS", "")))
    cmake("--build", str(build), "--target", "widephase_python", "widephase-cli",
          "--parallel", str(os.cpu_count()))
    return build


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = built_folder()
    table = project()
    name = f"{table['name']}-{table['version']}"
    info = f"{name}.dist-info"
    package = HERE / "python/widephase"
    files = {f"widephase/{path.name}": path.read_bytes() for path in sorted(package.iterdir())
             if path.suffix in (".py", ".pyi") or path.name == "py.typed"}
    with tempfile.TemporaryDirectory() as prefix:
        for component in ("widephase_python", "widephase_command"):
            cmake("--install", str(build), "--component", component, "--strip", "--prefix", prefix)
        (module,) = Path(prefix).rglob("_widephase.*.so")
        files[f"widephase/{module.name}"] = module.read_bytes()
        # A folder of its own in the wheel, from which pip puts programs on the path.
        files[f"{name}.data/scripts/widephase"] = (Path(prefix) / "bin/widephase").read_bytes()
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/LICENSE"] = (HERE / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: widephase {table['version']}\n"
                              f"Root-Is-Purelib: false\nTag: {tags()}\n").encode()
    record = ""
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()

    wheel = f"{name}-{tags()}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            is_program = path.endswith((".so", "/scripts/widephase"))
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    """The files that git knows."""
    table = project()
    name = f"{table['name']}-{table['version']}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=HERE, check=True, capture_output=True)
    archive = f"{name}.tar.gz"
    with tempfile.TemporaryDirectory() as folder, tarfile.open(Path(sdist_directory) / archive, "w:gz") as tar:
        for path in filter(None, listed.stdout.decode().split("\0")):
            if (HERE / path).is_file():
                tar.add(HERE / path, f"{name}/{path}")
        (Path(folder) / "PKG-INFO").write_text(metadata(), encoding="utf-8")
        tar.add(Path(folder) / "PKG-INFO", f"{name}/PKG-INFO")
    return archive
