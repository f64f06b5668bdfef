"""The rules with every option, and every code, explained."""

from flask import Blueprint, Response

from recorder import rulebook
from replay.views.reference import codes_page, notation_groups, notation_page, rules_page
from replay.web import reader

pages = Blueprint("reference", __name__)


@pages.get("/codes")
@pages.get("/codes.json")
def codes() -> Response:
    """Every finding and every problem."""
    return reader.show("codes.html", codes_page(reader.words(), reader.languages()), here="codes")


@pages.get("/notation")
@pages.get("/notation.json")
def notation() -> Response:
    """How a score sheet is written by hand."""
    page, groups = notation_page(reader.words(), reader.languages()), notation_groups(reader.words())
    return reader.show("notation.html", page, here="notation", groups=groups)


@pages.get("/rules")
@pages.get("/rules.json")
def rules() -> Response:
    """Every paragraph and every house option."""
    presets = {name: rulebook.preset_options(name) for name in rulebook.presets()}
    return reader.show("rules.html", rules_page(reader.words(), presets, reader.languages()), here="rules")
