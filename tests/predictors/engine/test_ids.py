import re
from datetime import UTC, datetime
from random import Random

import pytest

from mcp_sim.predictors.engine.resources.ids import IdStyle
from mcp_sim.predictors.engine.words.arguments import Argument

NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)


def style_of(*samples: object, key: str = "id", **schema: object) -> IdStyle:
    return IdStyle.of(Argument("thing_id", dict(schema), True), samples, own_named=False, wide=False, scoped=False, key=key)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("samples", "pattern"),
    [
        (["C01ABCD2EF"], r"C[0-9A-Z]{9}"),
        (["usr_8fk2"], r"usr_[a-z0-9]{4}"),
        (["4b0cd2a1-1f7e-4c55-9b39-0a0f6a1cbd11"], r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
        (["e921672a4bb2ceb482aba3fc1c516f136240f03f"], r"[0-9a-f]{40}"),
        (["1735689600.000100"], r"\d{10}\.\d{6}"),
        ([8804180012], r"8\d{9}"),
    ],
)
def test_new_ids_look_like_those_that_were_seen(samples: list[object], pattern: str) -> None:
    style = style_of(*samples)
    made = {str(style.minted(Random(seed), NOW, "")) for seed in range(50)}
    assert len(made) > 40
    assert all(re.fullmatch(pattern, identifier) for identifier in made)
    assert all(style.fits(identifier) for identifier in made)


def test_running_ids_count_on() -> None:
    assert style_of(418, key="number").numbered(419) == 419
    assert style_of("418", key="number").numbered(419) == "419"
    assert style_of("OPS-12").numbered(13) == "OPS-13"
    assert style_of("OPS-12").number_of("OPS-12") == 12


def test_the_schema_and_the_description_tell_the_style() -> None:
    assert style_of(type="integer").style == "number"
    assert style_of(type="string", format="uuid").style == "uuid"
    assert style_of(type="string", description="The key, e.g. PROJ-123").style == "prefixed"


@pytest.mark.parametrize(
    "key", ["nonexistent", "does-not-exist", "99999", "-1", "0", "00000000-0000-0000-0000-000000000000", "", "invalid-id"]
)
def test_what_looks_invented_fits_no_style(key: str) -> None:
    for style in (style_of(12, key="number"), style_of(type="string"), style_of("blue-harbor")):
        assert not style.fits(key)
