"""What things of a kind usually consist of: a table by noun, for tools that say no more of their answers."""

from collections.abc import Mapping, Sequence

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.instances.array import singular

_TEXT: dict[str, JSON] = {"type": "string"}
_TYPES: Mapping[str, dict[str, JSON]] = {
    "": _TEXT,
    "n": {"type": "number"},
    "i": {"type": "integer"},
    "b": {"type": "boolean"},
    "t": {"type": "string", "format": "date-time"},
    "d": {"type": "string", "format": "date"},
    "money": {"type": "number", "format": "price"},
    "ratio": {"type": "number", "format": "ratio"},
    "stars": {"type": "number", "format": "rating"},
}
# `name:type`, `name=one|other`, `people[]`; any other type says what a text is about, which else its name tells
_TABLE = """
weather: location:city temperature:n feels_like:n condition:sky humidity:i wind_speed:n wind_direction observed_at:t
forecast: date:d condition:sky temp_min:n temp_max:n precipitation_probability:i wind_speed:n
alert: id severity=minor|moderate|severe event headline starts_at:t ends_at:t
transaction: id date:t description:payee type=debit|credit amount:money currency=EUR status=completed|pending
payment: id amount:money currency=EUR status=succeeded|pending|failed customer:person created_at:t
invoice: id number:invoice customer:company amount:money currency=EUR status=draft|sent|paid|overdue issued_on:d due_on:d
balance: currency=EUR available:money pending:money
rate: rate:ratio updated_at:t
quote: symbol price:money change:n change_percent:n volume:i updated_at:t
stock: symbol price:money change:n change_percent:n volume:i updated_at:t
price: symbol price:money currency=USD updated_at:t
candle: timestamp:t open:money high:money low:money close:money volume:i
history: date:d open:money high:money low:money close:money volume:i
order: id customer:person status=processing|shipped|delivered total:money currency=EUR created_at:t
shipment: id carrier=UPS|DHL|FedEx tracking_number:tracking status=in_transit|delivered|label_created estimated_delivery:d
product: id sku name:product price:money currency=EUR quantity:i category
item: id name:product quantity:i
customer: id name:person email company created_at:t
contact: id name:person email phone company
lead: id name:person email company status=new|contacted|qualified source=website|referral|event created_at:t
deal: id name:deal company stage=qualification|proposal|negotiation|won amount:money close_date:d owner:person
company: id name:company website employees:i city country
person: id name:person email job_title
user: id username name:person email role=admin|member|viewer created_at:t
member: id username name:person email role=admin|member|viewer
team: id name:team members:i created_at:t
event: id title:meeting start:t end:t location:room attendees[] status=confirmed|tentative
meeting: id title:meeting start:t end:t location:room attendees[]
appointment: id title:meeting start:t end:t with:person status=confirmed|pending
slot: start:t end:t
email: id from:email to:email subject:meeting snippet:sentence date:t unread:b
mail: id from:email to:email subject:meeting snippet:sentence date:t unread:b
thread: id subject:meeting participants[] messages:i updated_at:t
message: id author:person text:sentence sent_at:t
channel: id name:channel topic:sentence members:i
comment: id author:person body:sentence created_at:t
review: id author:person rating:stars text:sentence created_at:t
task: id title status=todo|in_progress|done assignee:person priority=low|medium|high due_date:d
card: id title list=Backlog|Doing|Done assignee:person due_date:d
ticket: id title status=open|pending|closed priority=low|medium|high assignee:person created_at:t
issue: id title status=open|closed assignee:person created_at:t
project: id name:team status=active|on_hold|completed owner:person created_at:t
board: id name:team lists:i created_at:t
note: id title body:sentence updated_at:t
page: id title url updated_at:t
document: id title owner:person updated_at:t
file: name:file path size:i modified_at:t
folder: name:folder path items:i modified_at:t
commit: sha message author:person date:t
branch: name:branch sha protected:b
release: tag:version name:title published_at:t
build: id status=success|failed|running branch:branch commit:sha duration_seconds:i started_at:t
deployment: id environment=production|staging version status=success|failed|in_progress deployed_at:t
log: timestamp:t level=info|warning|error message:sentence
metric: timestamp:t value:n
result: title url snippet:sentence
article: title url source:company published_at:t summary:sentence
news: title url source:company published_at:t summary:sentence
flight: flight_number:flight airline origin:airport destination:airport departure_time:t arrival_time:t price:money
hotel: id name:hotel city rating:stars price_per_night:money currency=EUR
restaurant: id name:hotel cuisine=Italian|Japanese|Indian|French rating:stars address
place: name:hotel address latitude:n longitude:n rating:stars
route: distance_km:n duration_minutes:i summary:street
direction: instruction:turn distance_km:n duration_minutes:i
reservation: id name:person date:d party_size:i status=confirmed|pending
booking: id guest:person check_in:d check_out:d status=confirmed|pending total:money
movie: id title:work year:i rating:stars
song: id title:work artist:person duration_seconds:i
book: title:work author:person year:i isbn
server: id name:host status=running|stopped region ip
database: name:table size_mb:i tables:i
table: name:table rows:i
notification: id type=mention|assignment|reminder text:sentence read:b created_at:t
subscription: id plan=free|pro|team status=active|cancelled renews_on:d amount:money
""".strip()
_SAME = """
customer: client account
person: employee
issue: bug
task: todo reminder story
email: inbox
event: calendar
candle: candlestick kline ohlcv
history: timeseries
notification: activity
transaction: movement
payment: charge
project: repository
build: run job pipeline
movie: video
song: track
result: hit web internet google
company: organization
deal: opportunity
direction: step
log: entry
weather: condition
quote: ticker
shipment: delivery
slot: availability
product: listing
user: login
""".strip()
_KIND_OF = {other: kind for kind, _, others in (line.partition(": ") for line in _SAME.splitlines()) for other in others.split()}
_MADE_UP = frozenset({"forecast", "history", "candle", "metric", "slot"})
"""Points in time, which are no things: they come with what was asked for around them."""


def _part(told: str) -> tuple[str, dict[str, JSON]]:
    if "=" in told:
        name, _, values = told.partition("=")
        return name, {"enum": list(values.split("|"))}
    if told.endswith("[]"):
        return told[:-2], {"type": "array", "items": {"type": "string", "format": "person"}, "minItems": 1, "maxItems": 3}
    name, _, kind = told.partition(":")
    return name, _TYPES.get(kind) or {"type": "string", "format": kind}


_PROPERTIES: dict[str, dict[str, dict[str, JSON]]] = {
    noun: dict(_part(told) for told in fields.split()) for noun, _, fields in (line.partition(": ") for line in _TABLE.splitlines())
}


def kind_of(nouns: Sequence[str]) -> str:
    """Return the kind in the table that nouns speak of, the last first, or the empty string."""
    for noun in reversed(nouns):
        one = noun if noun in _PROPERTIES else singular(noun)
        one = _KIND_OF.get(one, one)
        if one in _PROPERTIES:
            return one
    return ""


def is_series(kind: str) -> bool:
    """Whether things of a kind are points in time."""
    return kind in _MADE_UP


def schema_of(kind: str) -> dict[str, JSON]:
    """Return the output schema of one thing of a kind in the table.

    Raises:
        KeyError: there is none such.
    """
    properties = _PROPERTIES[kind]
    return {"type": "object", "properties": properties, "required": list(properties)}
