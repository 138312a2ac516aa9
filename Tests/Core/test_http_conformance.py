"""HTTP/1.1 by RFC 9110 and RFC 9112, byte by byte. Each case names its section.

If a section leaves a choice, ours is the strict one: messages that two servers could read differently are refused.
"""

import dataclasses
import json

import pytest

from toy import ASKED, KETTLE, PAGE, PICTURE
from wire import Wire, get

POST = f"POST {ASKED} HTTP/1.1\r\nHost: hub\r\n"
CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n"
END = "0\r\n\r\n"


@dataclasses.dataclass
class Case:
    """The input, and the statuses allowed in the answer."""

    section: str
    name: str
    sent: bytes
    accepted: tuple

    def __str__(self):
        return f"{self.section} {self.name}"


def case(section, name, sent, *accepted):
    return Case(section, name, sent if isinstance(sent, bytes) else sent.encode("latin-1"), accepted or (400,))


# Each of these ends the connection, and the following bytes are never taken for a request.
REFUSED = [
    # The request line
    case("9112 3", "two spaces in the request line", f"GET  {KETTLE} HTTP/1.1\r\nHost: hub\r\n\r\n"),
    case("9112 3", "tabs in the request line", f"GET\t{KETTLE}\tHTTP/1.1\r\nHost: hub\r\n\r\n"),
    case("9112 3", "a space behind the version", f"GET {KETTLE} HTTP/1.1 \r\nHost: hub\r\n\r\n"),
    case("9112 3", "no target", "GET HTTP/1.1\r\nHost: hub\r\n\r\n"),
    case("9112 3", "no version", "GET /\r\nHost: hub\r\n\r\n"),
    case("9112 3", "HTTP/0.9", "GET /\r\n\r\n"),
    case("9112 3", "a space within the target", "GET /a b HTTP/1.1\r\nHost: hub\r\n\r\n"),
    case("9112 3", "a target longer than 32 KB", f"GET /{'a' * 40_000} HTTP/1.1\r\nHost: hub\r\n\r\n", 414),
    case("9112 3", "a target that does not end", f"GET /{'a' * 40_000}", 414),
    case("9112 3.1", "a method that is no token", "G@T / HTTP/1.1\r\nHost: hub\r\n\r\n"),
    case("9112 3.1", "no method", " / HTTP/1.1\r\nHost: hub\r\n\r\n"),
    case("9112 3.2", "a target without a slash", "GET kettle HTTP/1.1\r\nHost: hub\r\n\r\n"),
    case("9112 3.2", "a target of other bytes", "GET /\u00e4 HTTP/1.1\r\nHost: hub\r\n\r\n"),
    case("9112 3.2", "a NUL in the target", "GET /\0 HTTP/1.1\r\nHost: hub\r\n\r\n"),
    case("9112 2.3", "a version in lower case", "GET / http/1.1\r\nHost: hub\r\n\r\n"),
    case("9112 2.3", "a version of two digits", "GET / HTTP/1.10\r\nHost: hub\r\n\r\n"),
    case("9112 2.3", "a version without a point", "GET / HTTP/11\r\nHost: hub\r\n\r\n"),
    case("9112 2.3", "another protocol", "GET / RTSP/1.0\r\nHost: hub\r\n\r\n"),
    case("9110 15.6.6", "version 2.0", "GET / HTTP/2.0\r\nHost: hub\r\n\r\n", 505),
    case("9110 15.6.6", "version 3.0", "GET / HTTP/3.0\r\nHost: hub\r\n\r\n", 505),
    case("9112 2", "TLS on a plain port", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
    # Lines and fields
    case("9112 2.2", "bare line feeds", f"GET {KETTLE} HTTP/1.1\nHost: hub\n\n"),
    case("9112 2.2", "one bare line feed", f"GET {KETTLE} HTTP/1.1\r\nHost: hub\nX-A: b\r\n\r\n"),
    case("9112 2.2", "a bare line feed at the end of the head", f"GET {KETTLE} HTTP/1.1\r\nHost: hub\r\n\n"),
    case("9112 2.2", "a bare carriage return", POST + "X-A: one\rX-B: two\r\n\r\n"),
    case("9112 2.2", "a carriage return before CR LF", POST + "X-A: one\r\r\n\r\n"),
    case("9112 2.2", "space before the first field", f"GET {KETTLE} HTTP/1.1\r\n Host: hub\r\n\r\n"),
    case("9112 5.1", "a space before the colon", POST + "X-A : b\r\n\r\n"),
    case("9112 5.1", "a tab before the colon", POST + "X-A\t: b\r\n\r\n"),
    case("9112 5.1", "a space before the colon of a length", POST + "Content-Length : 4\r\n\r\nabcd"),
    case("9112 5.2", "a folded field", POST + "X-A: one\r\n two\r\n\r\n"),
    case("9112 5.2", "a field folded by a tab", POST + "X-A: one\r\n\ttwo\r\n\r\n"),
    case("9112 5.2", "a folded length", POST + "Content-Length:\r\n 4\r\n\r\nabcd"),
    case("9110 5.1", "a field without a colon", POST + "X-A\r\n\r\n"),
    case("9110 5.1", "a field without a name", POST + ": b\r\n\r\n"),
    case("9110 5.1", "a name that is no token", POST + "X(A): b\r\n\r\n"),
    case("9110 5.1", "a name beyond ASCII", POST + "X-\u00e4: b\r\n\r\n"),
    case("9110 5.5", "a NUL in a value", POST + "X-A: a\0b\r\n\r\n"),
    case("9110 5.5", "a control character in a value", POST + "X-A: a\x01b\r\n\r\n"),
    case("9110 5.5", "DEL in a value", POST + "X-A: a\x7fb\r\n\r\n"),
    case("9110 5.4", "a head larger than 32 KB", f"GET / HTTP/1.1\r\nHost: hub\r\nX-A: {'a' * 33_000}\r\n\r\n", 431),
    case("9110 5.4", "a head that does not end", f"GET / HTTP/1.1\r\nHost: hub\r\nX-A: {'a' * 40_000}", 431),
    case("9110 5.4", "more than a hundred fields", get("/", *(f"X-{number}: 1" for number in range(100))), 431),
    # Host
    case("9112 3.2", "no host", f"GET {KETTLE} HTTP/1.1\r\n\r\n"),
    case("9112 3.2", "two hosts", POST + "Host: other\r\n\r\n"),
    case("9112 3.2", "the same host twice", POST + "Host: hub\r\n\r\n"),
    case("9112 3.2", "a host with a path", f"GET {KETTLE} HTTP/1.1\r\nHost: hub/path\r\n\r\n"),
    case("9112 3.2", "a host with a space", f"GET {KETTLE} HTTP/1.1\r\nHost: a b\r\n\r\n"),
    case("9112 3.2", "two hosts in one", f"GET {KETTLE} HTTP/1.1\r\nHost: hub, other\r\n\r\n"),
    case("9112 3.2", "a host with a user", f"GET {KETTLE} HTTP/1.1\r\nHost: ada@hub\r\n\r\n"),
    case("9112 3.2", "a port that is no number", f"GET {KETTLE} HTTP/1.1\r\nHost: hub:http\r\n\r\n"),
    # Length
    case("9112 6.3", "a length beside chunks", POST + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" + END),
    case("9112 6.3", "chunks beside a length", POST + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + END),
    case("9112 6.3", "two lengths", POST + "Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd"),
    case("9112 6.3", "two lengths that differ", POST + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd"),
    case("9112 6.3", "a list of lengths", POST + "Content-Length: 4, 4\r\n\r\nabcd"),
    case("9110 8.6", "a negative length", POST + "Content-Length: -1\r\n\r\n"),
    case("9110 8.6", "a signed length", POST + "Content-Length: +4\r\n\r\nabcd"),
    case("9110 8.6", "a hexadecimal length", POST + "Content-Length: 0x4\r\n\r\nabcd"),
    case("9110 8.6", "a length with a fraction", POST + "Content-Length: 4.0\r\n\r\nabcd"),
    case("9110 8.6", "a length with a space in it", POST + "Content-Length: 1 0\r\n\r\nabcdefghij"),
    case("9110 8.6", "an empty length", POST + "Content-Length: \r\n\r\n"),
    case("9110 8.6", "a length past all numbers", POST + "Content-Length: " + "9" * 30 + "\r\n\r\n"),
    case("9110 8.6", "a length of 2^64 + 4", POST + f"Content-Length: {2**64 + 4}\r\n\r\nabcd"),
    case("9110 8.6", "a wrong length for GET", f"GET {KETTLE} HTTP/1.1\r\nHost: hub\r\nContent-Length: x\r\n\r\n"),
    # Transfer codings
    case("9112 6.1", "another transfer coding", POST + "Transfer-Encoding: gzip, chunked\r\n\r\n" + END, 501),
    case("9112 6.1", "chunked twice", POST + "Transfer-Encoding: chunked\r\n" * 2 + "\r\n" + END, 501),
    case("9112 6.1", "chunked twice in one", POST + "Transfer-Encoding: chunked, chunked\r\n\r\n" + END, 501),
    case("9112 6.1", "chunks in HTTP/1.0", CHUNKED.replace("1.1", "1.0") + END, 501),
    case("9112 6.3", "chunked not last", POST + "Transfer-Encoding: chunked, gzip\r\n\r\n" + END, 400, 501),
    case("9112 6.3", "a coding without chunks", POST + "Transfer-Encoding: gzip\r\n\r\nabcd", 400, 501),
    case("9112 6.3", "identity", POST + "Transfer-Encoding: identity\r\nContent-Length: 4\r\n\r\nabcd", 400, 501),
    case("9112 7", "a coding that looks like chunked", POST + "Transfer-Encoding: xchunked\r\n\r\n" + END, 400, 501),
    case("9112 7", "chunked with a parameter", POST + "Transfer-Encoding: chunked;a=b\r\n\r\n" + END, 400, 501),
    case("9112 7", "chunked behind a vertical tab", POST + "Transfer-Encoding: \x0bchunked\r\n\r\n" + END, 400, 501),
    # Chunks
    case("9112 7.1", "a chunk without a size", CHUNKED + "\r\n" + END),
    case("9112 7.1", "a signed size", CHUNKED + "+1\r\na\r\n" + END),
    case("9112 7.1", "a negative size", CHUNKED + "-1\r\na\r\n" + END),
    case("9112 7.1", "a size with 0x", CHUNKED + "0x1\r\na\r\n" + END),
    case("9112 7.1", "a size that is no number", CHUNKED + "g\r\na\r\n" + END),
    case("9112 7.1", "a space before a size", CHUNKED + " 1\r\na\r\n" + END),
    case("9112 7.1", "a size past all numbers", CHUNKED + "F" * 16 + "\r\n"),
    case("9112 7.1", "a size of 2^64 + 1", CHUNKED + "10000000000000001\r\na\r\n" + END),
    case("9112 7.1", "a chunk longer than its size", CHUNKED + "1\r\nab\r\n" + END),
    case("9112 7.1", "a chunk without its end", CHUNKED + "1\r\na" + END),
    case("9112 7.1", "a size that ends in a line feed", CHUNKED + "1\na\r\n" + END),
    case("9112 7.1", "a chunk that ends in a line feed", CHUNKED + "1\r\na\n" + END),
    case("9112 7.1", "a size that ends in a carriage return", CHUNKED + "1\ra\r\n" + END),
    case("9112 7.1", "a last chunk that ends in line feeds", CHUNKED + "0\n\n"),
    case("9112 7.1.1", "a chunk extension without an end", CHUNKED + "1;" + "x" * 1000 + "\r\na\r\n" + END),
    case("9112 7.1.1", "a line feed in a chunk extension", CHUNKED + "1;a\n=b\r\na\r\n" + END),
    case("9112 7.1.2", "trailers without an end", CHUNKED + "0\r\n" + "X-T: 1\r\n" * 2000 + "\r\n", 431),
    case("9112 7.1.2", "a trailer without a colon", CHUNKED + "0\r\nX-T\r\n\r\n"),
    case("9112 7.1.2", "a folded trailer", CHUNKED + "0\r\nX-T: 1\r\n 2\r\n\r\n"),
    case("9112 7.1.2", "a bare line feed in the trailers", CHUNKED + "0\r\nX-T: 1\nX-U: 2\r\n\r\n"),
]


@pytest.mark.parametrize("case", REFUSED, ids=str)
@pytest.mark.parametrize("cut", ["whole", "bytes"])
def test_a_malformed_request_is_refused_and_ends_the_connection(lasting_hub, case, cut):
    with Wire(lasting_hub) as wire:
        if cut == "whole":
            wire.send(case.sent + get("/smuggled"))
        else:
            send_slowly(wire, case.sent)
        status, fields, error = wire.error()
        assert status in case.accepted, error
        assert fields["connection"] == "close"
        # Section 6.6.1 of RFC 9110: errors have a date too.
        assert fields["date"].endswith(" GMT")
        assert wire.has_ended()


def send_slowly(wire, sent):
    """Byte by byte where that can matter. The hub accepts and discards input after its answer."""
    slow = min(len(sent), 200)
    wire.send(*(sent[at:at + 1] for at in range(slow)), sent[slow:])


def upload(coding, *pieces):
    """A request that may not have a body: the body is read, the answer is 400, and the next request is found."""
    return (POST + coding + "\r\n" + "".join(pieces)).encode("latin-1")


def chunks(*pieces):
    return upload("Transfer-Encoding: chunked\r\n", *pieces)


# Each of these is answered, and the connection continues exactly behind it.
READ = [
    case("9110 2.5", "a later minor version", f"GET {KETTLE} HTTP/1.2\r\nHost: hub\r\n\r\n", 200),
    case("9110 2.5", "the last minor version", f"GET {KETTLE} HTTP/1.9\r\nHost: hub\r\n\r\n", 200),
    case("9113 3.1", "a wish for HTTP/2 in the old way", get(
        KETTLE, "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"), 200),
    case("9112 2.2", "an empty line before the request", b"\r\n" + get(KETTLE), 200),
    case("9112 3.2", "an empty host", f"GET {KETTLE} HTTP/1.1\r\nHost:\r\n\r\n", 200),
    case("9112 3.2", "a host with a port", f"GET {KETTLE} HTTP/1.1\r\nHost: hub.example:8080\r\n\r\n", 200),
    case("9112 3.2", "an IPv6 host", f"GET {KETTLE} HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", 200),
    case("9112 3.2.1", "a query", get(KETTLE + "?a=b&c=%20"), 200),
    case("9112 3.2.2", "an absolute target", f"GET http://hub{KETTLE} HTTP/1.1\r\nHost: hub\r\n\r\n", 200),
    case("9112 3.2.2", "an absolute target of another host", f"GET http://a{KETTLE} HTTP/1.1\r\nHost: b\r\n\r\n", 200),
    case("9112 3.2.2", "an absolute target in capitals", f"GET HTTP://HUB{KETTLE} HTTP/1.1\r\nHost: hub\r\n\r\n", 200),
    case("9112 3.2.2", "an absolute target with a port", f"GET http://hub:1{KETTLE} HTTP/1.1\r\nHost: h\r\n\r\n", 200),
    case("9110 9.3.7", "OPTIONS for the whole server", "OPTIONS * HTTP/1.1\r\nHost: hub\r\n\r\n", 200, 204, 405, 501),
    case("9112 3.2.4", "an asterisk for another method", "GET * HTTP/1.1\r\nHost: hub\r\n\r\n", 404, 405),
    case("9110 9.1", "a method in lower case", get(KETTLE).replace(b"GET", b"get"), 405, 501),
    case("9110 9.1", "a method nobody knows", get(KETTLE).replace(b"GET", b"BREW"), 405, 501),
    case("9110 9.3.8", "TRACE", get(KETTLE).replace(b"GET", b"TRACE"), 405, 501),
    case("9110 5.1", "names of every kind of letter", get(KETTLE, "X-!#$%&'*+.^_`|~09aZ: b"), 200),
    case("9110 5.5", "an empty value", get(KETTLE, "X-A:"), 200),
    case("9110 5.5", "space around a value", get(KETTLE, "X-A: \t b \t "), 200),
    case("9110 5.5", "a value beyond ASCII", get(KETTLE).replace(b"\r\n\r\n", b"\r\nX-A: \xff\xe4\r\n\r\n"), 200),
    case("9110 5.1", "a length in other letters", upload("cOnTeNt-LeNgTh: 4\r\n", "abcd"), 400),
    case("9110 8.6", "a length with zeros before it", upload("Content-Length: 0004\r\n", "abcd"), 400),
    case("9110 8.6", "space around a length", upload("Content-Length: \t4 \r\n", "abcd"), 400),
    case("9112 6", "a body that looks like a request",
         upload("Content-Length: 29\r\n", "GET /smuggled HTTP/1.1\r\n\r\n", "abc"), 400),
    case("9112 6", "a body for GET", get(KETTLE, "Content-Length: 4") + b"abcd", 200),
    case("9112 6", "chunks for GET", get(KETTLE, "Transfer-Encoding: chunked") + b"4\r\nabcd\r\n0\r\n\r\n", 200),
    case("9112 7", "chunked in capitals", upload("Transfer-Encoding: CHUNKED\r\n", "1\r\na\r\n", END), 400),
    case("9112 7.1", "no chunk but the last", chunks(END), 400),
    case("9112 7.1", "sizes in both cases", chunks("a\r\n0123456789\r\n", "A\r\n0123456789\r\n", END), 400),
    case("9112 7.1", "a size with zeros before it", chunks("0001\r\na\r\n", END), 400),
    case("9112 7.1", "a last chunk of many zeros", chunks("000\r\n\r\n"), 400),
    case("9112 7.1.1", "a chunk extension", chunks("1;a\r\na\r\n", END), 400),
    case("9112 7.1.1", "quoted chunk extensions", chunks('1;a="b;c";d=e\r\na\r\n', END), 400),
    case("9112 7.1.1", "an extension of the last chunk", chunks("0;a=b\r\n\r\n"), 400),
    case("9112 7.1.2", "trailers", chunks("0\r\nX-T: 1\r\nX-U: 2\r\n\r\n"), 400),
    case("9110 6.5.1", "a trailer that would change the length", chunks("0\r\nContent-Length: 400\r\n\r\n"), 400),
    case("9110 6.5.1", "a trailer that would sign in", chunks("0\r\nAuthorization: Bearer x\r\n\r\n"), 400),
]


@pytest.mark.parametrize("case", READ, ids=str)
@pytest.mark.parametrize("cut", ["whole", "bytes"])
def test_an_unusual_request_is_read_to_its_end_and_no_further(lasting_hub, case, cut):
    with Wire(lasting_hub) as wire:
        if cut == "whole":
            wire.send(case.sent + get("/behind"))
        else:
            wire.send(*(case.sent[at:at + 1] for at in range(len(case.sent)))).send(get("/behind"))
        status, _, body = wire.answer()
        assert status in case.accepted, body
        status, _, body = wire.answer()
        assert status == 404 and b"/behind" in body, "the next request must be found where the first one ends"


@pytest.mark.parametrize("size", [1, 3, 20])
@pytest.mark.parametrize("method, status", [("GET", 200), ("POST", 401), ("PUT", 405), ("PRI", 405)])
def test_a_first_piece_that_comes_alone_is_not_lost(lasting_hub, method, status, size):
    """P may be the beginning of POST, or of HTTP/2's preface (RFC 9113 section 3.4)."""
    sent = get(KETTLE).replace(b"GET", method.encode(), 1)
    with Wire(lasting_hub) as wire, Wire(lasting_hub) as other:
        wire.send(sent[:size])
        # Answers on another connection show that time has passed for this one.
        for _ in range(20):
            assert other.send(get(KETTLE)).answer()[0] == 200
        assert wire.send(sent[size:]).answer()[0] == status


def test_connect_makes_no_tunnel(lasting_hub):
    """RFC 9110 section 9.3.6: an origin server may refuse, with anything but a success."""
    with Wire(lasting_hub) as wire:
        status = wire.send("CONNECT other:80 HTTP/1.1\r\nHost: other:80\r\n\r\n").answer()[0]
    assert status in (400, 405, 501)


def test_an_old_client_needs_no_host(lasting_hub):
    """RFC 9112 section 3.2 demands it in HTTP/1.1 only."""
    with Wire(lasting_hub) as wire:
        assert wire.send(f"GET {KETTLE} HTTP/1.0\r\n\r\n").answer()[0] == 200
        assert wire.has_ended()


@pytest.mark.parametrize("connection", ["close", "keep-alive, close", "CLOSE", "close, Upgrade", ", close"])
def test_nothing_is_answered_behind_a_request_that_closes(lasting_hub, connection):
    """RFC 9112 section 9.6: further requests on that connection are not processed."""
    with Wire(lasting_hub) as wire:
        wire.send(get(KETTLE, f"Connection: {connection}") + get(KETTLE))
        status, fields, _ = wire.answer()
        assert (status, fields["connection"]) == (200, "close")
        assert wire.has_ended()


EXPECT = "Expect: 100-continue\r\n"


@pytest.mark.parametrize("framing, body", [
    ("Content-Length: 4", b"abcd"), ("Transfer-Encoding: chunked", END.encode())])
@pytest.mark.parametrize("word", ["100-continue", "100-Continue"])
def test_a_client_that_waits_is_told_to_go_on_before_its_body(lasting_hub, framing, body, word):
    """RFC 9110 section 10.1.1; the word is compared without case."""
    with Wire(lasting_hub) as wire:
        wire.send(POST + f"Expect: {word}\r\n{framing}\r\n\r\n")
        assert wire.answer()[0] == 100
        assert wire.send(body).answer()[0] == 400
        assert wire.send(get(KETTLE)).answer()[0] == 200


@pytest.mark.parametrize("sent", [
    (POST.replace("1.1", "1.0") + EXPECT + "Content-Length: 4\r\n\r\nabcd"),
    (POST + EXPECT + "Content-Length: 0\r\n\r\n"),
    (f"GET {KETTLE} HTTP/1.1\r\nHost: hub\r\n" + EXPECT + "\r\n"),
], ids=["an old client", "an empty body", "no body"])
def test_nobody_is_told_to_go_on_who_need_not_be(lasting_hub, sent):
    """RFC 9110 section 10.1.1: not in HTTP/1.0, where it would be taken for the answer, nor without a body."""
    with Wire(lasting_hub) as wire:
        assert wire.send(sent).answer()[0] in (200, 400)


def test_an_expectation_nobody_knows_is_refused_or_ignored(lasting_hub):
    """RFC 9110 section 10.1.1: 417 is allowed; waiting for a 100 that never comes is not."""
    with Wire(lasting_hub) as wire:
        wire.send(POST + "Expect: miracles\r\nContent-Length: 4\r\n\r\nabcd")
        assert wire.answer()[0] in (400, 417)


@pytest.mark.parametrize("size", ["65537", "999999999999"])
def test_a_body_that_is_too_large_is_refused_before_it_is_sent(lasting_hub, size):
    """RFC 9110 sections 10.1.1 and 15.5.14: the final answer instead of 100, and the connection ends."""
    with Wire(lasting_hub) as wire:
        status, fields, _ = wire.send(POST + EXPECT + f"Content-Length: {size}\r\n\r\n").error()
        assert (status, fields["connection"]) == (413, "close")
        assert wire.has_ended()


@pytest.mark.parametrize("path, status", [(KETTLE, 200), ("/nothing", 404), (PICTURE, 200)])
def test_the_answer_to_head_ends_with_its_head(lasting_hub, path, status):
    """RFC 9110 section 9.3.2, for answers and errors, between other requests of one segment."""
    head = get(path).replace(b"GET", b"HEAD", 1)
    with Wire(lasting_hub) as wire:
        wire.send(get(KETTLE) + head + get(KETTLE) + head)
        for head_only in (False, True, False, True):
            answered, fields, _ = wire.answer(head_only=head_only)
            assert answered == (status if head_only else 200)
            assert int(fields["content-length"]) > 0


def test_a_not_modified_answer_has_no_body(lasting_hub):
    """RFC 9110 section 15.4.5; a client would take one for the next answer."""
    with Wire(lasting_hub) as wire:
        tag = wire.send(get(PAGE)).answer()[1]["etag"]
        wire.send(get(PAGE, f"If-None-Match: {tag}") + get(KETTLE))
        status, fields, _ = wire.answer()
        assert status == 304 and fields["etag"] == tag and fields["date"]
        assert "content-length" not in fields or int(fields["content-length"]) > 0
        assert wire.answer()[0] == 200


@pytest.mark.waits
def test_a_head_or_body_that_does_not_come_is_not_awaited_for_ever(lasting_hub):
    """RFC 9110 section 15.5.9. Both wait at the same time: ten seconds for a head, thirty for a silent body."""
    body = b'{"hot": true}'
    with Wire(lasting_hub, seconds=50) as head, Wire(lasting_hub, seconds=50) as late:
        head.send(get(KETTLE)[:-2])
        late.send(POST + f"Content-Length: {len(body)}\r\n\r\n", body[:-1])
        for wire in (head, late):
            status, fields, error = wire.error()
            assert (status, fields["connection"]) == (408, "close"), error
            assert wire.has_ended()
    assert json.loads(lasting_hub.request("GET", KETTLE).body)["hot"] is False
