"""The look-up page of each game ("May I?"). A new game's page is one module here, one template, and one line below."""

from __future__ import annotations

from companion.screens.beloz.look_up import BelozLook
from companion.screens.beluga_cup.look_up import BelugaCupLook
from companion.screens.bisque.look_up import BisqueLook
from companion.screens.look_up import Known, Look
from companion.screens.rivals.look_up import RivalsLook
from companion.screens.what_the_fish.look_up import WhatTheFishLook

__all__ = ["LOOKS", "Known", "Look"]

LOOKS: dict[str, type[Look]] = {look.slug: look for look in (BelozLook, BelugaCupLook, BisqueLook, RivalsLook, WhatTheFishLook)}
