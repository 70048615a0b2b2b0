"""HTML mail to text: what a reader sees, with quotes marked as in plain text.

The walk keeps its own stack, so no nesting is too deep for it.
"""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from routing.mail.characters import plain_characters
from routing.mail.charset import decode
from routing.records import Removal

_UNSEEN = frozenset(
    [
        "head",
        "script",
        "style",
        "title",
        "template",
        "noscript",
        "svg",
        "math",
        "object",
        "iframe",
        "canvas",
        "audio",
        "video",
        "select",
        "option",
        "datalist",
        "textarea",
        "map",
        "area",
        "col",
        "colgroup",
        "base",
        "link",
        "meta",
        "noembed",
        "noframes",
    ]
)
_PARAGRAPHS = frozenset(
    [
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "dl",
        "table",
        "blockquote",
        "pre",
        "figure",
        "fieldset",
    ]
)
_BLOCKS = frozenset(
    [
        "div",
        "section",
        "article",
        "header",
        "footer",
        "main",
        "nav",
        "aside",
        "address",
        "center",
        "form",
        "tr",
        "li",
        "dt",
        "dd",
        "caption",
        "thead",
        "tbody",
        "tfoot",
        "legend",
        "figcaption",
        "details",
        "summary",
        "body",
        "html",
        "hgroup",
        "dir",
        "menu",
    ]
)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|max-height\s*:\s*0(?![.\d])"
    r"|font-size\s*:\s*0(?:px|pt|em|%)?\s*(?:;|!|$)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)"
)
_HIDDEN_CLASS = re.compile(r"\.([\w-]{1,80})\s*\{[^{}]{0,2000}?(?:display\s*:\s*none)")
_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE)
_DEEPEST_QUOTE = 20
_TIGHT = re.compile(r"margin(?:-top)?\s*:\s*0|\bmso", re.IGNORECASE)
_SIGNATURES = re.compile(
    r"(?:^|[\s_])(?:gmail_signature|moz-signature|signature|applemailsignature"
    r"|ms-outlook-mobile-signature|yahoo-signature|protonmail_signature_block|lineBreakAtBegin)"
    r"(?:$|\s|message\S*)",
    re.IGNORECASE,
)
_QUOTES = re.compile(
    r"divrplyfwdmsg$|appendonsend$|(?:^|\s)(?:yahoo_quoted|protonmail_quote|tutanota_quote"
    r"|zmail_extra|yahooquoted|moz-forward-container)(?:\s|$)|olk_src_body_section$"
    r"|mail-editor-reference-message-container$",
    re.IGNORECASE,
)
_TO_THE_END = re.compile(r"divrplyfwdmsg$|appendonsend$", re.IGNORECASE)


def decode_html(data: bytes, label: str | None) -> str:
    """HTML bytes as text: by ``label``, or else by what a ``meta`` element says."""
    if label is None and (match := _META.search(data[:4096])):
        label = match[1].decode("ascii", "replace")
        if label.lower().startswith(("utf-16", "utf-32", "utf16")):
            label = None
    return decode(data, label)


def html_to_text(html: str) -> tuple[str, tuple[Removal, ...]]:
    """The text that a reader of ``html`` sees, and the parts of it marked as no news.

    Returns:
        the text, quotes as ``> `` lines, and the spans of it that the markup calls a quoted
        message or a signature.
    """
    tree = LexborHTMLParser(html.replace("\0", ""))
    root = tree.root
    if root is None:
        return "", ()
    page = _Page(_hidden_classes(tree))
    stack: list[LexborNode | tuple[str, bool, int, str]] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            page.close(*item)
        elif item.tag == "-text":
            page.write(item.text_content or "")
        elif closing := page.open(item):
            stack.append(closing)
            stack.extend(reversed(list(item.iter(include_text=True))))
    return page.finish()


def _hidden_classes(tree: LexborHTMLParser) -> frozenset[str]:
    found: set[str] = set()
    for node in tree.css("style"):
        css = (node.text() or "")[:200_000].lower()
        if "none" in css:
            found.update(match[1] for match in _HIDDEN_CLASS.finditer(_without_media(css)))
    return frozenset(found)


def _without_media(css: str) -> str:
    """``css`` without its @-blocks, which hold for some screens only."""
    kept, position = [], 0
    while (start := css.find("@", position)) >= 0:
        kept.append(css[position:start])
        position = _block_end(css, start)
    return "".join(kept) + css[position:]


def _block_end(css: str, start: int) -> int:
    depth = 0
    for match in re.finditer(r"[{};]", css[start:]):
        if match[0] == ";" and depth == 0:
            return start + match.end()
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if match[0] == "}" and depth <= 0:
            return start + match.end()
    return len(css)


