"""What does the page of the sealed bag show? Words before the first draw, the seal, and the proof of every draw."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select

from companion.matches import draws, entries
from companion.storage.models import Bag, Match, db
from tests.web.people import CupPhone, field, says, words

FAIR_DRAWS = Path(__file__).parents[2] / "docs" / "fair-draws.md"


@pytest.fixture
def match(open_match):
    """Return a match of Ana and Bo, who enter only who eats, and play with the Excuse."""
    return open_match("beluga-cup", ["Ana", "Bo"], cards="untracked", deck="courts")


@pytest.fixture
def at_match():
    return CupPhone


def secrets_of(app):
    """Return the seed of the only match, the key that seed and words make, and how either may be written."""
    with app.app_context():
        db.session.rollback()
        match = db.session.scalar(select(Match.id))
        seed = db.session.scalar(select(Bag.seed))
        key = draws.fair_draw.key(seed, entries.read(match).start.options.words)
    texts = [text for secret in (seed, key) for text in (secret.hex(), secret.hex().upper(), repr(secret)[2:-1])]
    return seed, [seed, key, *[text.encode() for text in texts]]


def play_on(phone, number):
    """Eat zone 4, and let Companion fill it."""
    phone.tap("/eat", zone="4", player=str(number % 2))
    return phone.tap("/fish", by="app")


@pytest.mark.parametrize(
    ("language", "several", "one"),
    [
        ("en", "Draw 10 fish for the four zones", "Draw 1 fish for zone 1"),
        ("fr", "Tirer 10 poissons pour les quatre zones", "Tirer 1 poisson pour la zone 1"),
        ("de", "10 Fische für die vier Zonen ziehen", "1 Fisch für Zone 1 ziehen"),
    ],
)
def test_a_single_fish_is_one_in_every_language(phone, language, several, one):
    phone.client.post("/language", data={"language": language})
    assert says(phone.open(), several)
    phone.tap("/fish", by="app")
    assert says(phone.tap("/eat", zone="1", player="0"), one)


def test_before_the_first_draw_phones_see_the_seal_and_add_words(app, phone):
    seed, _ = secrets_of(app)
    page = phone.open("/seal")
    assert hashlib.sha256(seed).hexdigest() in page.text
    assert says(page, "No words are in the bag")
    assert re.search(r'<input[^>]*name="word"[^>]*maxlength="200"', page.text)
    assert phone.send("/seal", word="  narwhal tusk ").status_code == 303
    assert phone.send("/seal", word="κῆτος").status_code == 303
    page = phone.open("/seal")
    assert says(page, "Your word is in the bag")  # said to who only listens, too
    assert says(page, "2 words are in the bag")
    assert re.findall(r"<li>([^<]*)</li>", page.text)[:2] == ["narwhal tusk", "κῆτος"]
    phone.tap("/fish", by="app")
    page = phone.open("/seal")
    assert 'name="word"' not in page.text
    with app.app_context():
        db.session.rollback()
        assert entries.read(db.session.scalar(select(Match.id))).start.options.words == ("narwhal tusk", "κῆτος")


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("", "A word needs at least one letter, and only letters that can be seen."),
        ("   ", "A word needs at least one letter, and only letters that can be seen."),
        ("a\x00b", "A word needs at least one letter, and only letters that can be seen."),
        ("w" * 201, "This word is too long. It may have 200 characters."),
    ],
)
def test_a_word_that_can_not_be_stays_with_its_sentence(phone, word, sentence):
    answer = phone.send("/seal", word=word)
    assert answer.status_code == 422
    typed, said = field(answer, "word")
    assert sentence in said
    assert typed == word


def test_a_word_may_have_200_characters(phone):
    assert phone.send("/seal", word="w" * 200).status_code == 303


def test_a_bag_has_words_enough(phone):
    for number in range(20):
        assert phone.send("/seal", word=f"word {number}").status_code == 303
    answer = phone.send("/seal", word="one more")
    assert answer.status_code == 422
    assert says(answer, "The bag has enough words: 20.")


def test_words_come_too_late_once_a_fish_is_out(phone):
    phone.tap("/fish", by="app")
    answer = phone.send("/seal", word="late")
    assert answer.status_code == 422
    phone.tap("/undo")
    assert phone.send("/seal", word="late").status_code == 422


def test_each_draw_has_its_number(phone):
    phone.tap("/fish", by="app")
    phone.tap("/eat", zone="2", player="0")
    phone.fill(["moons", "suns"])  # by hand: no draw of Companion's
    phone.tap("/eat", zone="3", player="1")
    page = phone.tap("/fish", by="app")
    page = phone.open("/seal")
    draws = re.findall(r'<li class="row row-line"><b class="num">(.*?)</b>.*?zone (\d)', page.text, re.DOTALL)
    assert draws == [("1", "1"), ("2 to 3", "2"), ("4 to 6", "3"), ("7 to 10", "4"), ("11 to 13", "3")]
    assert "drawn again" not in page.text


def test_nothing_is_sealed_where_a_table_plays_with_its_own_bag(phone):
    """Companion drew nothing, so its seal proves nothing, and what is offered is what people do with their own bag."""
    phone.tap("/fish", fish="suns,leaves,waves,wyrms,wyrms,knots,moons,knots,knots,wyrms")
    page = phone.open()
    assert not says(page, "sealed")
    assert '/seal"' not in page.text
    assert not says(phone.open("/excuse?zone=2&swap=2&player=0"), "Let Companion draw")
    phone.tap("/eat", zone="4", player="0")
    assert says(phone.open(), "Tap the fish for zone 4")
    phone.tap("/fish", by="app")  # after all
    assert says(phone.open(), "sealed")


def test_the_seed_is_on_no_page_before_the_end(app, phone, client, table, caplog):
    caplog.set_level(logging.DEBUG)
    seed, secrets = secrets_of(app)
    assert phone.send("/seal", word="pearl").status_code == 303
    _, with_words = secrets_of(app)
    seen = [phone.open("/seal").data]
    seen.append(phone.tap("/fish", by="app").data)
    assert phone.send("/excuse", zone="3", player="0", tap="draw").status_code == 303
    seen += [play_on(phone, number).data for number in range(3)]
    phone.tap("/undo")
    for link in (table.play, table.watch):
        for path in (
            "",
            "/m/1",
            "/m/1/seal",
            "/m/1/record.json",
            "/m/1/see/history",
            "/m/1/see/zone?zone=4",
            "/m/1/fish",
            "/m/1/eat?zone=4",
            "/m/1/excuse",
            "/m/1/entries/1",
            "/matches",
            "/links",
        ):
            answer = client.get(f"/t/{link}{path}")
            seen += [answer.data, str(answer.headers).encode()]
    for path in ("/seal", "/fish", "/eat", "/excuse", "/entries/1", "/undo"):
        seen.append(phone.send(path, word="", zone="9").data)
    seen.append(caplog.text.encode())
    everything = b"\n".join(seen)
    assert hashlib.sha256(seed).hexdigest().encode() in everything
    for secret in {*secrets, *with_words}:
        assert secret not in everything
    assert b'"seed"' not in everything


def finish(phone):
    """Let Companion draw all; zone 4 is eaten until the bag can't fill it."""
    phone.send("/seal", word="pearl")
    phone.tap("/fish", by="app")
    for number in range(8):
        play_on(phone, number)
    return phone.tap("/eat", zone="4", player="1")


