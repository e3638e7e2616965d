"""Texts of the formats that JSON Schema names."""

from collections.abc import Callable
from datetime import UTC

from mcp_sim.predictors.instances.fake import Fake

_NAMED: dict[str, Callable[[Fake, list[str]], str]] = {
    "date-time": lambda fake, about: fake.time(about).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    "date": lambda fake, about: fake.time(about).strftime("%Y-%m-%d"),
    "time": lambda fake, about: fake.time(about).strftime("%H:%M:%SZ"),
    "duration": lambda fake, _: f"PT{fake.random.randint(1, 59)}M",
    "email": lambda fake, _: fake.email(),
    "idn-email": lambda fake, _: fake.email(),
    "hostname": lambda fake, _: fake.host(),
    "idn-hostname": lambda fake, _: fake.host(),
    "ipv4": lambda fake, _: f"192.0.2.{fake.random.randint(1, 254)}",
    "ipv6": lambda fake, _: f"2001:db8::{fake.random.randint(1, 0xFFFF):x}",
    "uri": lambda fake, _: fake.url(),
    "url": lambda fake, _: fake.url(),
    "uri-reference": lambda fake, _: f"/{fake.slug()}",
    "iri": lambda fake, _: fake.url(),
    "iri-reference": lambda fake, _: f"/{fake.slug()}",
    "uri-template": lambda fake, _: f"https://{fake.host()}/{fake.word()}/{{id}}",
    "uuid": lambda fake, _: fake.uuid(),
    "json-pointer": lambda fake, _: f"/{fake.word()}/{fake.random.randint(0, 9)}",
    "relative-json-pointer": lambda fake, _: f"{fake.random.randint(0, 3)}/{fake.word()}",
    "regex": lambda fake, _: f"^{fake.word()}[a-z0-9-]*$",
}


def formatted(name: str, fake: Fake, about: list[str]) -> str | None:
    """Return a text of the format for a field whose name has these words; `None` where the format is not known."""
    known = _NAMED.get(name)
    return None if known is None else known(fake, about)
