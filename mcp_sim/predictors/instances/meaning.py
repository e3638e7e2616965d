"""What a field's name and description tell about its value."""

import re
from collections.abc import Callable
from functools import lru_cache

from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.instances.fake import Fake
from mcp_sim.predictors.instances.format import formatted

Text = Callable[[Fake], str]


def _one_of(values: str) -> Text:
    choices = values.split("|")
    return lambda fake: fake.random.choice(choices)


def _digits(count: int) -> Text:
    return lambda fake: fake.hexadecimal(count)


_TEXTS: dict[str, Text] = {
    "name": lambda fake: f"{fake.word()}-{fake.word()}",
    "full_name": lambda fake: f"{fake.of.first_name()} {fake.of.last_name()}",
    "display_name": lambda fake: f"{fake.of.first_name()} {fake.of.last_name()}",
    "first_name": lambda fake: str(fake.of.first_name()),
    "given_name": lambda fake: str(fake.of.first_name()),
    "last_name": lambda fake: str(fake.of.last_name()),
    "family_name": lambda fake: str(fake.of.last_name()),
    "user": lambda fake: f"{fake.of.first_name()}{fake.random.randint(1, 99)}".lower(),
    "person": lambda fake: f"{fake.of.first_name()} {fake.of.last_name()}",
    "author": lambda fake: f"{fake.of.first_name()} {fake.of.last_name()}",
    "title": Fake.title,
    "description": Fake.sentence,
    "content": Fake.paragraph,
    "email": Fake.email,
    "host": Fake.host,
    "url": Fake.url,
    "image": lambda fake: f"https://{fake.host()}/images/{fake.slug()}.png",
    "city": lambda fake: str(fake.of.city()),
    "country": lambda fake: str(fake.of.country()),
    "country_code": lambda fake: str(fake.of.country_code()),
    "state_code": lambda fake: str(fake.of.state_abbr()),
    "region": lambda fake: str(fake.of.state()),
    "street": lambda fake: str(fake.of.street_address()),
    "address": lambda fake: f"{fake.of.street_address()}, {fake.of.city()}",
    "zip": lambda fake: str(fake.of.postcode()),
    "phone": lambda fake: f"+1-{fake.random.randint(201, 989)}-555-01{fake.random.randint(0, 99):02d}",
    "company": lambda fake: str(fake.of.company()),
    "job": lambda fake: str(fake.of.job()),
    "currency": _one_of("USD|EUR|GBP|JPY"),
    "language": _one_of("Python|TypeScript|Go|Rust|Java"),
    "locale": _one_of("en-US|de-DE|fr-FR|ja-JP"),
    "language_code": _one_of("en|de|fr|ja|es"),
    "timezone": _one_of("Europe/Berlin|America/New_York|Asia/Tokyo|UTC"),
    "color": _one_of("#1f6feb|#d73a4a|#0e8a16|#fbca04"),
    "status": _one_of("active|pending|completed|open"),
    "state": _one_of("open|closed"),
    "priority": _one_of("low|medium|high"),
    "level": _one_of("info|warning|error"),
    "type": _one_of("standard|default|custom|basic"),
    "method": _one_of("GET|POST|PUT"),
    "role": _one_of("admin|member|viewer"),
    "version": lambda fake: f"{fake.random.randint(0, 4)}.{fake.random.randint(0, 20)}.{fake.random.randint(0, 9)}",
    "mime": _one_of("application/json|text/plain|image/png|text/html"),
    "path": Fake.path,
    "file": Fake.file_name,
    "directory": lambda fake: f"/srv/{fake.word()}/{fake.word()}",
    "extension": _one_of("py|ts|md|json"),
    "branch": lambda fake: fake.random.choice(("main", "develop", f"feature/{fake.slug()}")),
    "ref": lambda fake: f"refs/heads/{fake.random.choice(('main', 'develop'))}",
    "sha": _digits(40),
    "short_hash": _digits(7),
    "digest": _digits(64),
    "id": lambda fake: f"{fake.hexadecimal(12)}",
    "uuid": Fake.uuid,
    "token": lambda fake: f"tok_{fake.hexadecimal(24)}",
    "key": lambda fake: fake.random.choice(("", "primary_", "default_")) + fake.word(),
    "slug": Fake.slug,
    "tag": lambda fake: fake.random.choice(("bug", "docs", "enhancement", "urgent", "backend", "frontend", "v1.2.0")),
    "query": lambda fake: f"{fake.word()} {fake.word()}",
    "message": lambda fake: f"{fake.title()}.",
    "error": _one_of("Not found|Timed out|Permission denied"),
    "code": lambda fake: fake.hexadecimal(6).upper(),
    "category": _one_of("documentation|engineering|research|operations"),
    "price_range": _one_of("$|$$|$$$"),
    "rating": lambda fake: f"{fake.random.randint(30, 50) / 10}",
    "unit": _one_of("km|kg|percent|seconds"),
    "repo": lambda fake: fake.slug(),
    "protocol": _one_of("https|http"),
    "ip": lambda fake: formatted("ipv4", fake, []) or "",
    "time": lambda fake: formatted("date-time", fake, []) or "",
    "date": lambda fake: formatted("date", fake, []) or "",
    "offset": _one_of("+00:00|+01:00|-05:00"),
    "day_of_week": _one_of("Monday|Tuesday|Wednesday|Thursday|Friday"),
    "weekday": _one_of("Monday|Tuesday|Wednesday|Thursday|Friday"),
    "age": lambda fake: f"{fake.random.randint(2, 11)} days ago",
    "format": _one_of("json|text|markdown"),
    "model": lambda fake: f"{fake.word()}-{fake.random.randint(1, 9)}",
    "cursor": _digits(16),
    "command": _one_of("git status|npm test|ls -la"),
    "text": Fake.sentence,
    "label": _one_of("bug|documentation|enhancement|question"),
}
_SAME = """
user: username login handle nickname owner assignee creator committer reviewer account screen_name sender organizer tagger user_name
person: customer contact employee manager artist actor director attendee recipient
title: headline heading subject long_title summary_title task issue pull_request
description: summary abstract bio about details snippet excerpt caption overview notice reason explanation tagline subtitle observation
content: body readme article paragraph document markdown html transcript answer text_content review comment contents file_contents
email: mail email_address
host: hostname domain netloc server site website_name
url: uri link href website homepage site_url webpage html_url endpoint permalink src remote canonical
image: img avatar photo picture thumbnail logo icon favicon avatar_url image_url profile_image image_src
city: town locality place location address_locality
region: province county address_region
street: street_address address_line
address: postal_address display_address formatted_address venue
zip: postcode postal_code zipcode
phone: telephone mobile fax phone_number tel
company: organization organisation employer publisher vendor manufacturer brand org provider
job: position occupation profession job_title
language: programming_language
locale: lang
timezone: tz time_zone
color: colour background_color bg_color
status: availability condition phase
level: severity
method: http_method verb
version: release tag_name
mime: mimetype mime_type content_type media_type
path: filepath file_path filename_path target source destination location_path original
file: filename file_name attachment conflicted_file modified_file
directory: dir folder cwd root working_directory workspace repository_path current_directory
branch: branch_name current_branch default_branch base_branch upstream head
sha: commit commit_hash commit_sha hash oid revision tree parent
short_hash: short_sha abbreviated_hash
digest: checksum sha256 signature
uuid: guid
token: secret password api_key access_token
key: parameter setting
slug: permalink_slug
tag: keyword topic hashtag
query: search search_query q term
message: msg commit_message note
error: err error_message failure
category: genre section department kind group
repo: repository project package module library
time: timestamp datetime at created updated modified published last_modified last_updated authored
date: day birthday due_on birthdate
unit: units
country_code: country_iso
""".strip()
for _line in _SAME.splitlines():
    _key, _, _others = _line.partition(": ")
    for _other in _others.split():
        _TEXTS.setdefault(_other, _TEXTS[_key])

