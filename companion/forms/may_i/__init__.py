"""The look-up page of each game ("May I?"). A new game's page is one module here, one template, and one line below."""

from __future__ import annotations

from companion.forms.may_i.beloz import BelozLook
from companion.forms.may_i.beluga_cup import BelugaCupLook
from companion.forms.may_i.bisque import BisqueLook
from companion.forms.may_i.look import Known, Look
from companion.forms.may_i.rivals import RivalsLook
from companion.forms.may_i.what_the_fish import WhatTheFishLook

__all__ = ["LOOKS", "Known", "Look"]

LOOKS: dict[str, type[Look]] = {look.slug: look for look in (BelozLook, BelugaCupLook, BisqueLook, RivalsLook, WhatTheFishLook)}
