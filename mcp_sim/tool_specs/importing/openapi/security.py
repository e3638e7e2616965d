"""Which parameters only carry credentials."""

import re

from mcp_sim.tool_specs.importing.openapi.document import Document, RemoteReferenceError

# What the specification itself says are no parameters (OpenAPI 3.1, Parameter Object), and what is known to hold a credential.
_IGNORED_HEADERS = frozenset(("accept", "content-type", "authorization"))
_SECRET_HEADER = re.compile(
    r"(^|[-_])(authorization|auth[-_]?token|access[-_]?token|api[-_]?token|api[-_]?key|apikey|app[-_]?key|cookie|set-cookie|session[-_]?id"
    r"|csrf[-_]?token|xsrf[-_]?token|secret|signature|password)$"
)
_SECRET_QUERY = re.compile(r"api[-_]?key|access[-_]?token|auth[-_]?token|client[-_]?secret")


def credential_places(document: Document) -> frozenset[tuple[str, str]]:
    """Return place and name (in lower case) of every parameter that a security scheme of the document uses."""
    if document.version == "2.0":
        schemes = document.raw.get("securityDefinitions")
    else:
        components = document.raw.get("components")
        schemes = components.get("securitySchemes") if isinstance(components, dict) else None
    found = set()
    for raw in schemes.values() if isinstance(schemes, dict) else ():
        try:
            scheme = document.resolved(raw)
        except RemoteReferenceError as error:
            document.notice(f"a security scheme was passed over: {str(error).removeprefix(f'{document.where}: ')}")
            continue
        if scheme.get("type") == "apiKey" and isinstance(scheme.get("name"), str):
            found.add((str(scheme.get("in")), scheme["name"].lower()))
    return frozenset(found)


def is_credential(place: str, name: str, places: frozenset[tuple[str, str]]) -> bool:
    """Whether a parameter is a credential, or one of the headers that are no parameters."""
    lower = name.lower()
    if (place, lower) in places:
        return True
    if place == "header":
        return lower in _IGNORED_HEADERS or _SECRET_HEADER.search(lower) is not None
    if place == "cookie":
        return True  # what a client keeps for itself: no agent sets it
    return place == "query" and _SECRET_QUERY.fullmatch(lower) is not None