def test_after_the_end_the_page_proves_every_draw(app, phone, client, table, tmp_path):
    assert says(finish(phone), "Open the seal, check the draws")
    seed, _ = secrets_of(app)
    for page in (phone.open(), phone.open("/seal"), client.get(f"/t/{table.watch}/m/1/record.json")):
        assert seed.hex() not in page.text
    opened = phone.send("/seal/seed")
    assert opened.location.endswith("/seal#seal")  # where the verdict stands
    page = client.get(f"/t/{table.watch}/m/1/seal")
    assert re.search(r'id="seal"[^>]* data-outcome', page.text)
    assert says(page, "Every draw is right")
    assert says(page, "42 fish, each as seed and words draw it.")
    assert says(page, "The seed fits the seal that this server holds now.")  # it can't vouch for what it showed before
    assert says(page, "Its SHA-256 is the seal that this server holds now")
    assert says(page, "Phones prove that. Each keeps the first seal that it sees")
    assert not says(page, "shown before the match")
    assert seed.hex() in page.text
    assert page.text.count("drawn again, and the same") == 12
    assert says(page, "companion verify FILE")
    # what the page says to do, done
    file = tmp_path / "match.json"
    file.write_bytes(client.get(f"/t/{table.watch}/m/1/record.json").data)
    verified = subprocess.run(
        [sys.executable, "-m", "companion", "verify", str(file)], capture_output=True, text=True, timeout=180, check=False
    )
    assert json.loads(verified.stdout)["verified"] == 42, verified.stderr
    program = re.search(r"```python\n(.*?)```", FAIR_DRAWS.read_text("utf-8"), re.DOTALL)[1]
    (tmp_path / "check.py").write_text(program, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "check.py"), str(file)], capture_output=True, text=True, timeout=180, check=False
    )
    assert ran.stdout == "42 fish, each as seed and words draw it\n", ran.stderr


