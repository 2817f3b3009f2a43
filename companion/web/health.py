"""Is Companion well? One address that a supervisor or a load balancer can ask."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from sqlalchemy import text

from companion.models import db
from companion.web.protection import limiter

bp = Blueprint("health", __name__)


@bp.get("/healthz")
@limiter.exempt
def healthz() -> ResponseReturnValue:
    """200 while the database answers; the error page's 503 when it does not."""
    db.session.execute(text("SELECT 1"))
    return jsonify(status="ok")
