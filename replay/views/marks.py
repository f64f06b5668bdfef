"""Icons and marks, 16 by 16, drawn in the current colour; and the suits for running text."""

from functools import lru_cache
from typing import Final

from replay.views.cards import suit_symbols

_F: Final = 'fill="currentColor"'
_S: Final = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'

_ICONS: Final[dict[str, str]] = {
    "opened": f'<circle cx="8" cy="8" r="5.2" {_S} stroke-width="2.6"/>',
    "pot": f'<path {_F} d="M1.6 4.6c0-1.4 2.9-2.5 6.4-2.5s6.4 1.1 6.4 2.5S11.5 7.1 8 7.1 1.6 6 1.6 4.6zM1.6 7c1.2 1.1 '
    f"3.6 1.7 6.4 1.7S13.2 8.1 14.4 7v1.4c0 1.4-2.9 2.4-6.4 2.4S1.6 9.8 1.6 8.4zM1.6 10.8c1.2 "
    f'1.1 3.6 1.7 6.4 1.7s5.2-.6 6.4-1.7v1.4c0 1.4-2.9 2.4-6.4 2.4s-6.4-1-6.4-2.4z"/>',
    "bad": f'<path {_F} fill-rule="evenodd" d="M8 1.2c.5 0 .9.2 1.1.6l6.2 11.3c.5.9-.1 1.9-1.1 1.9H1.8c-1 '
    f"0-1.6-1-1.1-1.9L6.9 1.8c.2-.4.6-.6 1.1-.6zM7.1 5.6l.3 4.6h1.2l.3-4.6zM8 11.3a1.05 1.05 0 1 0 0 2.1 "
    f'1.05 1.05 0 0 0 0-2.1z"/>',
    "note": f'<path {_F} fill-rule="evenodd" d="M3 2h10a1 1 0 0 1 1 1v6.5L9.5 14H3a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM4.5 '
    f'5v1.3h7V5zm0 3v1.3h4.5V8z"/>',
    "ok": f'<path {_F} fill-rule="evenodd" d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm3.1 3.9 1.3 1.1-5.2 6L3.7 8.7l1.2-1.2 '
    f'2.2 2z"/>',
    "dbt": f'<circle cx="8" cy="8" r="6" {_S} stroke-width="2"/><path {_F} d="M8 2a6 6 0 0 1 0 12z"/>',
    "must": f'<circle cx="8" cy="8" r="6.5" {_F}/>',
    "cannot": f'<circle cx="8" cy="8" r="5.8" {_S} stroke-width="1.8"/>',
    "entitled": f'<path {_S} stroke-width="1.8" d="M8 2.5 14 13H2z"/>',
    "played": f'<path {_S} stroke-width="2" d="M8 13V3.5M4 7.5l4-4 4 4"/>',
    "drew": f'<path {_S} stroke-width="2" d="M8 3v9.5M4 8.5l4 4 4-4"/>',
    "declared": f'<path {_S} stroke-width="2" d="M2.5 3h11v7.5h-6L4.5 13v-2.5h-2z"/>',
    "first": f'<path {_S} stroke-width="2" d="M4 3v10M11.5 4 7.5 8l4 4"/>',
    "last": f'<path {_S} stroke-width="2" d="M12 3v10M4.5 4l4 4-4 4"/>',
    "back_trick": f'<path {_S} stroke-width="2" d="M8 4 4 8l4 4M13 4 9 8l4 4"/>',
    "next_trick": f'<path {_S} stroke-width="2" d="m8 4 4 4-4 4M3 4l4 4-4 4"/>',
    "back": f'<path {_S} stroke-width="2" d="M10 3.5 5.5 8l4.5 4.5"/>',
    "next": f'<path {_S} stroke-width="2" d="M6 3.5 10.5 8 6 12.5"/>',
    "play": f'<path {_F} d="M4.5 2.8c0-.6.6-1 1.1-.7l7.5 5.2c.5.3.5 1.1 0 1.4l-7.5 5.2c-.5.3-1.1-.1-1.1-.7z"/>',
    "pause": f'<path {_F} d="M4 2.5h3v11H4zM9 2.5h3v11H9z"/>',
    "up": f'<path {_S} stroke-width="2.2" d="M8 13.5v-11M3.5 7 8 2.5 12.5 7"/>',
    "now": f'<path {_F} d="M5 3.5 12 8l-7 4.5z"/>',
    "logo": f'<path {_S} stroke-width="1.3" d="M5 3.1V2.5a1 1 0 0 1 1-1h7.4a1 1 0 0 1 1 1v8.6M2.6 4h6.3a1 1 0 0 1 1 1'
    f'v8.5a1 1 0 0 1-1 1H2.6a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM3.8 9.3l1.5 1.5 2.5-3"/>',
}


@lru_cache(maxsize=1)
def sprite() -> str:
    """All icons and the four suits as one SVG sprite."""
    icons = "".join(f'<symbol id="{name}" viewBox="0 0 16 16">{drawing}</symbol>' for name, drawing in _ICONS.items())
    return f'<svg xmlns="http://www.w3.org/2000/svg">{icons}{suit_symbols()}</svg>'
