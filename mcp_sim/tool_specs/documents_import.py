"""A folder of pages, read into the state of a world that has documents to search and fetch."""

import os
import re
from pathlib import Path
from urllib.parse import quote, urlsplit

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import flaw, kind, read_json, read_text, shown

_ENDINGS = (".json", ".md", ".markdown", ".txt", ".html", ".htm")
_FIELDS = {"title": str, "text": str, "html": str, "published": str, "site": str, "content_type": str, "status": int}
_MOST_FILES = 20_000
_MAX_BYTES = 200_000_000
_HEADING = re.compile(r"^#\s+(.+?)\s*#*$", re.MULTILINE)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)


def import_documents(path: Path, base_url: str | None = None) -> dict[str, JSON]:
    """Return the value of `state.json` that holds pages: `{"documents": {url: {"title", "text" or "html", ...}}}`.

    Of a folder, each Markdown, text and HTML file is a page at `base_url` (`https://<folder>.example/` if none is given) and its path.
    A JSON file is one page with a `url`, a list of such pages, or pages by URL as the state has them; a single file will do as well.

    Raises:
        SetupError: there is no page, a page is wrong, two have one URL, or there is more than the bounds allow.
    """
    if not path.exists():
        raise SetupError(f"{path}: there is no such file or folder.")
    name = re.sub(r"[^a-z0-9]+", "-", path.resolve().stem.lower()).strip("-") or "pages"
    base = (base_url or f"https://{name}.example/").rstrip("/") + "/"
    if urlsplit(base).scheme not in ("http", "https") or not urlsplit(base).netloc:
        raise SetupError(f"{base_url!r} is no web address such as https://docs.example/.")
    documents: dict[str, JSON] = {}
    for file in _files(path):
        address = file.name if path.is_file() else file.relative_to(path).as_posix()
        for url, page in _pages(file, base + quote(address)):
            if url in documents:
                raise SetupError(f"{file}: {url} is the address of another page too. Give one of them another url.")
            documents[url] = page
    if not documents:
        raise SetupError(f"{path}: holds no pages; files that end in {', '.join(_ENDINGS)} are read.")
    return {"documents": documents}


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    files, size = list[Path](), 0
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in (Path(folder, name) for name in sorted(names)):
            if file.suffix.lower() in _ENDINGS and not file.name.startswith(".") and file.is_file():
                files.append(file)
                size += file.stat().st_size
        if len(files) > _MOST_FILES or size > _MAX_BYTES:
            raise SetupError(f"{path}: holds more than {_MOST_FILES:,} pages or {_MAX_BYTES // 1_000_000} MB. Import a part of it.")
    return files


def _pages(file: Path, url: str) -> list[tuple[str, dict[str, JSON]]]:
    ending = file.suffix.lower()
    if ending == ".json":
        return _written_pages(file)
    text = read_text(file)
    if ending in (".html", ".htm"):
        found = _TITLE.search(text)
        return [(url, {"title": " ".join(found[1].split()) if found else file.stem, "html": text})]
    heading = _HEADING.search(text) if ending != ".txt" else None
    return [(url, {"title": heading[1] if heading else file.stem, "text": text.strip()})]


def _written_pages(file: Path) -> list[tuple[str, dict[str, JSON]]]:
    value = read_json(file)
    if reason := flaw(value):
        raise SetupError(f"{file}: {reason}.")
    if isinstance(value, dict) and "url" not in value:
        value = [{**page, "url": url} if isinstance(page, dict) else page for url, page in value.items()]
    pages = value if isinstance(value, list) else [value]
    return [_written_page(page, f"{file}: page {number}") for number, page in enumerate(pages, start=1)]


def _written_page(page: JSON, where: str) -> tuple[str, dict[str, JSON]]:
    if not isinstance(page, dict) or not isinstance(page.get("url"), str) or "://" not in page["url"]:
        raise SetupError(f'{where}: {"is " + kind(page) if not isinstance(page, dict) else "has no web address as url"}; a page has "url".')
    kept = {key: value for key, value in page.items() if key != "url"}
    for key, value in kept.items():
        if key not in _FIELDS:
            raise SetupError(f"{where}: has the unknown key {shown(key)}. Known are url, {', '.join(_FIELDS)}.")
        if not isinstance(value, _FIELDS[key]):
            raise SetupError(f'{where}: "{key}" is {kind(value)}.')
    return page["url"], kept
