"""Is Companion well? One address that a supervisor or a load balancer can ask."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from companion.models import db
from companion.web.errors import AGAIN

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> Response:
    """200 while the database answers, 503 when it does not; as JSON, whoever asks."""
    try:
        db.session.execute(text("SELECT 1"))
    except SQLAlchemyError:
        response = jsonify(status="the database is away")
        response.status_code = 503
        response.headers["Retry-After"] = AGAIN
    else:
        response = jsonify(status="ok")
    response.headers["Cache-Control"] = "no-store"
    return response
