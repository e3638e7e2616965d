"""One part of a glob between two slashes, read into a tree of extended patterns `?(…) *(…) +(…) @(…) !(…)`.

What counts as nested pattern, and what is joined or taken literally, follows the npm package `minimatch`.
"""

from collections.abc import Iterator

from mcp_sim.errors import PredictionError

_MAX_NESTING = 2
_MAX_NODES = 5000
_MAX_PASSES = 10

# outer pattern -> inner ones whose alternatives it can take over, and those with which it needs an empty alternative more
_TAKES = {"!": "@", "?": "?@", "@": "@", "*": "*+?@", "+": "+@"}
_TAKES_WITH_EMPTY = {"!": "?", "@": "?", "+": "?*"}
# outer pattern with a single inner one -> what the two are together
_BECOMES = {
    "!": {"!": "@"},
    "?": {"*": "*", "+": "*"},
    "@": {"!": "!", "?": "?", "@": "@", "*": "*", "+": "+"},
    "+": {"?": "*", "*": "*"},
}


class GlobNode:
    """A sequence of texts and extended patterns (`kind` is `None`), or an extended pattern of alternatives, each a sequence.

    The tree is built, simplified and then only read.
    """

    __slots__ = ("is_empty", "kind", "parent", "parts", "position", "root")

    def __init__(self, kind: str | None, parent: "GlobNode | None") -> None:
        self.kind = kind
        self.parent = parent
        self.root: GlobRoot = parent.root if parent else self  # type: ignore[assignment]
        self.parts: list[str | GlobNode] = []
        self.position = len(parent.parts) if parent else 0
        self.is_empty = False
        self.root.count(self)

    def add(self, *parts: "str | GlobNode") -> None:
        """Append parts; empty texts are none."""
        self.parts += [part for part in parts if part != ""]

    def children(self) -> "Iterator[GlobNode]":
        """Iterate over the parts that are nodes."""
        return (part for part in self.parts if isinstance(part, GlobNode))

    @property
    def is_start(self) -> bool:
        """Whether nothing but negations stands before it."""
        if self.parent is None:
            return True
        if not self.parent.is_start:
            return False
        return all(isinstance(part, GlobNode) and part.kind == "!" for part in self.parent.parts[: self.position])

    @property
    def is_end(self) -> bool:
        """Whether nothing stands behind it; what is negated always looks to the end."""
        if self.parent is None or self.parent.kind == "!":
            return True
        if not self.parent.is_end:
            return False
        return self.kind is None or self.position == len(self.parent.parts) - 1

    def copy_in(self, part: "str | GlobNode") -> None:
        """Append a copy of a part."""
        if isinstance(part, str):
            self.add(part)
            return
        copy = GlobNode(part.kind, self)
        for inner in part.parts:
            copy.copy_in(inner)
        self.add(copy)

    def simplify(self) -> None:
        """Join nested patterns that say the same without nesting."""
        if self.kind is None:
            for child in self.children():
                child.simplify()
            return
        for _ in range(_MAX_PASSES):
            changed = False
            position = 0
            while position < len(self.parts):
                alternative = self.parts[position]
                if isinstance(alternative, GlobNode):
                    alternative.simplify()
                    changed |= self._take_over(alternative, position)
                position += 1
            if not changed:
                return

    def _take_over(self, alternative: "GlobNode", position: int) -> bool:
        inner = alternative.parts[0] if alternative.kind is None and len(alternative.parts) == 1 else None
        if self.kind is None or not isinstance(inner, GlobNode) or inner.kind is None:
            return False
        with_empty = inner.kind in _TAKES_WITH_EMPTY.get(self.kind, "")
        if inner.kind in _TAKES[self.kind] or with_empty:
            if with_empty:
                inner.parts.append(GlobNode(None, inner))
            self.parts[position : position + 1] = inner.parts
        elif len(self.parts) == 1 and inner.kind in _BECOMES.get(self.kind, {}):
            self.kind = _BECOMES[self.kind][inner.kind]
            self.parts = inner.parts
            self.is_empty = False
        else:
            return False
        for part in inner.children():
            part.parent = self
        return True


