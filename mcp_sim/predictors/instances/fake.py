"""Invented people, places, words and times."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

from faker.generator import Generator
from faker.providers.address.en_US import Provider as Address
from faker.providers.company.en_US import Provider as Company
from faker.providers.internet.en_US import Provider as Internet
from faker.providers.job.en_US import Provider as Job
from faker.providers.person.en_US import Provider as Person
from faker.providers.phone_number.en_US import Provider as Phone

from mcp_sim.predictors.instances import prose

_STARTS = frozenset(
    "created create opened published joined registered added since birth born authored committed start started from begin first".split()
)
_LATE = frozenset("due expires expiry expiration expire deadline scheduled next until valid renewal".split())
_THINGS = "parser cache login report export search upload scheduler dashboard index invoice webhook session backup billing".split()


class Fake:
    """Invents things by chance and the world's time. faker's providers on a generator of our own: its `Faker` class shares one source of
    chance in the process, and takes 30 times as long to build.
    """

    def __init__(self) -> None:
        self.of: Any = Generator()  # its methods are the providers'
        for provider in (Address, Company, Internet, Job, Person, Phone):
            self.of.add_provider(provider)
        self.random = Random(0)
        self.now = datetime(2026, 1, 1)

    def begin(self, random: Random, now: datetime) -> "Fake":
        """Take chance and time from here on from these."""
        self.of.random = self.random = random
        self.now = now
        return self

    def word(self) -> str:
        """Return a noun."""
        return self.random.choice(prose.NOUNS)

    def slug(self, parts: int = 2) -> str:
        """Return words joined by dashes."""
        return "-".join(self.word() for _ in range(parts))

    def sentence(self) -> str:
        """Return a sentence a person could have written about a thing at work."""
        return prose.sentence(self.random)

    def title(self) -> str:
        """Return a heading, such as an issue has."""
        return prose.title(self.random)

    def paragraph(self) -> str:
        """Return a few sentences."""
        return " ".join(self.sentence() for _ in range(self.random.randint(2, 3)))

    def email(self, name: str = "") -> str:
        """Return a mail address in a domain that nobody owns."""
        local = name or f"{self.of.first_name()}.{self.of.last_name()}"
        return f"{local.lower().replace(' ', '.')}@example.{self.random.choice(('com', 'org', 'net'))}"

    def host(self) -> str:
        """Return a host name that nobody owns."""
        return f"{self.random.choice(('www', 'api', 'docs', 'app', self.word()))}.example.{self.random.choice(('com', 'org', 'net'))}"

    def url(self) -> str:
        """Return a web address on such a host."""
        return f"https://{self.host()}/{self.slug()}"

    def path(self) -> str:
        """Return a file's path in a project."""
        return f"{self.random.choice(('src', 'docs', 'tests', 'lib'))}/{self.file_name()}"

    def file_name(self) -> str:
        """Return a file's name."""
        return f"{self.random.choice(_THINGS)}.{self.random.choice(('py', 'ts', 'md', 'json', 'txt', 'csv'))}"

    def hexadecimal(self, digits: int) -> str:
        """Return so many hex digits."""
        return f"{self.random.getrandbits(4 * digits):0{digits}x}"

    def uuid(self) -> str:
        """Return a version 4 UUID."""
        digits = self.hexadecimal(32)
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{'89ab'[int(digits[16], 16) % 4]}{digits[17:20]}-{digits[20:]}"

    def time(self, name_words: list[str]) -> datetime:
        """Return a time for a field of that name: what begins lies weeks back, what changes lies hours back, what is due lies ahead."""
        kinds = set(name_words)
        seconds = self.random.randrange(86_400)
        if kinds & _LATE:
            return self.now + timedelta(days=self.random.randint(3, 90), seconds=seconds)
        if kinds & _STARTS:
            return self.now - timedelta(days=self.random.randint(20, 400), seconds=seconds)
        return self.now - timedelta(days=self.random.randint(0, 14), seconds=seconds)
