"""``format=flowed`` text (RFC 3676) joined into whole paragraphs."""


def join_flowed(text: str, *, delete_space: bool = False) -> str:
    """``text`` with soft line breaks joined and space-stuffing undone.

    Quote marks stay, as ``> `` once per level; the signature line ``-- `` is never joined.

    Args:
        text: the decoded part, lines ending in ``\\n``.
        delete_space: the DelSp parameter: the blank before a soft break goes, too.
    """
    paragraphs: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:]
        content = content.removeprefix(" ")
        flows = content.endswith(" ") and content != "-- "
        kept = content[:-1] if flows and delete_space else content
        if open_depth == depth and content not in {"", "-- "}:
            paragraphs[-1] += kept
        else:
            paragraphs.append(_prefix(depth) + kept)
        open_depth = depth if flows else -1
    return "\n".join(paragraphs)


def _prefix(depth: int) -> str:
    return ">" * depth + " " if depth else ""
