"""What secrets look like: an own, small table, since the kept tools of this trade scan repositories and are no libraries.

All patterns are RE2's, so that they take linear time over whatever a server sent. Each has three groups: what stands before the secret,
the secret, and what stands behind it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import re2

_NAME = re.compile(
    r"(^|_)(pass(word|wd|phrase|code)?|[a-z0-9]*(password|passwd|passphrase|apikey|secret)|pwd|(access|auth|refresh|id|csrf|xsrf|api)?token"
    r"|jwt|bearer|api_?key|auth|authorization|credentials?|(set_)?cookies?|private_?key|access_?key(_id)?|signing_?key|encryption_?key"
    r"|otp|assertion)(_(token|key|hash|value|base64|id))?$"
)
_HARMLESS = re.compile(
    r"(^|_)(page|next|prev|previous|continuation|sync|cursor|max|min|total|prompt|completion|input|output|num)_?tokens?$"
)
_IN_TRAFFIC = re.compile(r"(^|_)(session(_?id)?|sid|csrf|xsrf|signature|sig|nonce|saml_?response)(_(token|key|hash|value))?$")
_IN_QUERY = frozenset({"key", "code"})
_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_TEMPLATE = re.compile(r"\$?\{[^{}]*\}|\{\{[^{}]*\}\}")
_LONGEST_NAME = 200
_MOST_PASSES = 5
_SHORTEST_WITHOUT_DIGIT = 8
_SCHEMES = frozenset({"bearer", "basic", "token", "digest", "negotiate", "none", "null", "true", "false", "undefined"})


@dataclass(frozen=True, slots=True)
class Shape:
    """A pattern, and which of its hits count: those whose secret holds a digit, or those whose name is one of a secret.

    What is only `named` may be prose ("token: see below"), so it does not count in what a server says of its tools.
    """

    pattern: "re2._Regexp[str]"
    needs_digit: bool = False
    named: bool = False

    def counts(self, before: str, secret: str) -> bool:
        """Whether a hit is a secret."""
        if self.needs_digit:
            return any(character.isdigit() for character in secret)
        if self.named:
            name = before.lstrip("?&;#").rstrip(" \t:=>\"'\\")
            in_query = before[0] in "?&;#" and (name.lower() in _IN_QUERY or is_secret_in_traffic(name))
            return (in_query or is_secret_name(name)) and secret.lower() not in _SCHEMES and not _TEMPLATE.fullmatch(secret)
        return True

    def replace(self, text: str, replacement: Callable[[str], str], *, is_wary: bool = False) -> str:
        """Return the text with what `replacement` returns for each secret in the place of it.

        `is_wary` says that a secret of eight characters needs no digit: "basic authentication" is then taken for one.
        """
        if not self.pattern.search(text):
            return text

        def replaced(match: "re2._Match[str]") -> str:
            before, secret, behind = match[1], match[2], match[3]
            is_secret = self.counts(before, secret) or (is_wary and self.needs_digit and len(secret) >= _SHORTEST_WITHOUT_DIGIT)
            return f"{before}{replacement(secret)}{behind}" if is_secret else str(match[0])

        return str(self.pattern.sub(replaced, text))


def is_secret_name(name: str) -> bool:
    """Whether what has this name is a credential: an argument, a header, an environment variable."""
    snake = _snake(name)
    return _NAME.search(snake) is not None and _HARMLESS.search(snake) is None


def is_secret_in_traffic(name: str) -> bool:
    """Whether what has this name in an HTTP request or answer is a credential: sessions and signatures are then, arguments are not."""
    return _IN_TRAFFIC.search(_snake(name)) is not None or is_secret_name(name)


def _snake(name: str) -> str:
    return _SNAKE.sub("_", name[-_LONGEST_NAME:]).lower().strip("_")


def _shape(pattern: str, *, needs_digit: bool = False, named: bool = False) -> Shape:
    return Shape(re2.compile(pattern), needs_digit, named)


_PREFIXES = (
    r"gh[pousr]_|github_pat_|glpat-|glptt-|xox[abeoprs]-|xapp-|ya29\.|AIza|AKIA|ASIA|npm_|pypi-|hf_|dop_v1_|shp(?:at|ca|pa|ss)_|SG\."
    r"|sntrys_|lin_api_|ntn_|ATATT|ATBB|figd_|dckr_pat_|whsec_|tvly-|gsk_|xai-|r8_|sq0[a-z]{3}-|NRAK-|rubygems_|vault:v1:|hvs\.|age-secret-key-1"
)
_SECRET_WORD = (
    r"(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|jwt|api[_-]?key|auth(?:orization)?|credentials?|cookie"
    r"|(?:private|access|signing|encryption)[_-]?key)"
)
_SECRET_NAME = rf"(?i:[a-z0-9_.-]*{_SECRET_WORD}[a-z0-9_]*)"

SHAPES = (
    _shape(r"()(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z))()"),
    _shape(r"()(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?)()"),
    _shape(r"(\b|_)(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?)()"),
    _shape(r"()(\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,})()", needs_digit=True),
    _shape(rf"()(\b(?:{_PREFIXES})[A-Za-z0-9_.=-]{{10,}})()"),
    _shape(r"((?i:\b(?:bearer|basic)\s+))([A-Za-z0-9+/_.=~-]{6,})()", needs_digit=True),
    _shape(r"(\b[A-Za-z][A-Za-z0-9+.-]*://)([^\s/@\"'<>{}\\]+)(@)"),
    _shape(r"([?&;#][A-Za-z0-9_.\-\[\]]+=)([^&#\s\"'<>\\]+)()", named=True),
    _shape(rf'({_SECRET_NAME}"?\s*[:=]>?\s*")((?:[^"\\]|\\(?s:.))+)(")', named=True),
    _shape(rf'({_SECRET_NAME}\\+"\s*:\s*\\+")([^"\\]+)(\\+")', named=True),
    _shape(rf"({_SECRET_NAME}'?\s*[:=]>?\s*')([^'\n]+)(')", named=True),
    _shape(rf"({_SECRET_NAME}\s*[:=]>?\s*)([^\s\"',;&<>(){{}}\[\]\\]{{3,}})()", named=True),
)
"""The shapes, the surest first."""

SURE_SHAPES = tuple(shape for shape in SHAPES if not shape.named)

ANY_SHAPE = re2.compile("|".join(shape.pattern.pattern for shape in SHAPES))
"""Matches wherever one of the shapes may."""


def looks_secret(text: str) -> bool:
    """Whether a value looks like a key or token by itself."""
    return any(shape.pattern.search(text) for shape in SURE_SHAPES)


def replace_secrets(
    text: str,
    replacement: Callable[[str], str],
    shapes: Sequence[Shape] = SHAPES,
    *,
    before_each: Callable[[str], str] = str,
    is_wary: bool = False,
) -> str:
    """Return the text with what `replacement` returns for each secret in the place of it; `replacement` keeps what it has returned.

    `before_each` is done with the text before each pass over the shapes.
    """
    for _ in range(_MOST_PASSES):  # why: what stood beside a secret may have hidden that it is one itself
        was = text
        text = before_each(text)
        for shape in shapes if ANY_SHAPE.search(text) else ():
            text = shape.replace(text, replacement, is_wary=is_wary)
        if text == was:
            break
    return text