_EXAMPLE = re.compile(
    r"(?:e\.g\.?|for example|such as|example:|examples:|like)[\s,:(]*((?:[`'\"][^`'\"\n]{1,60}[`'\"](?:\s*(?:,|or|and|/)+\s*)*)+)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[`'\"]([^`'\"\n]{1,60})[`'\"]")
_FILES = frozenset("files paths staged unstaged untracked".split())
_TELLING = frozenset("email url uri date timestamp path filename hash city country phone sentence title sha uuid message branch".split())


@lru_cache(maxsize=4096)
def _known(name: str) -> str | None:
    """Return the entry for a name: its longest ending that is known, else any of its words, the last first."""
    parts = words(name)
    for form in ("_".join(parts[start:]) for start in range(len(parts))):
        for candidate in (form, form.removesuffix("s")):
            if candidate in _TEXTS:
                return candidate
    return next((word for word in reversed(parts) if word in _TEXTS), None)


def names_known(name: str) -> bool:
    """Whether a field's name tells what its text may be."""
    return _known(name) is not None


@lru_cache(maxsize=4096)
def _examples(description: str) -> tuple[str, ...]:
    return tuple(quoted for found in _EXAMPLE.finditer(description[:2000]) for quoted in _QUOTED.findall(found[1]))


@lru_cache(maxsize=4096)
def _told(description: str) -> str | None:
    return next((word for word in words(description[:300]) if word in _TELLING and word in _TEXTS), None)


