"""Decisions and right routes -> numbers."""
