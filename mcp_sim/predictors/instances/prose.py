"""Plain words and sentences as people at work write them: faker's own are advertising."""

from random import Random

NOUNS = (
    "anchor archive atlas badge basket beacon bridge budget calendar canvas catalog chart checkout client cloud compass "
    "contract courier dashboard delivery depot draft engine estimate export feedback field forecast gallery garden gateway "
    "guide harbor holiday import index inbox intake inventory invoice journal kitchen label ledger lantern letter library "
    "market meadow menu mirror notebook office orchard order outpost parcel partner payment pipeline planner platform portal "
    "pricing profile project queue quote radar receipt refund registry release reminder report review roadmap route sample "
    "schedule search shelf signal sketch staging station studio summary supplier support survey sync ticket timeline toolkit "
    "tour tracker training transfer update valley vendor warehouse window workshop"
).split()
_SUBJECTS = (
    "The weekly report",
    "The new pricing page",
    "The import job",
    "Customer feedback from March",
    "The search index",
    "The mobile layout",
    "The onboarding guide",
    "The delivery estimate",
    "The backup from last night",
    "The supplier's invoice",
    "The export to CSV",
    "The staging server",
    "The draft agenda",
    "The second shipment",
    "The training plan",
    "The quarterly budget",
)
_PREDICATES = (
    "is ready for review",
    "takes longer than it did last month",
    "still lacks the figures from the Lisbon office",
    "was agreed with the support team",
    "needs another look before Friday",
    "works again since the last update",
    "covers all open questions but one",
    "stops when a file is larger than 20 MB",
    "has been moved to next week",
    "shows the wrong total for returned items",
    "was shared with everyone on the project",
    "depends on the vendor's answer",
    "should be repeated once the new data is in",
    "came out shorter than planned",
    "is now kept for ninety days",
    "went out to two hundred customers",
)
_DEEDS = "Add Check Clean Compare Document Fix Improve Plan Review Simplify Test Update".split()
_THINGS = (
    "the export of large files",
    "login after a password reset",
    "delivery dates in the order list",
    "search for names with accents",
    "the weekly summary mail",
    "rounding in invoice totals",
    "the dark theme on small screens",
    "retries when the vendor is down",
    "the onboarding checklist",
    "time zones in the calendar",
    "the cache after an update",
    "links in the handbook",
    "the backup schedule",
    "access for new colleagues",
)


def sentence(random: Random) -> str:
    """Return a sentence that a person could have written at work."""
    return f"{random.choice(_SUBJECTS)} {random.choice(_PREDICATES)}."


def title(random: Random) -> str:
    """Return a heading, such as an issue or a task has."""
    return f"{random.choice(_DEEDS)} {random.choice(_THINGS)}"