def text_for(name: str, description: str, fake: Fake) -> str:
    """Return what a text field of that name and description may hold."""
    examples = _examples(description)
    if examples:
        return fake.random.choice(examples)
    about = words(name)
    if "8601" in description or (about and about[-1] in ("at", "timestamp")):
        return formatted("date-time", fake, about) or ""
    if "YYYY-MM-DD" in description or (about and about[-1] == "date"):
        return formatted("date", fake, about) or ""
    if _FILES & set(about):
        return fake.path()
    known = _known(name) or _told(description)
    if known is not None:
        return _TEXTS[known](fake)
    return f"{fake.word()} {fake.word()}" if len(about) != 1 else f"{about[0]}-{fake.word()}"


_NEGATIVE = frozenset(
    "error failed deleted archived disabled hidden private locked expired cancelled blocked truncated more dry bare conflicts".split()
)


def truth_for(name: str, fake: Fake) -> bool:
    """Return what a flag of that name mostly says: success, and no trouble."""
    about = set(words(name))
    if about & _NEGATIVE:
        return False
    if about & {"success", "ok", "valid", "exists", "enabled", "active", "verified", "found", "available"}:
        return True
    return fake.random.random() < 0.6


_MEASURED = frozenset(
    "humidity distance speed weight area volume average mean median rate value pressure load utilization usage change".split()
)


def number_for(name: str, fake: Fake, *, whole: bool) -> int | float | None:
    """Return what a number field of that name may hold, `None` where the name does not tell."""
    about = words(name)
    random = fake.random
    last = about[-1] if about else ""
    kinds = set(about)
    if kinds & {"lat", "latitude"}:
        return round(random.uniform(-60, 65), 5)
    if kinds & {"lon", "lng", "longitude"}:
        return round(random.uniform(-120, 140), 5)
    if last in ("timestamp", "at", "time", "mtime", "ctime", "created", "updated", "ms", "millis") and kinds & {
        "timestamp",
        "at",
        "created",
        "updated",
        "mtime",
        "ctime",
        "epoch",
    }:
        seconds = int(fake.time(about).timestamp())
        return seconds * 1000 if kinds & {"ms", "millis"} else seconds
    if kinds & {"price", "cost", "amount", "fee", "subtotal", "tax", "balance", "salary"}:
        return random.randint(5, 400) if whole else round(random.uniform(3, 250), 2)
    if kinds & {"percent", "percentage", "progress"}:
        return random.randint(1, 100)
    if kinds & {"score", "confidence", "probability", "similarity", "relevance", "ratio"}:
        return random.randint(1, 100) if whole else round(random.uniform(0.3, 0.99), 3)
    if kinds & {"rating", "stars"} and not whole:
        return round(random.uniform(3, 5), 1)
    if last in ("id", "number"):
        return random.randint(1, 9_999)
    if "year" in kinds:
        return fake.now.year - random.randint(0, 6)
    if kinds & {"bytes", "size"}:
        return random.randint(200, 80_000)
    if kinds & {"width", "height"}:
        return random.choice((120, 240, 320, 480, 640, 1080))
    if "port" in kinds:
        return random.choice((80, 443, 3000, 5432, 8080))
    if kinds & {"page", "attempt", "attempts", "depth"}:
        return 1
    if kinds & {"offset", "errors", "failed", "skipped", "behind"}:
        return 0
    if kinds & {"age"}:
        return random.randint(19, 70)
    if kinds & {"temperature", "temp"}:
        return random.randint(-2, 31) if whole else round(random.uniform(-2, 31), 1)
    if kinds & {"duration", "ms", "elapsed"}:
        return random.randint(3, 900)
    if not whole and kinds & _MEASURED:
        return round(random.uniform(1, 100), 2)
    return random.randint(1, 40)
