"""Alembic runs this for each upgrade; the connection comes from ``store.schema``, in a transaction that is committed there."""

from alembic import context

from hongzhong.server.store.schema import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
context.run_migrations()
