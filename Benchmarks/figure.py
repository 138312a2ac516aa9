"""One figure of a benchmark, as printed."""

import dataclasses


@dataclasses.dataclass
class Figure:
    """`bar` is the largest accepted value; without one the figure is only reported."""

    name: str
    value: float
    unit: str = ""
    bar: float | None = None
    notes: str = ""

    @property
    def is_missed(self):
        return self.bar is not None and self.value > self.bar

    def __str__(self):
        verdict = "reported" if self.bar is None else f"bar {shown(self.bar)}: {'MISSED' if self.is_missed else 'met'}"
        line = f"{self.name:<58} {shown(self.value):>10} {self.unit:<9} {verdict}"
        return line + (f"\n    {self.notes}" if self.notes else "")


def shown(value):
    """Three significant digits, and whole numbers from a thousand on."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