class GlobRoot(GlobNode):
    """The sequence at the top."""

    __slots__ = ("are_negations_filled", "negations", "nodes")

    def __init__(self) -> None:
        self.negations: list[GlobNode] = []
        self.are_negations_filled = False
        self.nodes = 0
        super().__init__(None, None)

    def count(self, node: GlobNode) -> None:
        """Note a new node of this tree.

        Raises:
            PredictionError: the pattern has grown beyond what is looked at.
        """
        self.nodes += 1
        if self.nodes > _MAX_NODES:
            raise PredictionError(f"A glob pattern has more than {_MAX_NODES} parts once its negations are written out; use a simpler one.")
        if node.kind == "!" and not self.are_negations_filled:
            self.negations.append(node)

    def fill_negations(self) -> None:
        """Append to what is negated all that follows the negation: `!(a)b` must not match where `ab` would."""
        self.are_negations_filled = True
        while self.negations:
            negation = self.negations.pop()
            if negation.kind != "!":
                continue
            inner, outer = negation, negation.parent
            while outer is not None:
                if outer.kind is None:
                    for following in outer.parts[inner.position + 1 :]:
                        for alternative in negation.children():
                            alternative.copy_in(following)
                inner, outer = outer, outer.parent


def read_glob_part(glob: str) -> GlobRoot:
    """Return the tree of one part of a glob.

    Raises:
        PredictionError: it is too large.
    """
    root = GlobRoot()
    try:
        _Reader(glob).sequence(root)
        root.simplify()
        root.fill_negations()
    except RecursionError as error:
        raise PredictionError("A glob pattern is nested too deeply; use a simpler one.") from error
    return root


class _Reader:
    def __init__(self, glob: str) -> None:
        self._glob = glob
        self._is_escaped = self._is_in_class = self._is_negated_class = False
        self._class_start = -1

    def sequence(self, node: GlobNode) -> None:
        """Read what stands outside of all extended patterns."""
        text, at = "", 0
        while at < len(self._glob):
            char = self._glob[at]
            at += 1
            if not self._is_plain(char, at) and self._opens(char, at):
                node.add(text)
                text = ""
                child = GlobNode(char, node)
                at = _Reader(self._glob).alternatives(child, at, 1)
                node.add(child)
            else:
                text += char
        node.add(text)

    def alternatives(self, node: GlobNode, start: int, depth: int) -> int:
        """Read from behind an opening parenthesis to its end; return where that is."""
        at = start + 1
        part = GlobNode(None, node)
        parts: list[GlobNode] = []
        text = ""
        while at < len(self._glob):
            char = self._glob[at]
            at += 1
            if self._is_plain(char, at):
                text += char
                continue
            is_joined = char in _TAKES.get(node.kind or "", "") + _TAKES_WITH_EMPTY.get(node.kind or "", "")
            if self._opens(char, at) and (depth <= _MAX_NESTING or is_joined):
                part.add(text)
                text = ""
                child = GlobNode(char, part)
                part.add(child)
                at = _Reader(self._glob).alternatives(child, at, depth if is_joined else depth + 1)
            elif char == "|":
                part.add(text)
                text = ""
                parts.append(part)
                part = GlobNode(None, node)
            elif char == ")":
                node.is_empty = text == "" and not node.parts
                part.add(text)
                node.parts += [*parts, part]
                return at
            else:
                text += char
        node.kind = None  # it never closes: all of it is text
        node.parts = [self._glob[start - 1 :]]
        return at

    def _opens(self, char: str, at: int) -> bool:
        return char in _TAKES and self._glob.startswith("(", at)

    def _is_plain(self, char: str, at: int) -> bool:
        """Whether the character is escaped or in a class; `at` is the place behind it."""
        if self._is_escaped or char == "\\":
            self._is_escaped = not self._is_escaped
            return True
        if self._is_in_class:
            if at == self._class_start + 1:
                self._is_negated_class = self._is_negated_class or char in "^!"
            elif char == "]" and not (at == self._class_start + 2 and self._is_negated_class):
                self._is_in_class = False
            return True
        if char == "[":
            self._is_in_class, self._class_start, self._is_negated_class = True, at, False
            return True
        return False
