"""The presets spell out tables 2 and 5 of `rules.md`, and a choice outside them is named."""

import tomllib
from dataclasses import asdict, fields
from typing import Any

import pytest

from recorder import rulebook
from recorder.places_on_disk import RULES
from schemas.options import plain, typed, values_of
from schemas.rules import RULES_OF, UNRECORDED, BourreRules, BuraRules, MolodkaTurn

NAMED = {
    "bura": ("bura/classic-32@1", "bura/classic-36@1", "bura/georgian-20@1", "bura/pagat-36@1"),
    "bourre": ("bourre/classic@1", "bourre/hoyle@1", "bourre/louisiana-cinch@1", "bourre/louisiana@1"),
}
# The columns of the tables, as the page has them.
BURA = {
    "pack": (36, 36, 20), "seats_max": (6, 6, 2), "hand_size": (3, 3, 3), "deal_packet": ("one_by_one",) * 3,
    "turnup": ("last_of_stock",) * 3, "first_lead": ("left_of_dealer", "left_of_dealer", "previous_winner"),
    "dealer_after_win": ("winner",) * 3, "dealer_after_failed_open": ("opener", "opener", "winner"),
    "dealer_after_razburka": ("same",) * 3, "beat_pairing": ("any_pairing",) * 3,
    "answer_face": ("up_only_if_beats", "always_up", "up_only_if_beats"),
    "draw_style": ("round_robin", "round_robin", "fill_each"), "short_stock": ("deal_out", "set_aside", "deal_out"),
    "open_window": ("taker_before_draw", "own_turn", "taker_before_draw"), "target": (31, 31, 31),
    "failed_open": ("match_pot", "match_pot", "opponent_wins"), "bura": ("wins_pot",) * 3,
    "three_aces": ("leads", "off", "off"), "molodka_turn": ("must be given", "in_turn", "counter_lead"),
    "bura_tie": ("contest", "earliest", "earliest"), "razburka": ("double", "restake", "draw"),
    "razburka_when": ("hands_empty",) * 3, "join_pot": ("wait",) * 3, "raise_ladder": ("none", "none", "to_6"),
    "scoring": ("pot", "pot", "match_points"), "match_to": ("none", "none", 11),
}  # fmt: skip
BOURRE = {
    "seats_max": (7, 7, 8), "ante_by": ("dealer", "fixed", "fixed"), "max_ante": ("none",) * 3,
    "trump_card": ("extra", "extra", "dealers_fifth"), "declaration": ("one_round", "two_rounds", "two_rounds"),
    "draw_fee": ("ante_if_drawing", "none", "none"), "max_draw": ({"5": 4, "7": 3}, 4, 5),
    "recycle": ("folded_and_served",) * 3, "lead_duty": ("highest_trump_if_akq", "highest_first_then_akq", "free"),
    "head_duty": ("beat_best_of_suit",) * 3, "void_duty": ("trump",) * 3, "overtrump": ("free", "free", "must"),
    "tie": ("split", "split", "carry"), "odd_chips": ("next_pot", "next_pot", "left_of_dealer_first"),
    "bourre_pays": ("pot",) * 3, "ante_exempt": ("none", "none", "bourre_and_tied"), "pot_limit": ("none",) * 3,
    "dealer_stays_on_ace": (False, False, True), "debt": ("recorded", "recorded", "capped"),
}  # fmt: skip
COLUMNS: dict[str, tuple[dict[str, Any], int, dict[str, Any]]] = {
    "bura/classic-36@1": (BURA, 0, {}),
    "bura/classic-32@1": (BURA, 0, {"pack": 32}),
    "bura/pagat-36@1": (BURA, 1, {}),
    "bura/georgian-20@1": (BURA, 2, {}),
    "bourre/classic@1": (BOURRE, 0, {}),
    "bourre/hoyle@1": (BOURRE, 1, {}),
    "bourre/louisiana@1": (BOURRE, 2, {}),
    "bourre/louisiana-cinch@1": (BOURRE, 2, {"lead_duty": "cinch"}),
}


def given(preset: str) -> dict[str, Any]:
    return {"molodka_turn": "in_turn"} if preset.startswith("bura/classic") else {}


@pytest.mark.parametrize("preset", sorted(COLUMNS))
def test_a_preset_is_its_column_of_the_table(preset: str) -> None:
    table, column, over = COLUMNS[preset]
    expected = {name: values[column] for name, values in table.items()} | over
    found = dict(rulebook.preset_options(preset))
    assert found == expected
    assert list(map(type, found.values())) == list(map(type, expected.values()))


def test_every_file_is_a_preset_and_every_preset_is_listed() -> None:
    files = {f"{path.parent.name}/{path.stem}" for path in RULES.rglob("*.toml")}
    assert files == set(rulebook.presets()) == set(COLUMNS)
    for game, names in NAMED.items():
        assert rulebook.presets(game) == names


@pytest.mark.parametrize("preset", sorted(COLUMNS))
def test_a_preset_holds_exactly_the_options_there_are(preset: str) -> None:
    game = preset.split("/", maxsplit=1)[0]
    written = tomllib.loads((RULES / f"{preset}.toml").read_text(encoding="utf-8"))
    assert list(written) == [each.name for each in fields(RULES_OF[game])]


@pytest.mark.parametrize("preset", sorted(COLUMNS))
def test_spelling_rules_out_and_choosing_them_again_gives_the_same(preset: str) -> None:
    game = preset.split("/", maxsplit=1)[0]
    rules = rulebook.house_rules(game, preset, given(preset))
    again = rulebook.house_rules(game, preset, {name: plain(value) for name, value in asdict(rules.rules).items()})
    assert again.rules == rules.rules
    assert again.digest == rules.digest


