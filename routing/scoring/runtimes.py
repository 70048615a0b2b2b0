"""What a neural model runs on: torch in float32 or bfloat16, or ONNX Runtime."""

from routing.router import Router
from routing.scoring.records import Wishes


def prepare_model(router: Router, wishes: Wishes) -> str:
    """Make ``router`` run as wished; return what the user should know, "" for nothing."""
    return ""
