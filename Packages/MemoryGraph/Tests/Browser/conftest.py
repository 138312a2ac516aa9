"""Fixtures of the tests in browsers that more than one file uses."""

from memory_page import open_page, report

__all__ = ["open_page", "report"]
