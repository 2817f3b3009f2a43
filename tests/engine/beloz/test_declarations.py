"""Which declarations are true, which is higher, whose count, and which sentence says so?"""

from __future__ import annotations

import pytest

from companion.engine.beloz import BelozOptions
from companion.engine.beloz.declarations import declared_points, preview_declarations
from companion.engine.core import RuleError
from companion.engine.text import term

PLAYERS = ("Ana", "Bo", "Cy", "Di")
VALID_QUADS = "Announce lions, leopards, elephants, rhinoceros, crocodiles or water snakes."
NONE_COUNT = BelozOptions()
NEXT_HIGHEST = BelozOptions(tied_declarations="next-highest")


@pytest.mark.parametrize(
    ("note", "points"),
    [
        ("0 north 1-3", 20),
        ("0 north 6-8", 20),
        ("0 east 2-5", 50),
        ("0 east 2-6", 100),
        ("0 east 1-6", 100),
        ("0 east 1-7", 100),
        ("0 east 1-8", 100),
        ("0 quads crocodile", 200),
        ("0 quads water-snake", 150),
        ("0 quads lion", 100),
        ("0 quads leopard", 100),
        ("0 quads elephant", 100),
        ("0 quads rhinoceros", 100),
    ],
)
def test_what_a_declaration_is_worth(note: str, points: int, declared) -> None:
    assert declared_points(*declared(note)) == points


def test_the_example_of_the_rules(declared) -> None:
    """A run of four up to 7 and the teammate's run of three up to 4 count 70, though the other team's three reach 8."""
    verdict = preview_declarations(PLAYERS, NONE_COUNT, "north", declared("0 east 4-7", "2 south 2-4", "1 west 6-8"))
    assert (verdict.team, verdict.points) == (0, 70)
    assert verdict.statuses == ("counts", "counts", "beaten")
    assert verdict.headline == "Ana & Cy count 70"
    assert verdict.sentence == "Ana’s run of four beats Bo’s run of three. Cy’s 20 counts with it. Bo’s 20 does not count."


AROUND_YOU = (term("You", "seat"), "Right", "Partner", "Left")


@pytest.mark.parametrize(
    ("notes", "sentence"),
    [
        (
            ["0 east 4-7", "0 south 2-4", "1 west 6-8"],
            "Your run of four beats Right’s run of three. Your other 20 counts with it. Right’s 20 does not count.",
        ),
        (["1 east 4-7", "0 west 6-8"], "Right’s run of four beats your run of three. Your 20 does not count."),
        (["0 east 4-6 hidden"], "Only Partner & You announced anything. But your 20 was not shown."),
        (["0 east 4-6", "1 west 4-6"], "Your run of three and Right’s run of three are equal"),
    ],
)
def test_you_is_spoken_to(notes: list[str], sentence: str, declared) -> None:
    """Where nobody sits at a table, the asker's own declarations are "your" ones."""
    assert preview_declarations(AROUND_YOU, NONE_COUNT, "north", declared(*notes)).sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("notes", "beloz", "refusal"),
    [
        (["0 east 5-7", "0 quads elephant"], None, "The East elephant is in two of your declarations."),
        (["0 east 5-7", "1 quads elephant"], None, "You have declared the East elephant, so Right can’t hold it too."),
        (["1 east 5-7", "0 quads elephant"], None, "Right has declared the East elephant, so you can’t hold it too."),
        (["0 east 3-5", "1 east 4-6"], None, "This run needs the East rhinoceros. You have declared it."),
        (["1 east 3-5", "0 east 4-6"], None, "This run needs the East rhinoceros. Right has declared it."),
        (["0 east 1-8", "0 south 1-3"], None, "Your declarations need 11 cards. A hand has eight."),
        (["0 quads elephant"], 1, "You have declared the North elephant, so Right can’t have BeloZ."),
        (["1 quads elephant"], 0, "Right has declared the North elephant, so you can’t have BeloZ."),
        (["0 east 1-7"], 0, "Your declarations and BeloZ need 9 cards. A hand has eight."),
    ],
)
def test_you_is_spoken_to_in_a_refusal(notes: list[str], beloz: int | None, refusal: str, declared) -> None:
    with pytest.raises(RuleError) as refused:
        preview_declarations(AROUND_YOU, NONE_COUNT, "north", declared(*notes), beloz)
    assert str(refused.value).startswith(refusal)


