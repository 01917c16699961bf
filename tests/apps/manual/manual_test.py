# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""The manual and the completion have what --help has: manual_test.py FOLDER PROGRAM..."""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

FOLDER, PROGRAMS = pathlib.Path(sys.argv.pop(1)), {pathlib.Path(path).name: path for path in sys.argv[1:]}
del sys.argv[1:]


def help_of(words):
    name, *subcommands = words
    return subprocess.run([PROGRAMS[name], *subcommands, "--help"], check=True, capture_output=True, text=True).stdout


def options_in(text):
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text))


def option_column(text):
    """The options that --help lists, at the beginning of its lines."""
    return {option for line in text.splitlines() if re.match(r" +-", line) for option in options_in(line[:40])}


def subcommands_in(text):
    return re.findall(r"^  ([a-z]+) ", text.partition("Subcommands:")[2], re.MULTILINE)


def commands():
    """The words of every command, those of subcommands included."""
    found = [(name,) for name in PROGRAMS]
    for words in found:
        found += [(*words, name) for name in subcommands_in(help_of(words))]
    return found


def page_of(words):
    # A page for each program and for each of its subcommands, which have their own subcommands in it.
    return FOLDER / words[0] / "man1" / ("-".join(words[:2]) + ".1")


def text_of(page):
    """Without the language of man(7)."""
    return re.sub(r"\\f[BIR]", "", page.read_text("utf-8")).replace("\\-", "-")


def completed(program, *words):
    """What bash offers for the last of these words."""
    completion = FOLDER / program / "completions" / program
    script = (f'. "{completion}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _{program}; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    result = subprocess.run(["bash", "-c", script, "bash", program, *words], check=True, capture_output=True, text=True)
    return set(result.stdout.split())


class Manual(unittest.TestCase):
    def test_every_option_has_its_place(self):
        for words in commands():
            options = option_column(help_of(words))
            self.assertIn("--help", options, words)
            self.assertLessEqual(options, options_in(text_of(page_of(words))), words)

    def test_all_of_the_explanations_are_there(self):
        def words_of(text):
            return set(re.findall(r"[a-z]{4,}", text))

        for words in commands():
            missing = words_of(help_of(words)) - words_of(text_of(page_of(words)))
            # What --help says of types and of itself, and the programs' own names for what the page has in capitals.
            missing -= {"excludes", "needs", "float", "text", "required", "sage", "options", "ptions", "ubcommands",
                        "ositionals", "ettings", "eeds", "multiple", "xcludes"}
            self.assertEqual({word for word in missing if not re.search(word, str(PROGRAMS))}, set(), words)

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_formatter_has_nothing_to_warn_of(self):
        for page in FOLDER.glob("*/man1/*.1"):
            result = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], check=True, capture_output=True,
                                    text=True)
            self.assertEqual(result.stderr, "", page)

    def test_name_section_is_one_line(self):
        for page in FOLDER.glob("*/man1/*.1"):
            name = page.read_text("utf-8").partition(".SH NAME\n")[2].partition("\n.SH")[0]
            self.assertRegex(name, r"^" + re.escape(page.stem.replace("-", "\\-")) + r" \\- [A-Z].*[^.:]$")


class Completion(unittest.TestCase):
    def test_options(self):
        for words in commands():
            self.assertEqual(completed(*words, "--"), option_column(help_of(words)), words)

    def test_subcommands(self):
        self.assertEqual(completed("airamp", "ex"), {"exec"})
        self.assertEqual(completed("airamp", "config", ""), {"check", "show"} | completed("airamp", "config", "--"))

    def test_beginning_of_an_option(self):
        self.assertEqual(completed("airamp", "exec", "--min-b"), {"--min-bytes"})


if __name__ == "__main__":
    unittest.main()
