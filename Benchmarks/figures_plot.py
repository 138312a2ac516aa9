"""Draws the figures of a run that have a bar as an SVG picture: how much of each bar is used, readable in light and
dark."""

from soak_plot import STYLE, escaped

WIDTH, ROW, LEFT, RIGHT, TOP, BOTTOM = 860, 22, 430, 70, 64, 30
# What uses more of its bar than so much is cut there; its number tells.
MOST = 1.5
OURS = """
  .met { fill: #0969da; } .missed { fill: #bc4c00; } .bar { stroke: #59636e; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    .met { fill: #4493f8; } .missed { fill: #f0883e; } .bar { stroke: #9198a1; }
  }
"""


def svg(title, subtitle, figures):
    """The whole picture; of `figures` those with a bar above zero are drawn, in their order."""
    drawn = [figure for figure in figures if figure.bar]
    height, scale = TOP + ROW * len(drawn) + BOTTOM, (WIDTH - LEFT - RIGHT) / MOST
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="t d">',
        f'<title id="t">{escaped(title)}</title><desc id="d">{escaped(subtitle)}</desc>',
        f"<style>{STYLE}{OURS}</style>",
        f'<text x="20" y="26" font-size="17" font-weight="600">{escaped(title)}</text>',
        f'<text x="20" y="45" class="quiet">{escaped(subtitle)}</text>']
    for number, figure in enumerate(drawn):
        parts += row(figure, TOP + ROW * number, scale)
    line = LEFT + scale
    return "\n".join([
        *parts, f'<line class="bar" x1="{line:.1f}" x2="{line:.1f}" y1="{TOP - 6}" y2="{height - BOTTOM + 4}"/>',
        f'<text class="quiet" x="{line:.1f}" y="{height - 8}" text-anchor="middle">the bar</text>', "</svg>", ""])


def row(figure, top, scale):
    used = figure.value / figure.bar
    wide = max(1, scale * min(used, MOST))
    kind = "missed" if figure.is_missed else "met"
    return [
        f'<text x="{LEFT - 10}" y="{top + 14}" text-anchor="end" font-size="11.5">{escaped(figure.name)}</text>',
        f'<rect class="{kind}" x="{LEFT}" y="{top + 4}" width="{wide:.1f}" height="{ROW - 9}" rx="2"/>',
        f'<text class="quiet" x="{LEFT + wide + 6:.1f}" y="{top + 14}" font-size="11.5">{100 * used:,.0f} %</text>']
