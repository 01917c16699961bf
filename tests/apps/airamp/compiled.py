# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Small programs and libraries, as tests need them to be linked."""

import subprocess

STATUS = 7  # with which such a program ends, and no loader does


def compiled(compiler, folder, name, *libraries, shared=False, options=()):
    """A program, or a library of this name, that needs these libraries and finds them in its own folder."""
    source = folder / "source.c"
    source.write_text("int nothing;\n" if shared else f"int main(void) {{ return {STATUS}; }}\n")
    kind = ["-shared", "-fPIC", f"-Wl,-soname,{name}"] if shared else []
    subprocess.run([compiler, *kind, *options, source, "-o", folder / name, "-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN",
                    *[folder / library for library in libraries]], check=True)
    return str(folder / name)