def test_every_page_of_the_match_tells_phones_its_seal(app, phone, watcher):
    """They compare it with the first that they saw. Which match it is, they know by a name that is no link."""
    seed, _ = secrets_of(app)
    seal = hashlib.sha256(seed).hexdigest()
    told = re.compile(r'<div id="seal-now" hidden data-live data-seal="(\w+)"\s+data-seal-place="(\w+:1)"( data-seal-begun)?>')
    before = {told.search(each.open(path).text).groups() for each in (phone, watcher) for path in ("", "/seal", "/see/history")}
    [(told_seal, place, begun)] = before
    assert (told_seal, begun) == (seal, None)
    page = phone.tap("/fish", by="app")
    assert told.search(page.text).groups() == (seal, place, " data-seal-begun")
    assert told.search(phone.open("/eat?zone=1").text).groups() == (seal, place, " data-seal-begun")


def test_other_games_have_nothing_of_it(open_match, client, table):
    open_match("beloz", ["Ana", "Bo", "Cy", "Di"])
    assert "seal" not in client.get(f"/t/{table.play}/m/1").text


def test_a_wrong_draw_would_be_marked(app, phone):
    finish(phone)
    phone.send("/seal/seed")
    with app.app_context():
        db.session.rollback()
        bag = db.session.scalar(select(Bag))
        bag.seed = bytes(32)
        db.session.commit()
    page = phone.open("/seal")
    assert says(page, "Something is not right")
    assert "seed and words draw something else" in page.text


def test_once_the_seed_is_known_companion_draws_no_more(phone):
    finish(phone)
    phone.send("/seal/seed")
    phone.open()
    phone.tap("/undo", sure="1")
    phone.open()
    phone.tap("/eat", zone="1", player="0")
    phone.open()
    answer = phone.send("/fish", by="app")
    assert answer.status_code == 422
    assert says(answer, "The bag’s seed has been shown")
    page = phone.open("/seal")
    assert says(page, "Companion drew these") or says(page, "What Companion drew")


def test_the_seed_of_a_match_that_was_stopped_waits_until_somebody_asks_for_it(app, phone, watcher):
    phone.tap("/fish", by="app")
    phone.tap("/stop")
    seed, _ = secrets_of(app)
    for page in (phone.open("/seal"), watcher.open("/seal")):
        assert says(page, "it could still go on")
        assert seed.hex() not in page.text
    assert not says(watcher.open("/seal"), "Show the seed")
    assert watcher.send("/seal/seed").status_code == 403
    phone.open()
    phone.tap("/undo", sure="1")
    phone.tap("/eat", zone="4", player="0")
    phone.tap("/fish", by="app")  # and the bag still gives
    assert phone.send("/seal/seed").status_code == 303
    assert seed.hex() not in phone.open("/seal").text  # nobody has stopped it now
    phone.open()
    phone.tap("/stop")
    assert phone.send("/seal/seed").location.endswith("/m/1/seal#seal")
    for page in (phone.open("/seal"), watcher.open("/seal")):
        assert says(page, "Every draw is right")
        assert seed.hex() in page.text


def test_a_match_of_another_game_has_no_bag(client, table, open_match):
    open_match("beloz", ["Ana", "Bo", "Cy", "Di"])
    answer = client.get(f"/t/{table.play}/m/1/seal")
    assert answer.status_code == 404
    assert says(answer, "This match has no sealed bag.")
    assert client.post(f"/t/{table.play}/m/1/seal", data={"word": "pearl"}).status_code in {404, 422}
    assert client.get(f"/t/{table.play}/m/7/seal").status_code == 404
    assert "pearl" not in words(client.get(f"/t/{table.play}/m/1"))
