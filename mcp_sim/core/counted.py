"""Numbers with their nouns, as messages say them."""


def count_of(number: int, noun: str, verbs: tuple[str, str] | None = None) -> str:
    """Return the number with its noun, whose plural ends in s, and with the verb for one or for more: `1 tool is`, `2 tools are`."""
    verb = "" if verbs is None else f" {verbs[number != 1]}"
    return f"{number:,} {noun if number == 1 else noun + 's'}{verb}"
