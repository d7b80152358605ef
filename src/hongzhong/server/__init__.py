"""The table in the browser: rooms, seats, sockets and pages over the one engine."""
