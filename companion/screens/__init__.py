"""Which games have screens. A new game's screens are one module here, one folder of templates and one line below."""

from __future__ import annotations

from companion.screens import beloz, beluga_cup, bisque, rivals, what_the_fish
from companion.screens.page import Screens

SCREENS: dict[str, Screens] = {
    screens.slug: screens
    for screens in (beloz.SCREENS, beluga_cup.SCREENS, bisque.SCREENS, rivals.SCREENS, what_the_fish.SCREENS)
}
