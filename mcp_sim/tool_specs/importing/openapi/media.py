"""Which of several media types a tool speaks."""

from typing import Any

from mcp_sim.core.canonical import JSON

_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_TEXT: dict[str, JSON] = {"type": "string"}
_BYTES: dict[str, JSON] = {"type": "string", "contentEncoding": "base64"}


def is_json(media_type: str) -> bool:
    """Whether a media type is JSON, or may be."""
    plain = media_type.partition(";")[0].strip().lower()
    return plain in ("application/json", "text/json", "*/*", "application/*") or plain.endswith("+json")


def choose_media(content: JSON) -> tuple[str, dict[str, Any]] | None:
    """Return the media type of a body that suits a tool best, and what is said of it: JSON, else a form, else the first."""
    if not isinstance(content, dict):
        return None
    offered = [(str(name), said) for name, said in content.items() if isinstance(said, dict)]
    for suits in (is_json, lambda name: name.partition(";")[0].strip().lower() in _FORMS, lambda name: True):
        for name, said in offered:
            if suits(name):
                return name, said
    return None


def schema_of(media_type: str, said: dict[str, Any]) -> JSON:
    """Return the schema of a body of this media type, or a text or base64 where none is given."""
    schema = said.get("schema")
    if isinstance(schema, dict | bool):
        return schema
    if is_json(media_type):
        return {}
    return _TEXT if media_type.startswith("text/") or "xml" in media_type or "yaml" in media_type else _BYTES
