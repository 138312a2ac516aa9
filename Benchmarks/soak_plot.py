"""Draws a soak as an SVG picture: panels with one axis of time, readable in light and dark."""

import dataclasses
import math

WIDTH, PANEL, GAP = 860, 150, 48
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 64, 46
STYLE = """
  svg { font: 13px system-ui, sans-serif; background: #fff; }
  text { fill: #1f2328; } .quiet { fill: #59636e; } .grid { stroke: #d1d9e0; }
  .a { stroke: #0969da; } .b { stroke: #bc4c00; } .key-a { fill: #0969da; } .key-b { fill: #bc4c00; }
  polyline { fill: none; stroke-width: 1.6; stroke-linejoin: round; } .b { stroke-dasharray: 5 2; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } text { fill: #f0f6fc; } .quiet { fill: #9198a1; } .grid { stroke: #3d444d; }
    .a { stroke: #4493f8; } .b { stroke: #f0883e; } .key-a { fill: #4493f8; } .key-b { fill: #f0883e; }
  }
"""


@dataclasses.dataclass
class Panel:
    """One quantity over time; `lines` are one or two, by name."""

    title: str
    lines: dict


def ticks(top, count=4):
    """Round numbers for an axis from 0 to at least `top`."""
    rough = max(top, 1e-9) / count
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.999)
    return [step * number for number in range(math.ceil(top / step * 0.999) + 1)]


def shown(value):
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:g}"


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def svg(title, subtitle, minutes, panels):
    """The whole picture; `minutes` are the times of the samples."""
    height = TOP + len(panels) * (PANEL + GAP) - GAP + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="t d">',
        f'<title id="t">{escaped(title)}</title><desc id="d">{escaped(subtitle)}</desc>', f"<style>{STYLE}</style>",
        f'<text x="{LEFT}" y="26" font-size="17" font-weight="600">{escaped(title)}</text>',
        f'<text x="{LEFT}" y="45" class="quiet">{escaped(subtitle)}</text>']
    span = max(minutes[-1], 1e-9)
    for number, panel in enumerate(panels):
        top = TOP + number * (PANEL + GAP)
        parts += drawn(panel, top, minutes, span)
    parts += time_axis(height - BOTTOM, span)
    return "\n".join([*parts, "</svg>", ""])


def drawn(panel, top, minutes, span):
    marks = ticks(max(max(values) for values in panel.lines.values()) * 1.05)
    inner = WIDTH - LEFT - RIGHT
    plot_top, plot_height = top + 22, PANEL - 22

    def y(value):
        return plot_top + plot_height * (1 - value / marks[-1])

    parts = [f'<text x="{LEFT}" y="{top + 12}" font-weight="600">{escaped(panel.title)}</text>']
    for place, name in enumerate(panel.lines):
        if len(panel.lines) > 1:
            parts.append(
                f'<text x="{WIDTH - RIGHT - 70 * (len(panel.lines) - 1 - place)}" y="{top + 12}" text-anchor="end" '
                f'class="key-{"ab"[place]}">{escaped(name)}</text>')
    for mark in marks:
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(mark):.1f}" y2="{y(mark):.1f}"/>')
        parts.append(f'<text class="quiet" x="{LEFT - 8}" y="{y(mark) + 4:.1f}" text-anchor="end">{shown(mark)}</text>')
    for place, values in enumerate(panel.lines.values()):
        points = " ".join(
            f"{LEFT + inner * time / span:.1f},{y(value):.1f}" for time, value in zip(minutes, values, strict=True))
        parts.append(f'<polyline class="{"ab"[place]}" points="{points}"/>')
    return parts


def time_axis(bottom, span):
    parts = []
    for mark in ticks(span, 6):
        if mark <= span * 1.001:
            x = LEFT + (WIDTH - LEFT - RIGHT) * mark / span
            parts.append(f'<text class="quiet" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{shown(mark)}</text>')
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    return [*parts, f'<text class="quiet" x="{middle:.0f}" y="{bottom + 36}" text-anchor="middle">minutes</text>']