class _Page:
    """The text so far, and the white space that waits for the next word."""

    def __init__(self, hidden_classes: frozenset[str]) -> None:
        self.hidden_classes = hidden_classes
        self.pieces: list[str] = []
        self.length = 0
        self.breaks = 0
        self.space = False
        self.blank = False
        self.depth = 0
        self.last_depth = 0
        self.pre = 0
        self.marks: list[Removal] = []
        self.open_marks: list[tuple[int, str, bool]] = []

    def open(self, node: LexborNode) -> tuple[str, bool, int, str] | None:
        """Start ``node``; what ``close`` needs later, None when nobody sees it."""
        tag = node.tag or ""
        if tag in _UNSEEN or tag.startswith(("-", "!")) or (":" in tag and tag != "o:p"):
            return None
        attributes = node.attributes if tag not in {"br", "b", "i"} else {}
        if attributes and self._is_hidden(attributes):
            return None
        names = f"{attributes.get('id') or ''} {attributes.get('class') or ''}".strip()
        tight = tag == "p" and bool(_TIGHT.search(f"{names} {attributes.get('style') or ''}"))
        breaks = 2 if tag in _PARAGRAPHS and not tight else int(tag in _BLOCKS or tight)
        cited = tag == "blockquote" and _is_quote(attributes, names)
        match tag:
            case "br":
                self.breaks = min(self.breaks + 1, 2)
            case "hr":
                self._rule()
            case "td" | "th":
                self.space = True
            case "pre":
                self.pre += 1
        self.breaks = max(self.breaks, breaks)
        self.depth += cited
        if tag == "li":
            self._put("- ")
        reason = _mark_reason(names) if names else ""
        if reason:
            self.open_marks.append((self.length, reason, bool(_TO_THE_END.search(names))))
        return tag, cited, breaks, reason

    def close(self, tag: str, cited: bool, breaks: int, reason: str) -> None:
        """End an element that ``open`` started."""
        self.breaks = 2 if self.blank and breaks else max(self.breaks, breaks)
        self.blank = self.blank and not breaks
        self.depth -= cited
        self.pre -= tag == "pre"
        if tag in {"td", "th"}:
            self.space = True
        if reason:
            start, _, to_the_end = self.open_marks.pop()
            if to_the_end:
                self.open_marks.insert(0, (start, reason, True))
            elif start < self.length:
                self.marks.append(Removal(start, self.length, reason))

    def write(self, data: str) -> None:
        """Add a text node."""
        if self.pre:
            self._write_lines(data)
            return
        words = data.split()
        if not words:
            self.space = self.space or bool(data)
            self.blank = self.blank or "\xa0" in data
            return
        self.space = self.space or data[0].isspace()
        self._put(plain_characters(" ".join(words)).replace("\n", " "))
        self.space = data[-1].isspace()

    def finish(self) -> tuple[str, tuple[Removal, ...]]:
        """The text and its marks."""
        for start, reason, _ in self.open_marks:
            if start < self.length:
                self.marks.append(Removal(start, self.length, reason))
        return "".join(self.pieces), tuple(self.marks)

    def _write_lines(self, data: str) -> None:
        for number, line in enumerate(plain_characters(data).split("\n")):
            if number:
                self.breaks = min(self.breaks + 1, 2)
            if line.strip():
                self._put(line)

    def _put(self, text: str) -> None:
        if not text:
            return
        if self.breaks and self.length:
            self._append(self._line_break())
        elif self.space and self.length and self.pieces[-1][-1:] not in {" ", "\n"}:
            self._append(" ")
        elif not self.length and self.depth:
            self._append("> " * min(self.depth, _DEEPEST_QUOTE))
        self.breaks, self.space, self.blank = 0, False, False
        self.last_depth = self.depth
        self._append(text)

    def _line_break(self) -> str:
        between = ">" * min(self.depth, self.last_depth, _DEEPEST_QUOTE)
        blank = f"\n{between}" if self.breaks > 1 else ""
        return f"{blank}\n{'> ' * min(self.depth, _DEEPEST_QUOTE)}"

    def _rule(self) -> None:
        self.breaks = max(self.breaks, 1)

    def _append(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)

    def _is_hidden(self, attributes: dict[str, str | None]) -> bool:
        if "hidden" in attributes:
            return True
        style = attributes.get("style")
        if style and _HIDDEN.search(style.lower()):
            return True
        if not self.hidden_classes:
            return False
        names = (attributes.get("class") or "").lower().split()
        return not self.hidden_classes.isdisjoint(names)


def _is_quote(attributes: dict[str, str | None], names: str) -> bool:
    return (attributes.get("type") or "").lower() == "cite" or "gmail_quote" in names


def _mark_reason(names: str) -> str:
    if _QUOTES.search(names):
        return "quoted reply"
    return "signature" if _SIGNATURES.search(names) else ""


def looks_like_html(text: str) -> bool:
    """True when ``text`` is HTML rather than text that mentions a tag."""
    head = text[:2000].lstrip().lower()
    if head.startswith(
        ("<!doctype html", "<html", "<body", "<div", "<p>", "<p ", "<table", "<span")
    ):
        return True
    return "<" in head and bool(re.search(r"</(?:p|div|td|span|body|html)>|<br\s{0,3}/?>", head))
