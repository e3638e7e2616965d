"""HTML made simple and `robots.txt` read, by the libraries that the real server uses."""

import warnings

from mcp_sim.errors import SetupError

try:
    import markdownify
    import readabilipy.simple_json
    from protego import Protego
except ImportError as error:
    raise SetupError(f"The behaviour fetch needs {error.name}. Install it with: pip install 'mcp-sim[fetch]'") from error

_FAILED = "<error>Page failed to be simplified from HTML</error>"


def simplify(html: str) -> str:
    """Return the page as Markdown, or an error in its place where nothing is left of it.

    This is what the real server answers on a machine without Node. Where it finds one it runs Mozilla's Readability in it (after an
    `npm install`), which keeps the main article only; we start no processes and install nothing.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the parser's remarks on pages and on its own caller are nothing to the operator
        content = readabilipy.simple_json.simple_json_from_html_string(html, use_readability=False)["content"]
        text: str = markdownify.markdownify(content, heading_style=markdownify.ATX) if content else ""
    return text if text.strip() else _FAILED


def may_fetch(robots_text: str, url: str, user_agent: str) -> bool:
    """Whether this `robots.txt` lets the user agent fetch the URL."""
    rules = "\n".join(line for line in robots_text.splitlines() if not line.strip().startswith("#"))
    allowed: bool = Protego.parse(rules).can_fetch(url, user_agent)
    return allowed