# Ruling B6: the first beats the second; north is flooded
HIGHER = [
    ("quads rhinoceros", "east 1-4"),
    ("quads elephant", "east 1-5"),
    ("quads elephant", "quads rhinoceros"),
    ("quads leopard", "quads elephant"),
    ("quads lion", "quads leopard"),
    ("quads water-snake", "quads lion"),
    ("quads crocodile", "quads water-snake"),
    ("east 1-4", "west 6-8"),
    ("east 1-5", "west 5-8"),
    ("east 5-8", "west 4-7"),
    ("east 4-6", "west 3-5"),
    ("north 4-6", "west 4-6"),
    ("north 2-5", "south 2-5"),
    ("north 4-8", "south 1-8"),  # past five cards length does not matter
    ("east 4-8", "south 1-7"),
    ("east 5-7", "north 4-6"),  # the flooded plain is only for equals
]


@pytest.mark.parametrize(("higher", "lower"), HIGHER)
@pytest.mark.parametrize("options", [NONE_COUNT, NEXT_HIGHEST])
def test_the_higher_declaration_counts(higher: str, lower: str, options: BelozOptions, declared) -> None:
    for notes in ([f"0 {higher}", f"1 {lower}"], [f"1 {lower}", f"0 {higher}"], [f"3 {lower}", f"2 {higher}"]):
        verdict = preview_declarations(PLAYERS, options, "north", declared(*notes))
        assert verdict.team == 0
        assert set(verdict.statuses) == {"counts", "beaten"}
        verdict = preview_declarations(PLAYERS, options, "north", declared(*(f"{(int(n[0]) + 1) % 4}{n[1:]}" for n in notes)))
        assert verdict.team == 1


EQUAL = [("east 4-6", "west 4-6"), ("south 2-5", "west 2-5"), ("east 4-8", "south 4-8"), ("east 4-8", "south 1-8")]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_two_equal_runs_of_dry_plains_cancel_and_nothing_counts(one: str, other: str, declared) -> None:
    """Ruling B7: the lower ones neither."""
    verdict = preview_declarations(PLAYERS, NONE_COUNT, "north", declared(f"0 {one}", f"3 {other}", "2 north 1-3"))
    assert (verdict.team, verdict.points) == (None, 0)
    assert verdict.statuses == ("cancelled",) * 3
    assert verdict.headline == "No declaration counts"


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_with_next_highest_the_equal_pair_is_struck_and_the_next_counts(one: str, other: str, declared) -> None:
    verdict = preview_declarations(PLAYERS, NEXT_HIGHEST, "north", declared(f"0 {one}", f"3 {other}", "2 north 1-3"))
    assert (verdict.team, verdict.points) == (0, 20)
    assert verdict.statuses == ("cancelled", "cancelled", "counts")
    assert verdict.sentence == "With the equal pairs struck, Cy’s run of three is highest."


def test_next_highest_strikes_pair_after_pair_and_scores_what_is_left(declared) -> None:
    """Equal: 50 up to 8, then 20 up to 3. Left: 20 up to 7 and 20 up to 6 for Ana and Cy, 20 up to 6 for Bo and Di."""
    notes = ("0 east 5-8", "1 west 5-8", "1 north 1-3", "2 south 4-6", "3 east 1-3", "2 west 1-3")
    flooded = "south"
    verdict = preview_declarations(PLAYERS, NEXT_HIGHEST, flooded, declared(*notes))
    # struck: Ana's and Bo's 50. Then Cy's 20 up to 6 against 20 up to 3
    assert verdict.team == 0
    assert verdict.statuses == ("cancelled", "cancelled", "beaten", "counts", "beaten", "counts")
    assert verdict.points == 40
    notes = ("0 east 5-8", "1 west 5-8", "0 north 1-3", "3 east 1-3", "2 south 1-3")
    verdict = preview_declarations(PLAYERS, NEXT_HIGHEST, "west", declared(*notes))
    assert verdict.team == 1  # west is flooded, so the first pair is not equal
    assert verdict.points == 70
    verdict = preview_declarations(PLAYERS, NEXT_HIGHEST, "south", declared(*notes))
    # struck: the 50s. Then Cy's flooded 20 is above Di's, and Ana's equal one counts with it
    assert verdict.statuses == ("cancelled", "cancelled", "counts", "beaten", "counts")
    assert verdict.points == 40


def test_next_highest_may_leave_nothing(declared) -> None:
    verdict = preview_declarations(PLAYERS, NEXT_HIGHEST, "north", declared("0 east 5-8", "1 west 5-8"))
    assert (verdict.team, verdict.points, verdict.statuses) == (None, 0, ("cancelled", "cancelled"))


