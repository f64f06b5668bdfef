"""King, queen and jack: flat shapes in three inks, told apart by their silhouette."""

from typing import Final

from replay.views.glyphs import suit

INK: Final = 'fill="currentColor"'
TINT: Final = 'fill="var(--tint)"'
PAPER: Final = 'fill="#FFFDF8"'
LINE: Final = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
PALE: Final = 'fill="none" stroke="#FFFDF8" stroke-linecap="round" stroke-linejoin="round"'


def _path(style: str, d: str, extra: str = "") -> str:
    return f'<path {style}{" " + extra if extra else ""} d="{d}"/>'


def _dots(style: str, radius: float, *places: tuple[float, float]) -> str:
    return "".join(f'<circle {style} cx="{x}" cy="{y}" r="{radius}"/>' for x, y in places)


def _king() -> str:
    """Crown of five points with balls, parted beard, ermine collar, crossed sash."""
    return "".join(
        (
            _path(TINT, "M97 88C93 104 94 126 100 140H140C146 126 147 104 143 88z"),
            _path(PAPER, "M102 92H138V116C138 130 130 138 120 138C110 138 102 130 102 116z"),
            _path(INK, "M64 168V150C74 140 90 134 104 130L120 152L136 130C150 134 166 140 176 150V168z"),
            _path(PALE, "M84 138L118 168M156 138L122 168", 'stroke-width="9"'),
            _path(LINE, "M84 138L118 168M156 138L122 168", 'stroke-width="2"'),
            _path(
                TINT,
                "M102 114C104 110 112 112 120 118C128 112 136 110 138 114"
                "C139 134 132 148 120 157C108 148 101 134 102 114z",
            ),
            _path(LINE, "M120 128V146M112 126V138M128 126V138", 'stroke-width="2.6"'),
            _path(LINE, "M109 116C113 112 117 113 120 116C123 113 127 112 131 116", 'stroke-width="3.4"'),
            _path(LINE, "M120 98V108", 'stroke-width="3"'),
            _path(INK, "M94 82L86 55L101 69L104 51L113 66L120 47L127 66L136 51L139 69L154 55L146 82z"),
            _path(INK, "M95 85.5H145V92.5H95z", 'stroke="currentColor" stroke-width="2" stroke-linejoin="round"'),
            _dots(INK, 4.6, (86, 54), (104, 49), (136, 49), (154, 54)),
            _dots(INK, 5, (120, 45)),
            _dots(PAPER, 3.4, (120, 75)),
            _dots(PAPER, 2.2, (106, 76), (134, 76)),
        )
    )


def _queen() -> str:
    """Tiara of three lilies, long waved hair, drop earrings and a necklace of dots."""
    return "".join(
        (
            _path(
                TINT,
                "M120 72C100 72 90 88 91 108C92 122 86 132 88 148C96 152 104 150 108 146H132"
                "C136 150 144 152 152 148"
                "C154 132 148 122 149 108C150 88 140 72 120 72z",
            ),
            _path(INK, "M64 168V154C76 146 90 142 104 140L120 160L136 140C150 142 164 146 176 154V168z"),
            _path(PAPER, "M113 124H127V140C127 148 124 152 120 156C116 152 113 148 113 140z"),
            _path(
                PAPER,
                "M120 84C108 92 101 96 102 108C103 122 112 134 120 134C128 134 137 122 138 108C139 96 132 92 120 84z",
            ),
            _path(LINE, "M120 100V110", 'stroke-width="3"'),
            _path(
                INK,
                "M115.4 119C117 117.6 118.6 117.6 120 118.6C121.4 117.6 123 117.6 124.6 119"
                "C123 122 121.6 122.8 120 122.8"
                "C118.4 122.8 117 122 115.4 119z",
            ),
            _dots(INK, 2.6, (100, 121), (140, 121)),
            _dots(PAPER, 2.3, (101, 147), (106.6, 152), (112, 157.4), (139, 147), (133.4, 152), (128, 157.4)),
            _dots(PAPER, 2, (77, 160), (87, 156), (163, 160), (153, 156)),
            _path(
                INK,
                "M96 83C95 72 94 66 90 60C97 60 102 64 104 70C105 60 112 52 120 43"
                "C128 52 135 60 136 70C138 64 143 60 150 60"
                "C146 66 145 72 144 83C130 74 110 74 96 83z",
            ),
            _dots(PAPER, 3.4, (120, 64)),
            _dots(PAPER, 1.9, (107, 73.4), (133, 73.4)),
        )
    )


def _jack() -> str:
    """Slouched beret with a long feather, page-boy hair, striped tunic with a wide collar."""
    return "".join(
        (
            _path(
                TINT,
                "M94 84C92 102 93 120 95 130C99 134 107 134 110 130H130C133 134 141 134 145 130"
                "C147 120 148 102 146 84z",
            ),
            _path(INK, "M64 168V152L100 136L120 158L140 136L176 152V168z"),
            _path(PALE, "M78 147V168M91 141V168M162 147V168M149 141V168", 'stroke-width="4"'),
            _path(TINT, "M98 134L112 130H128L142 134L132 152L120 146L108 152z"),
            _path(PAPER, "M112 120H128V134C128 139 124 143 120 146C116 143 112 139 112 134z"),
            _path(PAPER, "M104 88H136V112C136 124 129 131 120 131C111 131 104 124 104 112z"),
            _path(INK, "M104 88H136V96C128 99 122 92 118 92C114 98 108 98 104 98z"),
            _path(LINE, "M120 102V112", 'stroke-width="3"'),
            _path(LINE, "M115 121C118 123 122 123 125 120", 'stroke-width="2.6"'),
            _path(TINT, "M132 74C136 58 150 46 172 40C170 58 156 72 138 80z"),
            _path(LINE, "M136 78C144 66 154 54 168 44", 'stroke-width="2.4"'),
            _path(LINE, "M148 63L147 54M156 55L156 47M146 66L155 65M153 58L162 57", 'stroke-width="1.8"'),
            _path(INK, "M90 80C82 74 84 60 100 56C116 51 138 55 147 66C152 72 150 80 146 81z"),
            _path(INK, "M93 83.5H147V90.5H93z", 'stroke="currentColor" stroke-width="2" stroke-linejoin="round"'),
            _path(PALE, "M92 82H148", 'stroke-width="2"'),
            _dots(PAPER, 3, (137, 75)),
        )
    )


BUSTS: Final = {"K": _king(), "Q": _queen(), "J": _jack()}


def court(rank: str, name: str) -> str:
    """The picture of a court card: a bust and the same bust turned, joined by a line and a lozenge with the suit."""
    bust = BUSTS[rank]
    frame = (
        '<rect x="64" y="34" width="112" height="268" rx="6" fill="none" stroke="currentColor" '
        'stroke-opacity=".38" stroke-width="2"/>'
    )
    lozenge = "M120 148L136 168L120 188L104 168z"
    join = (
        _path(PALE, "M64 168H176", 'stroke-width="4"')
        + _path(PAPER, lozenge, 'stroke="#FFFDF8" stroke-width="6"')
        + _path(LINE, lozenge, 'stroke-width="1.6"')
        + suit(name, 120, 168, 16)
    )
    return f'{bust}<g transform="rotate(180 120 168)">{bust}</g>{join}{frame}'
