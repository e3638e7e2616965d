"""Which text a field of a name holds: a table of names."""

from collections.abc import Callable

from mcp_sim.predictors.instances.fake import Fake
from mcp_sim.predictors.instances.format import formatted

Text = Callable[[Fake], str]


def _one_of(values: str) -> Text:
    choices = values.split("|")
    return lambda fake: fake.random.choice(choices)


def _digits(count: int) -> Text:
    return lambda fake: fake.hexadecimal(count)


TEXTS: dict[str, Text] = {
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
    "sentence": Fake.sentence,
    "payee": _one_of("Salary|Grocery store|Rent|Coffee shop|Electricity|Online order|Train ticket|Insurance|Restaurant|Gym membership"),
    "product": _one_of(
        "Wireless mouse|Desk lamp|Notebook|USB-C cable|Water bottle|Backpack|Office chair|Headphones|Monitor stand|Keyboard"
    ),
    "invoice": lambda fake: f"INV-{fake.now.year}-{fake.random.randint(1, 9999):04d}",
    "tracking": lambda fake: f"1Z{fake.hexadecimal(8).upper()}{fake.random.randint(10**7, 10**8 - 1)}",
    "deal": lambda fake: f"{fake.of.company()} - {fake.random.choice(('annual plan', 'pilot', 'renewal', 'expansion', 'onboarding'))}",
    "meeting": _one_of(
        "Weekly sync|Project kickoff|Budget review|Design review|1:1|Sprint planning|Customer call|Interview|Team lunch|Retro"
    ),
    "room": _one_of("Room 2.04|Main office|Online|Conference room A|Meeting room 3"),
    "folder": _one_of("Documents|Invoices|Photos|Projects|Archive|Reports"),
    "channel": _one_of("general|random|engineering|support|announcements|design|marketing"),
    "team": _one_of("Platform|Mobile app|Website relaunch|Customer success|Data|Growth|Design system|Infrastructure"),
    "hotel": lambda fake: (
        f"{fake.random.choice(('Harbor', 'Garden', 'Park', 'Central', 'Old Town', 'Riverside'))} "
        f"{fake.random.choice(('House', 'Inn', 'Place', 'Terrace', 'Kitchen', 'Corner'))}"
    ),
    "airline": _one_of("Lufthansa|Air France|KLM|British Airways|SAS|Iberia"),
    "airport": _one_of("FRA|CDG|AMS|LHR|CPH|MAD|JFK|SFO|ORD|ZRH"),
    "flight": lambda fake: f"{fake.random.choice(('LH', 'AF', 'KL', 'BA', 'SK', 'IB'))}{fake.random.randint(100, 2999)}",
    "turn": lambda fake: (
        f"{fake.random.choice(('Turn left onto', 'Turn right onto', 'Continue on', 'Keep right onto'))} {fake.of.street_name()}"
    ),
    "work": lambda fake: f"The {fake.random.choice(('Quiet', 'Long', 'Last', 'Silver', 'Northern'))} {fake.word().capitalize()}",
    "isbn": lambda fake: (
        f"978-{fake.random.randint(0, 9)}-{fake.random.randint(100, 999)}-{fake.random.randint(10000, 99999)}-{fake.random.randint(0, 9)}"
    ),
    "sky": _one_of("Sunny|Partly cloudy|Cloudy|Light rain|Clear|Overcast|Showers"),
    "wind_direction": _one_of("N|NE|E|SE|S|SW|W|NW"),
    "symbol": _one_of("AAPL|MSFT|GOOG|AMZN|NVDA|TSLA"),
    "sku": lambda fake: f"SKU-{fake.random.randint(10_000, 99_999)}",
    "iban": lambda fake: f"DE{fake.random.randint(10, 99)}{fake.random.randint(10**17, 10**18 - 1)}",
    "account_number": lambda fake: str(fake.random.randint(10**9, 10**10 - 1)),
}
_SAME = """
user: username login handle nickname owner assignee creator committer reviewer account screen_name sender organizer tagger user_name
person: customer contact employee manager artist actor director attendee recipient
title: headline heading subject long_title summary_title task issue pull_request
description: summary abstract bio about details snippet excerpt caption overview notice reason explanation tagline subtitle observation
content: body readme article paragraph document markdown html transcript answer text_content review comment contents file_contents
email: mail email_address recipient_email sender_email
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
country_code: country_iso country_code_iso
symbol: ticker
airline: carrier_name
airport: iata iata_code
flight: flight_number
tracking: tracking_number tracking_code
wind_direction: wind_dir
invoice: invoice_number
""".strip()
for _line in _SAME.splitlines():
    _key, _, _others = _line.partition(": ")
    for _other in _others.split():
        TEXTS.setdefault(_other, TEXTS[_key])