def test_two_equal_runs_of_one_team_do_not_cancel(declared) -> None:
    for options in (NONE_COUNT, NEXT_HIGHEST):
        verdict = preview_declarations(PLAYERS, options, "north", declared("0 east 4-6", "2 west 4-6", "1 south 1-3"))
        assert (verdict.team, verdict.points) == (0, 40)


def test_what_was_not_shown_compares_but_scores_nothing(declared) -> None:
    """Ruling B8."""
    verdict = preview_declarations(PLAYERS, NONE_COUNT, "north", declared("3 west 4-7 hidden", "1 east 2-4", "0 south 6-8"))
    assert (verdict.team, verdict.points) == (1, 20)
    assert verdict.statuses == ("not-shown", "counts", "beaten")
    assert verdict.sentence == (
        "Di’s run of four beats Ana’s run of three. But Di’s 50 was not shown. Bo’s 20 counts with it. Ana’s 20 does not count."
    )
    # and it cancels
    verdict = preview_declarations(PLAYERS, NONE_COUNT, "north", declared("3 west 4-7 hidden", "1 east 2-4", "0 south 4-7"))
    assert (verdict.team, verdict.points) == (None, 0)


@pytest.mark.parametrize(
    ("notes", "sentence"),
    [
        ([], "Nobody announced a declaration."),
        (["0 east 4-6"], "Only Ana & Cy announced anything."),
        (["0 east 4-6", "0 west 4-6"], "Only Ana & Cy announced anything. Ana’s other 20 counts with it."),
        (
            ["1 quads lion", "0 east 4-7"],
            "Bo’s quads of lions beat Ana’s run of four: quads beat every run. Ana’s 50 does not count.",
        ),
        (
            ["1 quads crocodile", "0 quads lion"],
            "Bo’s quads of crocodiles beat Ana’s quads of lions, 200 points against 100. Ana’s 100 does not count.",
        ),
        (
            ["1 quads elephant", "0 quads rhinoceros"],
            "Bo’s quads of elephants beat Ana’s quads of rhinoceros: 6 against 5. Ana’s 100 does not count.",
        ),
        (
            ["1 east 4-6", "0 west 3-5"],
            "Bo’s run of three beats Ana’s run of three, 6 high against 5. Ana’s 20 does not count.",
        ),
        (
            ["1 north 4-6", "0 west 4-6"],
            "Bo’s run of three beats Ana’s run of three: North is flooded. Ana’s 20 does not count.",
        ),
        (
            ["1 east 4-6", "0 west 4-6"],
            "Ana’s run of three and Bo’s run of three are equal, so no declaration of either team counts.",
        ),
        (
            ["3 west 4-7", "1 east 2-4", "0 south 6-8", "2 south 1-3", "1 north 1-3"],
            "Di’s run of four beats Ana’s run of three. Bo’s 40 counts with it. Ana’s 20 and Cy’s 20 do not count.",
        ),
        (
            ["3 west 4-7", "1 east 2-4 hidden", "3 north 6-8"],
            "Only Bo & Di announced anything. Di’s other 20 counts with it. Bo’s 20 was not shown.",
        ),
        (["3 west 4-7", "1 east 2-4 hidden"], "Only Bo & Di announced anything. Bo’s 20 was not shown."),
    ],
)
def test_the_sentence_says_why(notes: list[str], sentence: str, declared) -> None:
    assert preview_declarations(PLAYERS, NONE_COUNT, "north", declared(*notes)).sentence == sentence


def test_before_the_plain_is_said_all_compare_as_dry(declared) -> None:
    notes = declared("0 east 4-6", "1 north 4-6")
    verdict = preview_declarations(PLAYERS, NONE_COUNT, None, notes)
    assert verdict.team is None
    assert verdict.sentence == (
        "Ana’s run of three and Bo’s run of three are equal, "
        "so no declaration of either team counts, unless East or North is flooded."
    )
    assert preview_declarations(PLAYERS, NONE_COUNT, "north", notes).team == 1
    assert preview_declarations(PLAYERS, NONE_COUNT, "east", notes).team == 0


