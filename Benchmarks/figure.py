"""One figure of a benchmark, as printed."""

import dataclasses


@dataclasses.dataclass
class Figure:
    """`bar` is the largest accepted value; without one the figure is only reported. `wished` depends on the machine and
    fails no run: the largest value, of a rate the smallest."""

    name: str
    value: float
    unit: str = ""
    bar: float | None = None
    notes: str = ""
    wished: float | None = None

    @property
    def is_missed(self):
        return self.bar is not None and self.value > self.bar

    def __str__(self):
        verdict = "reported" if self.bar is None else f"bar {shown(self.bar)}: {'MISSED' if self.is_missed else 'met'}"
        if self.wished is not None:
            is_met = self.value >= self.wished if self.unit == "/s" else self.value <= self.wished
            verdict += f"; wished {shown(self.wished)}: {'met' if is_met else 'missed'}"
        line = f"{self.name:<58} {shown(self.value):>10} {self.unit:<9} {verdict}"
        return line + (f"\n    {self.notes}" if self.notes else "")


def shown(value):
    """Three significant digits, and whole numbers from a thousand on."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
