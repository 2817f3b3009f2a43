"""What all tests share: how thorough the random examples are, and that CI proves everything."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# On a machine that does several things at once, a slow example says nothing about the code.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# CI tries the same examples each time: a change that breaks nothing is never blamed.
settings.register_profile("ci", settings.get_profile("here"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")