@pytest.mark.parametrize(
    ("notes", "beloz"),
    [
        (["0 north 1-3", "0 north 4-6"], None),  # ruling B12
        (["0 north 1-3", "0 north 4-8"], None),
        (["0 quads lion", "0 quads leopard"], None),
        (["0 quads lion", "0 north 4-7"], None),
        (["0 north 4-7"], 0),  # ruling B9: its two cards may be declared too
        (["0 quads elephant"], 0),
        (["0 quads elephant", "0 quads rhinoceros"], 0),
        (["0 quads elephant", "0 south 1-3"], 0),
        (["0 east 1-3", "0 south 6-8"], 0),  # eight cards with BeloZ's two
        (["0 north 1-4", "1 north 5-8"], 1),
        (["0 north 1-3", "1 north 4-6", "2 east 1-5", "2 west 5-7", "3 quads lion", "3 south 1-4"], 1),
    ],
)
def test_what_four_hands_can_hold_is_taken(notes: list[str], beloz: int | None, declared) -> None:
    assert preview_declarations(PLAYERS, NONE_COUNT, "north", declared(*notes), beloz).team is not None


@pytest.mark.parametrize(
    ("notes", "beloz", "field", "message"),
    [
        (["0 north 1-2"], None, "declarations.0", "A run has three cards or more. 1 to 2 has 2."),
        (["0 north 5-5"], None, "declarations.0", "A run has three cards or more. 5 to 5 has 1."),
        (["0 north 6-4"], None, "declarations.0.lowest", "A run goes from its lowest number to its highest, but 6 is above 4."),
        (
            ["0 north 6-8", "1 quads monkey"],
            None,
            "declarations.1.animal",
            f"Quads of monkeys do not count. {VALID_QUADS}",
        ),
        (
            ["1 quads meerkat"],
            None,
            "declarations.0.animal",
            f"Quads of meerkats do not count. {VALID_QUADS}",
        ),
        (
            ["0 north 1-3", "0 north 3-5"],
            None,
            "declarations.1",
            "The North water snake is in two of Ana’s declarations. Besides BeloZ, a card counts in only one.",
        ),
        (
            ["0 quads lion", "0 north 6-8"],
            None,
            "declarations.1",
            "The North lion is in two of Ana’s declarations. Besides BeloZ, a card counts in only one.",
        ),
        (
            ["0 east 6-8"] * 2,
            None,
            "declarations.1",
            "The East lion is in two of Ana’s declarations. Besides BeloZ, a card counts in only one.",
        ),
        (
            ["0 north 1-3", "1 north 3-5"],
            None,
            "declarations.1",
            "This run needs the North water snake. Ana has declared it.",
        ),
        # of a run that somebody else holds the tapped card is named, not the lowest of it
        (
            ["0 south 4-7", "1 south 4-6"],
            None,
            "declarations.1",
            "Ana has declared the South elephant, so Bo can’t hold it too.",
        ),
        (["0 quads lion", "2 west 6-8"], None, "declarations.1", "Ana has declared the West lion, so Cy can’t hold it too."),
        (["0 quads lion", "0 north 1-5"], None, "declarations.1", "Ana’s declarations need 9 cards. A hand has eight."),
        (
            ["0 east 1-3", "0 south 1-3", "0 west 1-3"],
            None,
            "declarations.2",
            "Ana’s declarations need 9 cards. A hand has eight.",
        ),
        (["0 quads elephant"], 1, "beloz", "Ana has declared the North elephant, so Bo can’t have BeloZ."),
        (["0 north 6-8"], 1, "beloz", "Ana has declared the North elephant, so Bo can’t have BeloZ."),
        (["2 north 3-5"], 0, "beloz", "Cy has declared the North rhinoceros, so Ana can’t have BeloZ."),
        (["0 east 1-8"], 0, "beloz", "Ana’s declarations and BeloZ need 10 cards. A hand has eight."),
        (["0 east 1-7"], 0, "beloz", "Ana’s declarations and BeloZ need 9 cards. A hand has eight."),
        (["0 quads elephant", "0 east 1-4"], 0, "beloz", "Ana’s declarations and BeloZ need 9 cards. A hand has eight."),
    ],
)
def test_what_no_hands_can_hold_is_refused(notes: list[str], beloz: int | None, field: str, message: str, declared) -> None:
    with pytest.raises(RuleError) as refused:
        preview_declarations(PLAYERS, NONE_COUNT, "north", declared(*notes), beloz)
    assert (refused.value.field, refused.value.message) == (field, message)


def test_of_two_equal_ones_the_first_announced_is_struck_first(declared) -> None:
    """Ruling B7, next highest: Ana's run goes with Bo's, and what is left of the list is Cy's, which was shown."""
    verdict = preview_declarations(PLAYERS, NEXT_HIGHEST, "north", declared("0 east 4-6 hidden", "2 west 4-6", "1 south 4-6"))
    assert (verdict.statuses, verdict.points) == (("cancelled", "counts", "cancelled"), 20)
