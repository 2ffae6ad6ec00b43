"""Plots of bars and of lines as SVG, for report.py."""

import math
from html import escape

COLORS = [
    "#0b6e99", "#d9730d", "#448361", "#9065b0", "#c14c8a", "#787774", "#e5b93c", "#6fb1e4", "#8b5e3c",
    "#b5d33d", "#c0392b", "#1abc9c", "#f2a6c0", "#2c3e50", "#7f7f00", "#b39ddb", "#00b8d4", "#ff8a65",
]


def number(value):
    if value is None:
        return ""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2g}"


class Svg:
    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'font-family="sans-serif" font-size="12">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#fff"/>',
            f'<text x="12" y="22" font-size="15" font-weight="bold">{escape(title)}</text>',
        ]

    def text(self, x, y, words, anchor="start", color="#333"):
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">'
            f"{escape(words)}</text>"
        )

    def line(self, points, color, width=1.0):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>'
        )

    def bar(self, x, y, width, height, color):
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{height:.1f}" '
            f'fill="{color}"/>'
        )

    def dot(self, x, y, color):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{color}"/>')

    def write(self, path):
        path.write_text("\n".join(self.parts + ["</svg>", ""]))


def tick_text(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"


def powers_of_ten(low, high):
    """At least two, from below `low` to above `high`."""
    first = math.floor(math.log10(low))
    return [10.0**e for e in range(first, max(math.ceil(math.log10(high)), first + 1) + 1)]


def round_ticks(high):
    """From 0 to above `high`, in steps of 1, 2 or 5 times a power of ten."""
    step = 10.0 ** math.floor(math.log10(max(high, 1e-9)))
    step = next(step * part for part in (0.2, 0.5, 1, 2) if high / (step * part) <= 6)
    return [step * i for i in range(math.floor(high / step) + 2)]


def plot_bars(path, title, unit, groups, is_linear=False):
    """groups: [(label, [(who, value)])]; bars on a logarithmic axis, or from 0 on."""
    names = sorted({who for _, bars in groups for who, _ in bars}, key=lambda w: (w != "widephase", w))
    values = [value for _, bars in groups for _, value in bars]
    ticks = round_ticks(max(values)) if is_linear else powers_of_ten(min(values) * 0.999, max(values))
    rows = sum(len(bars) for _, bars in groups)
    right, a_line = 640, 6
    left = max(190, 20 + 6.5 * max(len(label) for label, _ in groups))
    top = 46 + 16 * math.ceil(len(names) / a_line)
    height = top + rows * 14 + len(groups) * 10 + 48
    svg = Svg(720, height, title)

    def place(value):
        if is_linear:
            return left + (right - left) * value / ticks[-1]
        return left + (right - left) * math.log(value / ticks[0]) / math.log(ticks[-1] / ticks[0])

    for i, who in enumerate(names):
        x, y = 24 + i % a_line * 112, 34 + i // a_line * 16
        svg.bar(x, y, 10, 10, COLORS[i % len(COLORS)])
        svg.text(x + 14, y + 9, who)
    for tick in ticks:
        svg.line([(place(tick), top - 6), (place(tick), height - 44)], "#ddd")
        svg.text(place(tick), height - 28, tick_text(tick), "middle")
    svg.text(right, height - 12, unit, "end")
    y = top
    for label, bars in groups:
        svg.text(left - 8, y + 7 * len(bars) + 4, label, "end")
        for who, value in bars:
            svg.bar(left, y + 1, place(value) - left, 12, COLORS[names.index(who) % len(COLORS)])
            svg.text(place(value) + 4, y + 11, number(value))
            y += 14
        y += 10
    svg.write(path)


def plot_lines(path, title, unit, series, places=()):
    """series: {who: [(x, y)]}, named at the last point; places: [(name, x, y)], points by themselves, named
    where they have a name and there is room.

    Both axes are logarithmic.
    """
    xs = [x for points in series.values() for x, _ in points] + [x for _, x, _ in places]
    ys = [y for points in series.values() for _, y in points] + [y for _, _, y in places]
    x_ticks, y_ticks = powers_of_ten(min(xs), max(xs)), powers_of_ten(min(ys), max(ys))
    left, right, top, bottom = 70, 560, 44, 330
    svg = Svg(720, 370, title)

    def spot(x, y):
        across = math.log(x / x_ticks[0]) / math.log(x_ticks[-1] / x_ticks[0])
        up = math.log(y / y_ticks[0]) / math.log(y_ticks[-1] / y_ticks[0])
        return left + (right - left) * across, bottom - (bottom - top) * up

    for tick in x_ticks:
        x, _ = spot(tick, y_ticks[0])
        svg.line([(x, top), (x, bottom)], "#ddd")
        svg.text(x, bottom + 18, tick_text(tick), "middle")
    for tick in y_ticks:
        _, y = spot(x_ticks[0], tick)
        svg.line([(left, y), (right, y)], "#ddd")
        svg.text(left - 6, y + 4, tick_text(tick), "end")
    svg.text(right, bottom + 34, unit, "end")
    names = []
    for i, (who, points) in enumerate(series.items()):
        color = COLORS[i % len(COLORS)]
        spots = [spot(x, y) for x, y in points]
        svg.line(spots, color, 2)
        for x, y in spots:
            svg.dot(x, y, color)
        names.append((spots[-1][1] + 4, spots[-1][0] + 10, who, color))
    lowest = {}  # the lowest name written so far, by its start
    for y, x, who, color in sorted(names):
        lowest[x] = max(y, lowest.get(x, y - 13) + 13)
        svg.text(x, lowest[x], who, color=color)
    spots = [spot(x, y) for _, x, y in places]
    for x, y in spots:
        svg.dot(x, y, "#333")
    taken = [(x - 4, x + 4, y - 4, y + 4) for x, y in spots]  # left, right, top, bottom
    for (name, _, _), (x, y) in zip(places, spots):
        if not name:
            continue
        # Beside the point, or else below or above it at the end of a line.
        for up in (0, -30, -50, -70, -90, -110, 30, 50, 70):
            box = (x + 5, x + 7 + 6.5 * len(name), y - up - 5, y - up + 6)
            if box[3] > bottom or box[2] < top:
                continue
            if any(box[0] < b[1] and b[0] < box[1] and box[2] < b[3] and b[2] < box[3] for b in taken):
                continue
            taken.append(box)
            if up:
                svg.line([(x, y), (x + 4, y - up)], "#999")
            svg.text(x + 6, y - up + 4, name)
            break
    svg.write(path)
