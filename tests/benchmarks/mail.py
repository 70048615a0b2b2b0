"""What the mail room costs and survives: ``tests/benchmarks/mail.py fuzz|speed|memory|rows``.

``speed`` compares with the standard library's ``policy.default``, html2text and
mail-parser-reply where they are installed (html2text is GPL: it is no dependency). ``fuzz`` reads
ROUTING_PUBLIC_DATA for more seeds when it is set.
"""

import argparse
import email
import email.policy
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

from routing.mail import email_from_bytes, email_from_text, read_emails
from tests.mail.mutations import damaged, public_folder, seeds
from tests.mail.test_fuzz import check

_WORDS = [
    "the",
    "parcel",
    "kettle",
    "refund",
    "order",
    "came",
    "never",
    "money",
    "back",
    "please",
    "box",
    "courier",
    "lid",
    "broken",
    "again",
    "was",
    "in",
    "it",
    "but",
    "not",
    "yet",
    "card",
    "week",
    "asked",
    "send",
    "new",
    "one",
    "for",
    "me",
    "and",
    "you",
    "have",
    "still",
    "no",
    "answer",
]


def fuzz(count: int, seed: int) -> None:
    """Read ``count`` damaged messages; print how many were refused and the slowest."""
    random, sound = Random(seed), seeds(public_folder())
    slowest, errors, raised = 0.0, 0, 0
    start = time.process_time()
    for number in range(count):
        data = damaged(sound, random)
        begun = time.process_time()
        try:
            if number % 5 == 4:
                mail = email_from_text(data.decode("utf-8", "replace"), id="x")
            else:
                mail = email_from_bytes(data, id="x")
        except Exception as problem:
            raised += 1
            Path(tempfile.gettempdir(), f"raised-{number}.eml").write_bytes(data)
            print(f"message {number}: {type(problem).__name__}: {problem}")
            continue
        slowest = max(slowest, time.process_time() - begun)
        errors += mail.error is not None
        check(mail)
    total = time.process_time() - start
    print(f"damaged messages       {count:>9,}  (seed {seed}, {len(sound)} sound ones)")
    print(f"raised an exception    {raised:>9,}")
    print(f"refused with an error  {errors:>9,}")
    print(f"slowest, CPU seconds   {slowest:>9.3f}")
    print(f"all, CPU seconds       {total:>9.1f}")


def support_mails(count: int, seed: int = 0) -> list[bytes]:
    """Generated mails of about 18 KB: plain, HTML, alternative, and with an attachment."""
    random = Random(seed)
    return [_support_mail(random, number) for number in range(count)]


def _support_mail(random: Random, number: int) -> bytes:
    mail = EmailMessage()
    mail["From"] = f"Ann Example <ann{number}@example.com>"
    mail["To"], mail["Subject"] = "shop@example.org", f"Re: Käse order {number}"
    mail["Date"], mail["Message-ID"] = "Mon, 4 Mar 2024 16:18:00 +0100", f"<{number}@example.com>"
    text = _text(random)
    kind = number % 4
    if kind != 1:
        mail.set_content(text)
    if kind == 1:
        mail.set_content(_html(text, random), subtype="html")
    if kind == 2:
        mail.add_alternative(_html(text, random), subtype="html")
    if kind == 3:
        mail.add_attachment(
            random.randbytes(24_000), maintype="image", subtype="png", filename="a.png"
        )
    return mail.as_bytes()


def _sentence(random: Random, words: int = 12) -> str:
    return " ".join(random.choices(_WORDS, k=words)).capitalize() + "."


def _text(random: Random) -> str:
    own = "\n\n".join(_sentence(random) + " " + _sentence(random) for _ in range(4))
    quoted = "\n".join("> " + _sentence(random) for _ in range(110))
    head = "On Fri, Mar 1, 2024 at 4:18 PM Shop Support <help@example.org> wrote:"
    end = "Kind regards,\nAnn – Exämple\n\nSent from my iPhone"
    return f"Hello,\n\n{own}\n\n{end}\n\n{head}\n{quoted}\n"


def _html(text: str, random: Random) -> str:
    rows = "".join(
        f'<tr style="margin:0;padding:4px"><td class="a b"><span>{_sentence(random, 6)}</span></td>'
        f"<td><b>{number}</b>&nbsp;&euro;</td></tr>"
        for number in range(40)
    )
    own, _, quoted = text.partition("On Fri, ")
    paragraphs = "".join(f"<p>{line}</p>" for line in own.split("\n") if line)
    old = "<br>".join(line.removeprefix("> ") for line in quoted.split("\n"))
    return (
        "<html><head><style>p{margin:0}td{padding:4px}</style></head><body>"
        f"{paragraphs}<table>{rows}</table><div class=gmail_quote>On Fri, Mar 1, 2024 at 4:18 PM "
        f"Shop &lt;help@example.org&gt; wrote:<blockquote class=gmail_quote>{old}</blockquote>"
        "</div>"
        "</body></html>"
    )


