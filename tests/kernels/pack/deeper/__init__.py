"""An inner package."""
