"""Finds the string literals of a Swift file, and the call that each is an argument of."""


class Literal:
    def __init__(self, start, line):
        self.start = start  # offset of the first quote
        self.line = line
        self.end = start  # offset behind the last quote
        self.pieces = [""]  # the text between interpolations, without escapes
        self.call = ""  # the innermost function called around it
        self.label = ""  # the argument's label
        self.parent = -1  # where the arguments of that call begin
        self.calls = []  # all calls around it, (name, label), innermost last
        self.statement = ""  # the code between it and the statement's beginning, on its line

    @property
    def key(self):
        """The msgid: %s for each interpolation."""
        return "%s".join(piece.replace("%", "%%") for piece in self.pieces)

    @property
    def text(self):
        return "…".join(self.pieces)


ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "'": "'", "\\": "\\"}


class Scanner:
    def __init__(self, code):
        self.code = code
        self.literals = []

    def scan(self):
        self._code(0, [])
        self.literals.sort(key=lambda literal: literal.start)
        return self.literals

    def _code(self, at, calls, in_interpolation=False):
        """Reads code from an offset; in an interpolation up to its closing parenthesis. Returns where it ended."""
        code = self.code
        stack = list(calls)
        depth = len(stack)
        while at < len(code):
            character = code[at]
            if code.startswith("//", at):
                at = code.find("\n", at)
                if at < 0:
                    return len(code)
            elif code.startswith("/*", at):
                at = code.index("*/", at) + 2
            elif code.startswith('#"', at):
                at = code.index('"#', at + 2) + 2  # raw: never a text for people
            elif character == '"':
                at = self._literal(at, stack)
            elif character in "([{":
                name = self._name_before(at) if character == "(" else character
                stack.append([name, self._label(at + 1), at])
                at += 1
            elif character in ")]}":
                if in_interpolation and len(stack) == depth:
                    return at
                if stack:
                    stack.pop()
                at += 1
            elif character == ",":
                if stack:
                    stack[-1][1] = self._label(at + 1)
                at += 1
            else:
                at += 1
        return at

    def _name_before(self, at):
        start = at
        while start > 0 and (self.code[start - 1].isalnum() or self.code[start - 1] in "_"):
            start -= 1
        return self.code[start:at]

    def _label(self, at):
        code = self.code
        while at < len(code) and code[at].isspace():
            at += 1
        end = at
        while end < len(code) and (code[end].isalnum() or code[end] == "_"):
            end += 1
        return code[at:end] if end > at and code[end : end + 1] == ":" else ""

    def _literal(self, at, stack):
        code = self.code
        literal = Literal(at, code.count("\n", 0, at) + 1)
        literal.calls = [(call[0], call[1]) for call in stack]
        if stack:
            literal.call, literal.label, literal.parent = stack[-1]
        literal.statement = code[code.rfind("\n", 0, at) + 1 : at]
        quote = '"""' if code.startswith('"""', at) else '"'
        at += len(quote)
        pieces = [""]
        while not code.startswith(quote, at):
            if code.startswith("\\(", at):
                # a literal in an interpolation is no argument of the call around
                at = self._code(at + 2, stack + [["", "", at]], in_interpolation=True) + 1
                pieces.append("")
            elif code[at] == "\\":
                if code.startswith("u{", at + 1):
                    end = code.index("}", at)
                    pieces[-1] += chr(int(code[at + 3 : end], 16))
                    at = end + 1
                elif code[at + 1] == "\n":
                    at += 2
                    if quote == '"""':
                        pieces[-1] += "\0"  # the newline is no part of the text
                else:
                    pieces[-1] += ESCAPES[code[at + 1]]
                    at += 2
            else:
                pieces[-1] += code[at]
                at += 1
        if quote == '"""':
            pieces = self._unindented(pieces, at)
        literal.end = at + len(quote)
        literal.pieces = pieces
        self.literals.append(literal)
        return literal.end

    def _unindented(self, pieces, at):
        """Without the indentation of the closing quotes."""
        indentation = self.code[self.code.rfind("\n", 0, at) + 1 : at]
        text = "\1".join(pieces)[1:].replace("\0", "\0\n")
        lines = [line.removeprefix(indentation) for line in text.split("\n")]
        return "\n".join(lines[:-1]).replace("\0\n", "").split("\1")


def literals(path):
    with open(path, encoding="utf-8") as file:
        return Scanner(file.read()).scan()
