"""Pilots."""


class Pilot:
    """A pilot."""

    def steer(self) -> None:
        """Steers."""