@pytest.mark.parametrize("preset", sorted(COLUMNS))
def test_every_value_of_every_option_can_be_chosen_and_left_unrecorded(preset: str) -> None:
    game = preset.split("/", maxsplit=1)[0]
    for name in (each.name for each in fields(RULES_OF[game])):
        for value in values_of(game, name):
            chosen = rulebook.house_rules(game, preset, {**given(preset), name: plain(value)})
            assert getattr(chosen.rules, name) == value
            assert chosen.unrecorded == ()
        if values_of(game, name):
            chosen = rulebook.house_rules(game, preset, {**given(preset), name: "unrecorded"})
            assert chosen.unrecorded == (name,)
            assert getattr(chosen.rules, name) in values_of(game, name)


@pytest.mark.parametrize(
    ("game", "name", "value"),
    [
        ("bourre", "max_ante", "unrecorded"), ("bourre", "pot_limit", "unrecorded"),
        ("bourre", "max_draw", "unrecorded"),
        ("bourre", "max_ante", 0), ("bourre", "max_ante", -5), ("bourre", "max_ante", True),
        ("bourre", "max_ante", "10"),
        ("bourre", "max_ante", None), ("bourre", "pot_limit", 2**53), ("bourre", "max_draw", 0),
        ("bourre", "max_draw", 6),
        ("bourre", "max_draw", "none"), ("bourre", "max_draw", {}), ("bourre", "max_draw", {"05": 4}),
        ("bourre", "max_draw", {"9": 4}), ("bourre", "max_draw", {"5": "4"}), ("bourre", "max_draw", {"5": True}),
        ("bourre", "dealer_stays_on_ace", 1), ("bourre", "dealer_stays_on_ace", "true"), ("bourre", "seats_max", 6),
        ("bourre", "tie", "SPLIT"), ("bourre", "pack", 52), ("bourre", "cards", []), ("bura", "pack", 52),
        ("bura", "pack", 36.0), ("bura", "molodka_turn", "must be given"), ("bura", "target", [31]),
        ("bura", "bura", {}),
        ("bura", "match_to", 4), ("bura", "", "x"), ("bura", "tie", "split"),
    ],
)  # fmt: skip
def test_a_wrong_choice_is_named(game: str, name: str, value: object) -> None:
    preset = {"bura": "bura/pagat-36@1", "bourre": "bourre/classic@1"}[game]
    with pytest.raises(rulebook.UnknownRulesError) as caught:
        rulebook.house_rules(game, preset, {name: value})
    assert caught.value.field == f"rules.options.{name}"


def test_amounts_and_draws_are_what_was_written() -> None:
    chosen = rulebook.house_rules(
        "bourre", "bourre/hoyle@1", {"max_ante": 20, "pot_limit": 50, "max_draw": {"7": 3, "5": 4}}
    )
    assert isinstance(chosen.rules, BourreRules)
    assert (chosen.rules.max_ante, chosen.rules.pot_limit) == (20, 50)
    assert chosen.rules.max_draw == ((5, 4), (7, 3))


def test_the_classic_presets_want_to_know_about_the_molodka() -> None:
    for preset in ("bura/classic-36@1", "bura/classic-32@1"):
        with pytest.raises(rulebook.UnknownRulesError) as caught:
            rulebook.house_rules("bura", preset, {})
        assert caught.value.field == "rules.options.molodka_turn"
    with pytest.raises(rulebook.UnknownRulesError):
        rulebook.house_rules("bura", "bourre/classic@1", {})


def test_other_rules_in_the_place_of_the_recorded_ones() -> None:
    recorded = rulebook.house_rules("bura", "bura/classic-36@1", {"molodka_turn": "in_turn", "target": 61})
    changed = rulebook.judged_by(recorded, options={"target": 31})
    assert changed.options == {"molodka_turn": "in_turn", "target": 31}
    other = rulebook.judged_by(recorded, "bura/classic-32@1")
    assert isinstance(other.rules, BuraRules)
    assert (other.rules.pack, other.rules.target, other.rules.molodka_turn) == (32, 31, MolodkaTurn.IN_TURN)
    pagat = rulebook.judged_by(recorded, "bura/pagat-36@1", {"target": 61})
    assert pagat.options == {"target": 61}


@pytest.mark.parametrize(
    ("game", "name", "text", "value"),
    [
        ("bura", "target", "61", 61), ("bourre", "dealer_stays_on_ace", "true", True),
        ("bourre", "tie", "carry", "carry"),
        ("bourre", "max_draw", "5:4,7:3", {"5": 4, "7": 3}), ("bourre", "max_ante", "none", "none"),
        ("bourre", "max_draw", '{"5": 4, "7": 3}', {"5": 4, "7": 3}), ("bourre", "max_draw", '{"5":4}', {"5": 4}),
        ("bura", "nothing", "true", "true"),
    ],
)  # fmt: skip
def test_a_value_typed_on_a_command_line(game: str, name: str, text: str, value: object) -> None:
    assert rulebook.read_value(game, name, text) == value


@pytest.mark.parametrize("preset", rulebook.presets())
def test_every_value_of_an_option_is_read_as_it_is_told(preset: str) -> None:
    game = preset.partition("/")[0]
    for name, value in rulebook.preset_options(preset).items():
        for each in (value, *map(plain, values_of(game, name)), UNRECORDED):
            assert rulebook.read_value(game, name, typed(each)) == each
