"""What does Alembic run? The revisions, on the connection and in the transaction that ``upgrade`` gives it."""

from __future__ import annotations

from alembic import context

from companion.storage.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite changes a table by building it anew
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
