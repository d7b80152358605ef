"""Alembic's steps from one schema of the database to the next, run when a database is opened."""
