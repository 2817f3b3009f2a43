"""Did a form come from a page of ours, for this phone? Its token tells, which a page elsewhere can't know."""

from __future__ import annotations

from typing import Final

from flask_wtf import CSRFProtect

csrf: Final = CSRFProtect()
