"""Do the style sheets stay a system? Few sizes, gaps, paddings, corners and conditions, in few lines."""

from __future__ import annotations

from tests import wardrobe

MOST_LINES = 6_000
MOST_VALUES = {"font-size": 15, "gap": 14, "padding": 30, "border-radius": 8}
MOST_CONDITIONS = 18


def test_the_sheets_are_no_longer_than_agreed():
    assert wardrobe.together().lines <= MOST_LINES


def test_few_values_are_used_for_all_pieces():
    assert {name: len(each) for name, each in wardrobe.together().values.items() if len(each) > MOST_VALUES[name]} == {}


def test_pages_adapt_to_few_conditions():
    assert len(wardrobe.together().conditions) <= MOST_CONDITIONS


def test_a_value_counts_once_and_a_condition_too(tmp_path):
    file = tmp_path / "a.css"
    file.write_text(
        "/* gap: 9px; */\n.a {\n  gap: 1px;\n}\n"
        "@media (max-width: 9em) {\n  .b,\n  .c:hover {\n    gap: 1px;\n    padding: 0;\n  }\n}\n"
    )
    sheet = wardrobe.Sheet.read(file)
    assert (sheet.lines, sheet.rules, sheet.conditions) == (11, 2, {"@media (max-width: 9em)"})
    assert sheet.values == {"font-size": set(), "gap": {"1px"}, "padding": {"0"}, "border-radius": set()}
    assert (sheet + sheet).values["gap"] == {"1px"}