def _this_room(data: bytes) -> str:
    return email_from_bytes(data, id="x").text


def _standard_library(data: bytes) -> str:
    body = email.message_from_bytes(data, policy=email.policy.default).get_body(("plain", "html"))
    return str(body.get_content()) if body is not None else ""


def _common_pipeline() -> Callable[[bytes], str] | None:
    try:
        import html2text
        from mailparser_reply import EmailReplyParser
    except ImportError:
        return None
    parser = EmailReplyParser(languages=["en"])

    def read(data: bytes) -> str:
        message = email.message_from_bytes(data, policy=email.policy.default)
        body = message.get_body(("plain", "html"))
        text = str(body.get_content()) if body is not None else ""
        if body is not None and body.get_content_type() == "text/html":
            text = html2text.html2text(text)
        return str(parser.parse_reply(text=text))

    return read


def speed(count: int) -> None:
    """Messages a second, each reader on the same generated mails, CPU time."""
    mails = support_mails(count)
    print(f"{count} mails, {sum(map(len, mails)) / len(mails) / 1000:.1f} KB each")
    readers: list[tuple[str, Callable[[bytes], str] | None]] = [
        ("this room, whole", _this_room),
        ("policy.default, decoding alone", _standard_library),
        ("policy.default + html2text + mail-parser-reply", _common_pipeline()),
    ]
    rates = [(name, _rate(read, mails) if read else None) for name, read in readers]
    for name, rate in rates:
        shown = (
            "not installed"
            if rate is None
            else f"{rate:,.0f}/s, ours is {rates[0][1] / rate:.1f} times"
        )
        print(f"{name:50}{shown}")


def _rate(read: Callable[[bytes], str], mails: Sequence[bytes]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for data in mails:
            read(data)
        best = min(best, time.process_time() - start)
    return len(mails) / best


def rows(count: int) -> None:
    """Rows a second for texts of about 80 words."""
    random = Random(0)
    one = [" ".join(_sentence(random, 10) for _ in range(8)) for _ in range(200)]
    many = ["\n\n".join(_sentence(random, 10) for _ in range(8)) for _ in range(200)]
    quoted = [f"{text}\n\nme, tue:\n> {_sentence(random)}" for text in one]
    for name, texts in (
        ("one paragraph", one),
        ("eight paragraphs", many),
        ("with a quote", quoted),
    ):
        start = time.process_time()
        for number in range(count):
            email_from_text(texts[number % 200], id="x")
        print(f"{name:20}{count / (time.process_time() - start):>10,.0f} rows/s")


def memory() -> None:
    """Peak memory while mboxes of 20 and 200 MB are read, each in a process of its own."""
    mails = support_mails(40)
    separator = b"From ann@example.com Mon Mar  4 16:18:00 2024\n"
    with tempfile.TemporaryDirectory() as folder:
        for size in (20_000_000, 200_000_000):
            path = Path(folder) / f"{size}.mbox"
            with path.open("wb") as file:
                while file.tell() < size:
                    for data in mails:
                        file.write(separator + data.replace(b"\nFrom ", b"\n>From ") + b"\n")
            command = [sys.executable, __file__, "read", str(path)]
            print(
                subprocess.run(command, capture_output=True, text=True, check=True).stdout, end=""
            )


def read(path: str) -> None:
    """Read ``path`` and print its size and the peak memory of this process."""
    import resource

    start = time.process_time()
    count = sum(1 for _ in read_emails(path))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.process_time() - start
    megabytes = Path(path).stat().st_size / 1e6
    print(f"{megabytes:6.0f} MB, {count:,} messages, {seconds:.1f} CPU s: peak {peak:.0f} MB")


def main() -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["fuzz", "speed", "memory", "rows", "read"])
    parser.add_argument("path", nargs="?", default="")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    match given.what:
        case "fuzz":
            fuzz(given.count or 50_000, given.seed)
        case "speed":
            speed(given.count or 600)
        case "memory":
            memory()
        case "rows":
            rows(given.count or 20_000)
        case "read":
            read(given.path)


if __name__ == "__main__":
    main()
