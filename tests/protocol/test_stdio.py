"""Lines that are no message are answered too: whoever waits for them would wait for ever."""

import mcp_types as types
import pytest
from pydantic import ValidationError

from mcp_sim.protocol.stdio import find_request_id, refuse_unreadable


def read(line: str) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    return caught.value


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        ("not json\n", -32700, None),
        ('{"jsonrpc":"2.0","id":7,"method":"x","params":' + "[" * 300 + "]" * 300 + "}", -32700, 7),
        ("[]", -32600, None),
        ("{}", -32600, None),
        ("null", -32600, None),
    ],
)
def test_each_gets_the_error_of_json_rpc(line: str, code: int, request_id: int | None) -> None:
    reply = refuse_unreadable(read(line))
    assert reply is not None
    assert (reply.error.code, reply.id) == (code, request_id)


def test_a_blank_line_is_passed_over() -> None:
    assert refuse_unreadable(read("\n")) is None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"id": 5, "params": {"id": 6}}', 5),
        ('{"params": {"id": 6, "x": "\\"id\\": 8"}, "id": "nine"}', "nine"),
        ('{"params": {"id": 6}}', None),
        ('[{"id": 6}]', None),
        ('{"id": 5.5}', None),
    ],
)
def test_the_id_is_that_of_the_message_and_of_nothing_in_it(line: str, found: int | str | None) -> None:
    assert find_request_id(line) == found
