"""Is Companion well? One address that a supervisor or a load balancer can ask."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, request
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from companion.storage import faults, notifications
from companion.storage.models import Table, db

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> Response:
    """Answer 200 while the database answers and can be written to, else 503 and what is wrong; as JSON, whoever asks.

    Nothing is written for it. A row is read, the system is asked how much room SQLite's disk has, and what kept phones from
    storing something lately is remembered (:mod:`companion.storage.faults`). Where there is a bus, ``bus`` tells how it is: all
    goes on without it, and phones hear a few seconds later.

    ``/healthz?alive`` only asks whether this process answers, for a proxy that chooses between several: while the database is
    away, the pages of all of them say so.
    """
    if "alive" in request.args:
        return jsonify(status="alive")
    fault = faults.present(current_app)
    try:
        db.session.execute(select(Table.id).limit(1))
    except SQLAlchemyError as error:
        fault = faults.of(error)
        faults.note(current_app, fault)
    status = {"status": "ok" if fault is None else fault.status}
    reached = notifications.hub().reaches_others() if fault is None else None
    if reached is not None:
        status["bus"] = "ok" if reached else "away"
    response = jsonify(status)
    if fault is not None:
        response.status_code = 503
        response.headers["Retry-After"] = str(fault.again)
    response.headers["Cache-Control"] = "no-store"
    return response
