from datetime import UTC, datetime

from mcp_sim.core.action import Action
from mcp_sim.predictors.behaviours.world_time import TimeBehaviour
from tests.predictors.behaviours.play import Play, begin


def test_the_time_is_the_worlds_and_ticks_with_changes_only() -> None:
    play = Play(TimeBehaviour({}), begin(clock=datetime(2026, 7, 1, 22, 0, tzinfo=UTC)))
    told = {"timezone": "Europe/Berlin", "datetime": "2026-07-02T00:00:00+02:00", "day_of_week": "Thursday", "is_dst": True}
    for _ in range(2):
        assert play.call("get_current_time", timezone="Europe/Berlin")["structuredContent"] == told
    changed = play.session.transition(Action.call("write"), play.session.trajectory[0].observation, "computed", changes=True)
    play.session = play.session.append(changed)
    assert "2026-07-02T00:00:01+02:00" in play.text("get_current_time", timezone="Europe/Berlin")


def test_a_clock_without_a_zone_is_utc() -> None:
    play = Play(TimeBehaviour({}), begin(clock=datetime(2026, 7, 1, 22, 0)))
    assert "2026-07-01T22:00:00+00:00" in play.text("get_current_time", timezone="UTC")


def test_conversion_is_for_the_worlds_day() -> None:
    winter = Play(TimeBehaviour({}), begin(clock=datetime(2026, 1, 10, tzinfo=UTC)))
    summer = Play(TimeBehaviour({}), begin(clock=datetime(2026, 3, 20, tzinfo=UTC)))  # America has moved its clocks, Europe has not
    question = {"source_timezone": "America/New_York", "time": "12:00", "target_timezone": "Europe/Berlin"}
    assert winter.call("convert_time", **question)["structuredContent"]["time_difference"] == "+6.0h"
    assert summer.call("convert_time", **question)["structuredContent"]["time_difference"] == "+5.0h"


def test_a_time_that_the_clocks_skip_is_refused() -> None:
    play = Play(TimeBehaviour({}), begin(clock=datetime(2026, 3, 29, tzinfo=UTC)))
    result = play.call("convert_time", source_timezone="Europe/Berlin", time="02:30", target_timezone="UTC")
    assert result["isError"] is True
    assert result["content"][0]["text"] == (
        "Error executing tool convert_time: Invalid time: 02:30 does not exist in Europe/Berlin on 2026-03-29 (skipped by a clock change)"
    )
