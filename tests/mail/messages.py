"""Small messages for the tests of the mail room."""

from collections.abc import Sequence

HEAD = (
    "From: Ann Example <ann@example.com>\n"
    "To: Shop <shop@example.org>\n"
    "Subject: Kettle\n"
    "Message-ID: <kettle@example.com>\n"
)


def message(body: str | bytes, *, headers: str = "", head: str = HEAD) -> bytes:
    """A whole message with ``body``."""
    content = body.encode() if isinstance(body, str) else body
    return (head + headers + "\n").encode() + content


def part(body: str, *, kind: str = "text/plain", headers: str = "") -> str:
    """One MIME part with its headers."""
    return f"Content-Type: {kind}\n{headers}\n{body}"


def multipart(parts: Sequence[str], *, kind: str = "mixed", boundary: str = "b1") -> str:
    """A part that holds ``parts``."""
    inner = "".join(f"--{boundary}\n{piece}\n" for piece in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{inner}--{boundary}--\n'


def multipart_message(parts: Sequence[str], *, kind: str = "mixed") -> bytes:
    """A whole message that holds ``parts``."""
    return (HEAD + multipart(parts, kind=kind)).encode()
