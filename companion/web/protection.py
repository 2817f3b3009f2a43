"""What stands between a form and a stranger: tokens against forged forms, limits against guessing and flooding."""

from __future__ import annotations

from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf import CSRFProtect

csrf = CSRFProtect()
limiter = Limiter(get_remote_address, storage_uri="memory://", strategy="moving-window")
