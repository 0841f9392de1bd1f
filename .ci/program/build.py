"""Make handread a program in one file, for people without Python, and an archive to download.

``python .ci/program/build.py FOLDER`` needs handread with its extra ``program``. It makes a program
for the system and the processor that it runs on: a copy of this Python, of what is imported and of
the data of the package. Each start unpacks it into a temporary folder, and removes it at the end.

``icon.png`` is ``templates/icon.svg``, drawn by a browser with 256 pixels a side.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent

LEFT_OUT = (
    # What the window never imports: half of the size. Commands that need these say so.
    *("numba", "polars", "matplotlib", "scipy", "distributed", "dask", "mcp", "pyagrum"),
    # What others import if it is there.
    *("IPython", "PIL", "hypothesis", "pandas", "pyarrow", "pytest", "_pytest", "setuptools"),
    *("tkinter", "trio", "uvloop", "yaml"),
)


def main() -> None:
    """Write the program into the folder that is given."""
    folder = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="handread-program-") as work:
        package = Path(work, "package")
        pip = ("pip", "install", "--quiet", "--no-deps", "--no-compile", "--target", str(package))
        run(*pip, str(HERE.parents[1]))
        options = [f"--exclude-module={name}" for name in LEFT_OUT]
        options += ["--onefile", "--console", "--noconfirm", "--name=handread", "--log-level=WARN"]
        options += [f"--icon={HERE / 'icon.png'}", "--collect-all=handread", f"--paths={package}"]
        options += [f"--distpath={folder}", f"--workpath={work}/work", f"--specpath={work}"]
        # Elsewhere Python would find the package of this folder before that with all its data.
        run("PyInstaller", *options, str(HERE / "start.py"), at=package)
    program = folder / f"handread{'.exe' * (os.name == 'nt')}"
    print(f"{program}: {program.stat().st_size / 1e6:.0f} MB")
    print(packed(program))


def packed(program: Path) -> Path:
    """Write an archive of the program and its licence; a bare file would lose its right to run."""
    system, processor = sysconfig.get_platform().split("-")[0], platform.machine().lower()
    archive = program.parent / f"handread-{version('handread')}-{system}-{processor}"
    files = [(program, program.name), (HERE.parents[1] / "LICENSE", "LICENSE.txt")]
    if os.name == "nt":
        archive = archive.with_name(f"{archive.name}.zip")
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
            for file, name in files:
                zipped.write(file, name)
    else:
        archive = archive.with_name(f"{archive.name}.tar.gz")
        with tarfile.open(archive, "w:gz", compresslevel=1) as tarred:
            for file, name in files:
                tarred.add(file, f"handread/{name}")
    return archive


def run(*words: str, at: Path | None = None) -> None:
    """Run a module of Python, in a folder that it sees first."""
    seen = {} if at is None else {"PYTHONPATH": str(at)}
    subprocess.run([sys.executable, "-m", *words], cwd=at, env={**os.environ, **seen}, check=True)


if __name__ == "__main__":
    main()
