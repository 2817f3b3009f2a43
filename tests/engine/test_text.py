"""How names are put into a sentence."""

from companion.engine.text import join_names


def test_names_are_joined_as_a_host_says_them() -> None:
    assert [join_names(names) for names in ([], ["Ana"], ["Ana", "Bo"], ["Ana", "Bo", "Cy"])] == [
        "",
        "Ana",
        "Ana and Bo",
        "Ana, Bo and Cy",
    ]
    assert join_names(["lion", "leopard"], "or") == "lion or leopard"
