"""Prints a filter for `swift test` that chooses the suites in which a test failed: python3 failed_suites.py REPORT…

Prints nothing if no report names one.
"""

import pathlib
import re
import sys

from tally import from_junit


def main():
    reports = [path for path in map(pathlib.Path, sys.argv[1:]) if path.exists() and path.stat().st_size]
    # Module.Suite.test() in a report is Module.Suite/test() for the filter.
    suites = {re.match(r"(?:\w+\.)+", name).group() for path in reports for name, _ in from_junit(path)[1]}
    print("|".join("^" + suite.replace(".", "[./]") for suite in sorted(suites)))


if __name__ == "__main__":
    main()
