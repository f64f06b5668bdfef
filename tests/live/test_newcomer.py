"""What somebody meets who was never here: ways to every page, headings that are true, slips that are told."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from recorder.words import LANGUAGES, load
from replay.desk_live import TableDesk
from replay.web.recordings import qr
from schemas.problems import Refusal
from tests.cli.razbor import REFUTED, UNDECIDED, VERIFIED, razbor
from tests.live.conftest import Seated

PLAYERS = {
    "game": "bura",
    "preset": "bura/classic-36@1",
    "seat1": "Анна",
    "seat2": "Борис",
    "opt.molodka_turn": "in_turn",
}


@pytest.mark.parametrize("path", ["/", "/rules", "/tables/new", "/compare", "/nowhere"])
def test_every_page_leads_to_what_the_site_can_do(path: str, client: FlaskClient) -> None:
    html = client.get(path).get_data(as_text=True)
    for href in ("/tables/new", "/compare", "/notation", "/codes"):
        assert f'href="{href}"' in html


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hand_is_not_called_decided_while_the_antes_are_paid(lang: str, table: Seated) -> None:
    pad = load(lang)["pad"]
    table.client.get(f"/tables/{table.key}/as/{table.tokens['scribe']}")

    def heading() -> str:
        html = table.client.get(f"/tables/{table.key}?lang={lang}").get_data(as_text=True)
        return html.partition("<h1>")[2].partition("</h1>")[0]

    table.append([{"type": "stake_set", "amount": 10}, {"type": "hand_began", "hand": 1, "dealer": 1}], 1)
    assert heading() == pad["ante_now"]
    table.append([{"type": "staked", "seat": seat, "amount": 10, "why": "ante"} for seat in (2, 3, 1)], 3)
    assert heading() not in (pad["ante_now"], pad["settle_now"])


@pytest.mark.parametrize(("name", "given"), [("delay", "3601"), ("stake", "1.5"), ("stacks", "-1"), ("pot", "ten")])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_number_that_cannot_be_is_told_and_no_table_is_made(
    name: str, given: str, lang: str, client: FlaskClient, desk: TableDesk
) -> None:
    answer = client.post(f"/tables?lang={lang}", data={**PLAYERS, name: given})
    html = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert f"{given} " in html.partition('role="alert">')[2].partition("</p>")[0]
    assert 'value="Анна"' in html
    assert not desk.journal.list().entries
    assert client.post("/tables", data={**PLAYERS, name: "10"}).status_code == 201


def test_a_recording_is_compared_by_what_its_page_shows(client: FlaskClient, desk: TableDesk) -> None:
    keys = []
    for file in (REFUTED, VERIFIED):
        found = desk.receive(Path(file).read_bytes(), keep=True, public=True)
        assert not isinstance(found, Refusal)
        keys.append(found.id)
    first, second = keys
    spaced = "+".join(first[at : at + 4] for at in range(0, 16, 4))
    typed = f"http://localhost/recordings/{second}?view=public"
    page = client.get(f"/compare.json?first={spaced}&second={typed}").get_json()
    assert (page["first"], page["second"]) == (first, second)
    assert page["rows"]
    half = client.get(f"/compare?first={first}")
    assert half.status_code == 200
    assert f'value="{first}"' in half.get_data(as_text=True)
    assert f'href="/compare?first={first}"' in client.get(f"/recordings/{first}").get_data(as_text=True)


def test_a_seat_that_only_the_second_has_bears_its_name() -> None:
    told = razbor("compare", REFUTED, VERIFIED).stdout
    assert "only in the second: 5 Вера antes 10\n" in told
    assert "differ: 5 Анна is dealt A♠ K♠ Q♠ | 6 Анна is dealt A♠ K♠ 10♠\n" in told


def test_what_a_doubt_leaves_open_is_not_called_recorded(client: FlaskClient, desk: TableDesk) -> None:
    told = razbor("verify", UNDECIDED).stdout
    assert "in question bura/short-count" in told
    assert "recorded bura/short-count" not in told
    assert "recorded 40, due 25..88" in told
    found = desk.receive(Path(UNDECIDED).read_bytes(), keep=True, public=True, shown="full")
    assert not isinstance(found, Refusal)
    html = client.get(f"/recordings/{found.id}?view=full").get_data(as_text=True)
    assert "<dt>In question</dt>" in html


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_judgement_by_other_rules_says_so_and_leads_back(lang: str, client: FlaskClient, desk: TableDesk) -> None:
    said = load(lang)["ui"]["recording"]["judged_otherwise"]
    found = desk.receive(Path(REFUTED).read_bytes(), keep=True, public=True)
    assert not isinstance(found, Refusal)
    assert said not in client.get(f"/recordings/{found.id}?lang={lang}").get_data(as_text=True)
    html = client.get(f"/recordings/{found.id}?rules=bura/pagat-36@1&lang={lang}").get_data(as_text=True)
    assert said in html
    back = html.partition(said)[2].partition('href="')[2].partition('"')[0]
    assert "rules=" not in back
    assert said not in client.get(f"{back}").get_data(as_text=True)


def test_french_sets_a_semicolon_off(client: FlaskClient, desk: TableDesk) -> None:
    found = desk.receive(Path(UNDECIDED).read_bytes(), keep=True, public=True)
    assert not isinstance(found, Refusal)
    for path in ("", "/hands/1/dispute", "/hands/1/events/14", "/report"):
        html = client.get(f"/recordings/{found.id}{path}?view=public&lang=fr").get_data(as_text=True)
        shown = re.sub(r"<[^>]*>|&[#a-z0-9]+;", "", html)
        assert re.findall(r"[^\s\u00a0]; ", shown) == []
    html = client.get(f"/recordings/{found.id}/report?lang=fr").get_data(as_text=True)
    assert "Donne 1\u00a0: " in html
    assert "Ouverture manquée\u00a0: " in razbor("dispute", UNDECIDED, "--hand", "1", "--lang", "fr").stdout


def test_the_log_marks_a_doubt_as_a_doubt_and_tells_it_once(table: Seated) -> None:
    hand = [line for line in map(json.loads, Path(UNDECIDED).read_bytes().splitlines()) if line["type"] != "testified"]
    events = [{name: value for name, value in line.items() if name != "seq"} for line in hand[1:17]]
    assert events[-1]["type"] == "hand_ended"
    assert table.append(events, 1).status_code == 201
    table.client.get(f"/tables/{table.key}/as/{table.tokens['scribe']}")

    def log() -> str:
        html = table.client.get(f"/tables/{table.key}?lang=en").get_data(as_text=True)
        return html.partition('<ol class="padlog"')[2].partition("</ol>")[0]

    last = log().partition("</li>")[0]
    assert last.count('class="dbt"') == last.count("An unseen card leaves this open.") == 1
    assert 'class="bad"' not in log()
    assert table.append([{"type": "recording_ended", "events": 18}], 17).status_code == 201
    html = table.client.get(f"/tables/{table.key}?lang=en").get_data(as_text=True)
    assert f'class="btn main" href="/recordings/{table.key}"' in html


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_one_may_not_is_not_called_an_old_form_and_an_old_form_is(lang: str, table: Seated, app: Flask) -> None:
    said = load(lang)["ui"]["error"]

    def heading(answer: TestResponse) -> str:
        return unescape(answer.get_data(as_text=True).partition("<h1>")[2].partition("</h1>")[0])

    refused = table.client.get(f"/tables/{table.key}/links?lang={lang}")
    assert (refused.status_code, heading(refused)) == (403, said["forbidden"])
    app.config["WTF_CSRF_ENABLED"] = True
    stale = table.client.post(f"/recordings?lang={lang}", data={"text": "{}"})
    assert (stale.status_code, heading(stale)) == (400, said["stale"])


@pytest.mark.parametrize("game", ["bura", "bourre"])
def test_a_new_table_shows_each_rule_as_it_is_typed_or_said(game: str, client: FlaskClient) -> None:
    html = unescape(client.get(f"/tables/new?game={game}&lang=ru").get_data(as_text=True))
    rules = html.partition("<details")[2].partition("</details>")[0]
    assert re.findall(r"[{}]|none<|placeholder=.none", rules) == []
    if game == "bourre":
        assert 'name="opt.max_draw" placeholder="5:4,7:3"' in html


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seat2": "Анна"}, "Two players are called Анна."),
        ({"opt.target": "32"}, "Points to open with is 32"),
        ({"opt.target": "31", "title": "x" * 501}, "title is"),
    ],
)
def test_what_a_new_table_cannot_be_is_told_in_the_words_of_the_form(
    given: dict[str, str], said: str, client: FlaskClient
) -> None:
    answer = client.post("/tables?lang=en", data={**PLAYERS, **given})
    assert answer.status_code == 422
    assert said in unescape(answer.get_data(as_text=True)).partition('role="alert">')[2].partition("</p>")[0]


def test_who_leads_is_in_the_trick_he_begins(table: Seated) -> None:
    table.client.get(f"/tables/{table.key}/as/{table.tokens['scribe']}")

    def place() -> str:
        html = table.client.get(f"/tables/{table.key}?lang=en").get_data(as_text=True)
        return html.partition('<div class="padtop"><div><b>')[2].partition("</b>")[0]

    hidden = ["??"] * 3
    deal: list[Any] = [{"type": "dealt", "seat": seat, "cards": hidden} for seat in (2, 3, 1)]
    antes = [{"type": "staked", "seat": seat, "amount": 10, "why": "ante"} for seat in (2, 3, 1)]
    begun: list[Any] = [
        {"type": "stake_set", "amount": 10},
        {"type": "hand_began", "hand": 1, "dealer": 1},
        *antes,
        *deal,
    ]
    table.append([*begun, {"type": "trump_turned", "card": "6d"}], 1)
    assert place() == "Hand 1, trick 1"
    plays: list[Any] = [{"type": "played", "seat": 2, "cards": ["As"], "face": "up"}]
    plays += [{"type": "played", "seat": seat, "cards": ["??"], "face": "down"} for seat in (3, 1)]
    table.append(plays, 10)
    assert place() == "Hand 1, trick 1"
    table.append([{"type": "drew", "seat": seat, "cards": ["??"]} for seat in (2, 3, 1)], 13)
    assert place() == "Hand 1, trick 2"


def dealt(table: Seated, turned: str) -> None:
    """A hand of three is dealt and the trump turned, as seen or not."""
    antes = [{"type": "staked", "seat": seat, "amount": 10, "why": "ante"} for seat in (2, 3, 1)]
    hands = [{"type": "dealt", "seat": seat, "cards": ["??"] * 3} for seat in (2, 3, 1)]
    began = [{"type": "stake_set", "amount": 10}, {"type": "hand_began", "hand": 1, "dealer": 1}]
    assert table.append([*began, *antes, *hands, {"type": "trump_turned", "card": turned}], 1).status_code == 201
    table.client.get(f"/tables/{table.key}/as/{table.tokens['scribe']}")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("turned", "seen"), [("??", False), ("T?", False), ("?h", True), ("6h", True)])
def test_a_trump_nobody_saw_is_not_made_up(turned: str, seen: bool, lang: str, table: Seated) -> None:
    dealt(table, turned)
    pad = table.client.get(f"/tables/{table.key}?lang={lang}").get_data(as_text=True)
    top = pad.partition('class="padtop"')[2].partition("</div>")[0]
    assert (str(load(lang)["pad"]["trump"]).partition("{")[0].strip() in top) == seen
    step = table.client.get(f"/recordings/{table.key}/hands/1/events/9?lang={lang}").get_data(as_text=True)
    stock = step.partition('<div class="stock">')[2].partition("</div></div>")[0]
    assert (load(lang)["ui"]["trump"]["unseen"] in unescape(stock)) == (not seen)
    assert ("#h" in stock) == seen


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_play_without_a_card_is_not_recorded_but_asked_for(lang: str, table: Seated) -> None:
    dealt(table, "6h")
    base = json.dumps({"type": "played", "seat": 2, "face": "up"})
    form = {"id": "a1", "version": "10", "base": base, "draft": "[]"}
    answer = table.client.post(f"/tables/{table.key}?lang={lang}", data=form)
    assert answer.status_code == 422
    assert load(lang)["pad"]["no_cards"] in unescape(answer.get_data(as_text=True))
    assert table.client.post(f"/tables/{table.key}", data={**form, "unseen": "1"}).status_code == 200


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_slip_is_mended_with_names_and_words(lang: str, table: Seated) -> None:
    dealt(table, "6h")
    table.append([{"type": "played", "seat": 2, "cards": ["Th"], "face": "up"}], 10)
    page = f"/tables/{table.key}/events/10"
    html = unescape(table.client.get(f"{page}?lang={lang}").get_data(as_text=True))
    form = html.partition('class="agree"')[2].partition('value="replace"')[0]
    words = load(lang)["pad"]
    for value, said in (("2", "Борис"), ("up", words["up"]), ("down", words["down"])):
        assert re.search(f'<option value="{value}"( selected)?>{said}</option>', form)
    assert words["cards_label"] in form
    assert words["insert_send"] in html
    sent = {"way": "replace", "reason": "x", "f_seat": "3", "f_cards": "Th", "f_face": "down"}
    assert table.client.post(page, data=sent).status_code == 303
    last = table.client.get(f"/recordings/{table.key}/recording.jsonl").get_data(as_text=True).splitlines()[-1]
    assert json.loads(last)["event"] == {"type": "played", "seat": 3, "cards": ["Th"], "face": "down"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_field_of_a_mended_event_is_called_by_its_english_name_alone(lang: str, table: Seated) -> None:
    dealt(table, "6h")
    table.append([{"type": "hand_ended", "reason": "misdeal"}], 10)
    html = unescape(table.client.get(f"/tables/{table.key}/events/10?lang={lang}").get_data(as_text=True))
    assert load(lang)["pad"]["field"]["reason"] in html
    assert f">{load(lang)['ui']['value']['misdeal']}</option>" in html
    assert load(lang)["ui"]["value"]["split"] not in html.partition('value="replace"')[0]


@pytest.mark.parametrize(("game", "most"), [("bura", 6), ("bourre", 8)])
def test_no_more_seats_are_offered_than_any_rules_of_the_game_know(game: str, most: int, client: FlaskClient) -> None:
    html = client.get(f"/tables/new?game={game}").get_data(as_text=True)
    assert re.findall(r'name="seat(\d)"', html) == [str(seat) for seat in range(1, most + 1)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_links_are_handed_out_as_codes_too_and_later_it_is_said_how_to_replace_them(
    lang: str, client: FlaskClient
) -> None:
    said = load(lang)["pad"]
    made = unescape(client.post(f"/tables?lang={lang}", data=PLAYERS).get_data(as_text=True))
    addresses = re.findall(r"/tables/[0-9a-f]+/as/[\w-]+", made)
    assert len(set(addresses)) == 4
    assert made.count('<svg class="qr"') == 5, "one for each role and one for spectators"
    assert (said["links_lead"] in made, said["links_gone"] in made) == (True, False)
    later = unescape(client.get(f"/tables/{addresses[0].split('/')[2]}/links?lang={lang}").get_data(as_text=True))
    assert (said["links_lead"] in later, said["links_gone"] in later) == (False, True)
    assert later.count('<svg class="qr"') == 1


def test_a_code_leads_to_the_address_beside_it(client: FlaskClient) -> None:
    made = client.post("/tables", data=PLAYERS).get_data(as_text=True)
    for row in re.findall(r'<li class="linkrow">.*?</svg></details>', made, re.DOTALL):
        address = re.findall(r">(http[^<]*)</a>", row)[0]
        assert f'd="{qr(address)[0]}"' in row


@pytest.mark.parametrize(
    "chosen", [{"game": "bourre"}, {"game": "bourre", "preset": "bourre/classic@1"}, {"preset": "bura/georgian-20@1"}]
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_table_is_made_by_rules_that_were_chosen_and_not_looked_at(
    lang: str, chosen: dict[str, str], client: FlaskClient, desk: TableDesk
) -> None:
    answer = client.post(f"/tables?lang={lang}", data={**PLAYERS, "shown": PLAYERS["preset"], **chosen})
    html = unescape(answer.get_data(as_text=True))
    assert (answer.status_code, desk.journal.list().entries) == (422, ())
    assert load(lang)["pad"]["rules_changed"] in html
    game = chosen.get("game", "bura")
    shown = re.findall(r'name="shown" value="([^"]*)"', html)[0]
    assert shown == chosen.get("preset", "bourre/classic@1")
    assert f'<option value="{game}" selected>' in html
    assert f"<option selected>{shown}</option>" in html
    assert 'value="Анна"' in html
    again = {**PLAYERS, "game": game, "preset": shown, "shown": shown, "opt.molodka_turn": ""}
    assert client.post("/tables", data=again).status_code == 201


def test_to_look_at_other_rules_loses_nothing_that_was_typed(client: FlaskClient, desk: TableDesk) -> None:
    asked = {**PLAYERS, "shown": PLAYERS["preset"], "game": "bourre", "seat3": "Вера", "stake": "x", "show": "1"}
    answer = client.post("/tables", data=asked)
    html = answer.get_data(as_text=True)
    assert (answer.status_code, desk.journal.list().entries) == (200, ())
    assert ('value="Вера"' in html, 'name="seat8"' in html, 'role="alert"' in html) == (True, True, False)
