#!/usr/bin/env python3
"""Prints, as C for xgettext(1), the English texts of Swift sources that a catalogue translates.

usage: extract.py FILE...

A text is a literal in a call of one of these functions; each value in it becomes %s:
  tr, wording, say, translatable, Phrase, Finding    gettext, or pgettext with context:
  tr(one:many:)                                      ngettext
and each literal of a type that conforms to Phrase by its declaration (`-> Phrase`, `: Phrase`).
"""

import re
import sys

from swift_literals import literals

CALLS = {"tr", "wording", "say", "translatable", "Phrase", "Finding"}
# Declarations whose body is phrases: the literal stands in no call.
DECLARATION = re.compile(r"(?:func|var) \w+[^\n{]*(?:->|:) Phrase\?? \{")


def c_string(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def phrase_bodies(code):
    """The ranges of bodies that return phrases."""
    for match in DECLARATION.finditer(code):
        depth, at = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            at += 1
        yield range(match.start(), at)


def texts(path):
    """Each text with its line: (line, function of gettext, its arguments)."""
    with open(path, encoding="utf-8") as file:
        bodies = list(phrase_bodies(file.read()))
    one = None
    all_literals = literals(path)
    for literal in all_literals:
        if literal.call in CALLS:
            if literal.label == "one":
                one = literal
            elif literal.label == "many":
                yield literal.line, "ngettext", [one.key, literal.key, None]
            elif literal.label == "":
                context = next(
                    (other.text for other in all_literals
                     if other.label == "context" and other.parent == literal.parent), None)
                if context:
                    yield literal.line, "pgettext", [context, literal.key]
                else:
                    yield literal.line, "gettext", [literal.key]
        elif literal.call == "{" and any(literal.start in body for body in bodies):
            yield literal.line, "gettext", [literal.key]


def main():
    for path in sys.argv[1:]:
        for line, function, arguments in texts(path):
            words = ", ".join("n" if argument is None else c_string(argument) for argument in arguments)
            print(f'#line {line} "{path}"\n{function}({words});')


if __name__ == "__main__":
    main()
