"""The number of random rounds of a test: bin/test runs a tenth, bin/trial all."""

import os

IS_WHOLE = os.environ.get("EIGHTBELLS_TRIAL") == "whole"


def some(count):
    """That many rounds, or a tenth of them."""
    return count if IS_WHOLE else max(1, count // 10)
