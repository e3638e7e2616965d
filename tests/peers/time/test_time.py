"""The same questions to the real mcp-server-time, its clock pinned, and to ours: whole results equal."""

from datetime import datetime
from zoneinfo import available_timezones

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_sim.predictors.behaviours.world_time import TimeBehaviour
from tests.peers.pip_server import pip_server
from tests.predictors.behaviours.play import Play, begin
from tests.raw_server import RawServer

pytestmark = pytest.mark.peers

PINNED = """
import asyncio, sys
from datetime import datetime
import mcp_server_time.server as server
moment = datetime.fromisoformat(sys.argv[1])
class Pinned(datetime):
    @classmethod
    def now(cls, tz=None):
        return moment.astimezone(tz)
server.datetime = Pinned
asyncio.run(server.serve("UTC"))
"""
known = st.sampled_from(sorted(available_timezones()))
zones = st.one_of(known, known, st.sampled_from(["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]))
wrong = st.sampled_from(["", "Mars/Base", "europe/berlin", "/etc/passwd", "../x", "a\0b"]) | st.text(
    st.characters(codec="ascii"), max_size=4
)
times = st.times().map(lambda time: f"{time:%H:%M}") | st.sampled_from(["02:30", "2:5", "24:00", "", "12:30:00", "noon", " 12:30"])


@pytest.mark.parametrize(
    "moment",
    [
        "2026-01-01T09:00:00+00:00",
        "2026-03-29T00:30:00+00:00",  # clocks go forward in Europe
        "2026-03-08T12:00:00+00:00",  # and in America
        "2026-11-01T05:59:59+00:00",  # and back
        "2024-02-29T23:59:59+00:00",
        "1955-06-01T00:00:00+00:00",
    ],
)
def test_same_results_as_the_real_server(pytestconfig: pytest.Config, moment: str) -> None:
    python = pip_server(pytestconfig, "mcp-server-time", "mcp-server-time==2026.10.19")
    ours = Play(TimeBehaviour({}), begin(clock=datetime.fromisoformat(moment)))
    with RawServer([python, "-c", PINNED, moment]) as real:

        @settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
        @given(zones | wrong, times, zones | wrong)
        def compare(source: str, time: str, target: str) -> None:
            conversion = {"source_timezone": source, "time": time, "target_timezone": target}
            assert ours.call("convert_time", **conversion) == real.call("convert_time", conversion), conversion
            assert ours.call("get_current_time", timezone=source) == real.call("get_current_time", {"timezone": source}), source

        compare()
