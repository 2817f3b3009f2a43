"""The way in: what to play, the tables that this phone knows, a new table, and joining one by its spoken code."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue

bp = Blueprint("lobby", __name__)


@bp.get("/")
def home() -> ResponseReturnValue:
    """What's on the table?"""
    return "Companion"
