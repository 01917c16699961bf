# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
"""Shortens a trace of collective calls (docs/pola.md has the format)."""

MAGIC = b"AIRTRACE"
VERSION = 1
END, COMMUNICATOR, NEW_SHAPE = 0, 1, 2


class Cursor:
    """Reads the numbers of a trace one after the other. Raises IndexError at its end."""

    def __init__(self, content):
        self.content = content
        self.at = 0

    def byte(self):
        self.at += 1
        return self.content[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def skip_numbers(self, count):
        for _ in range(count):
            self.number()

    def skip_text(self):
        length = self.number()
        self.at += length


def encoded(value):
    """A number as the trace writes it."""
    octets = bytearray()
    while value >= 0x80:
        octets.append(value & 0x7f | 0x80)
        value >>= 7
    octets.append(value)
    return bytes(octets)


def skip_header(cursor):
    if cursor.content[:len(MAGIC)] != MAGIC:
        raise ValueError("is not a trace")
    cursor.at = len(MAGIC)
    if cursor.number() != VERSION:
        raise ValueError(f"is not of version {VERSION} of the format")
    cursor.skip_numbers(3)  # rank, size, start
    cursor.skip_text()  # the MPI library
    cursor.skip_text()  # the program
    for _ in range(cursor.number()):
        cursor.skip_text()


def cut(content, most_calls):
    """(the trace of the first `most_calls` calls, or of all if 0; how many `content` has; communicators in the result).

    Raises ValueError if `content` is not a complete trace.
    """
    cursor = Cursor(content)
    kept_bytes, kept_calls, calls, communicators, kept_communicators = None, 0, 0, 0, 0
    try:
        skip_header(cursor)
        while True:
            start = cursor.at
            if kept_bytes is None and most_calls and calls == most_calls:
                kept_bytes, kept_calls, kept_communicators = start, calls, communicators
            record = cursor.byte()
            if record == END:
                if cursor.number() != calls or cursor.at != len(content):
                    raise ValueError("has a wrong end")
                break
            if record == COMMUNICATOR:
                communicators += 1
                cursor.skip_numbers(2)  # size, rank
            else:
                calls += 1
                cursor.skip_numbers(6 if record == NEW_SHAPE else 2)  # what was called, then two times
    except IndexError:
        raise ValueError("has no end") from None
    if kept_bytes is None:
        return content, calls, communicators
    return content[:kept_bytes] + bytes([END]) + encoded(kept_calls), calls, kept_communicators
