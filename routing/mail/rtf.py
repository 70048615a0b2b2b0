"""Compressed RTF, in which Outlook keeps some bodies ([MS-OXRTFCP])."""

from routing.errors import MissingExtraError
from routing.mail.characters import plain_characters


def rtf_text(data: bytes) -> str:
    """The text of compressed RTF; "" for what is no such thing.

    Raises:
        MissingExtraError: the extra ``msg`` is not installed.
    """
    if not data:
        return ""
    try:
        import compressed_rtf
        from striprtf import striprtf
    except ImportError:
        raise MissingExtraError("msg", "bodies in Outlook's RTF") from None
    try:
        rtf = compressed_rtf.decompress(data).decode("latin-1")
        text = striprtf.rtf_to_text(rtf, errors="replace")  # type: ignore[no-untyped-call]
    except Exception:  # both raise whatever their damaged input makes Python raise
        return ""
    return plain_characters(str(text))
