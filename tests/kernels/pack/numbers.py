"""Constants of the package."""

FOUR = 4.0
