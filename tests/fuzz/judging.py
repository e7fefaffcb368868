"""What every family asks of an error."""

from __future__ import annotations

from endeavor_env.errors import EndeavorError

LONGEST_LINE = 4000


def check_error(error: BaseException, what: str, documented: tuple[type[Exception], ...] = ()) -> str:
    """Return the name of a good error; raise AssertionError, which names the input ``what``, for any other."""
    if not isinstance(error, (EndeavorError, *documented)):
        raise AssertionError(f"{what}: {type(error).__name__}: {error}"[:2000]) from error
    lines = str(error).splitlines()
    assert lines, f"{what}: {type(error).__name__} without a message"
    for line in lines:
        assert len(line) <= LONGEST_LINE, f"{what}: the message has a line of {len(line)} characters"
        assert line.isprintable(), f"{what}: the message is not printable: {ascii(line)[:500]}"
    return type(error).__name__
