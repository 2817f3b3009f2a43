"""Does the API do what its own description says, with whatever may be sent and whatever may not?

schemathesis makes the requests from the description, fitting ones and broken ones: unknown parts, wrong types, other methods,
missing bodies, no link. Whether the answers are right is tested elsewhere (``test_api.py``, and the engine's own tests).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.app import create_app
from companion.settings import Settings
from companion.storage import migrations
from companion.storage.models import db

if TYPE_CHECKING:  # half a second of a processor, which only whoever runs these tests spends
    from schemathesis.generation import GenerationMode
    from schemathesis.schemas import BaseSchema

EXAMPLES = 15
SOAK = 1_000  # of each address

# A fitting body may still be impossible by the rules (422), and a fitting number may be no match of the table's (404).
CONFIGURATION = """
headers = { Accept-Encoding = "identity" }

[checks]
positive_data_acceptance.expected-statuses = ["2xx", 401, 404, 422]
negative_data_rejection.expected-statuses = [400, 401, 404, 405, 413, 415, 422]
"""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BaseSchema]:
    """Return the API as its description tells it, served by an application that does not count requests."""
    import schemathesis
    from schemathesis.config import SchemathesisConfig

    app = create_app(
        Settings.read({"COMPANION_INSTANCE": str(tmp_path_factory.mktemp("api"))}),
        {"SECRET_KEY": "only for tests", "RATELIMIT_ENABLED": False},
    )
    migrations.migrate(app)
    config = SchemathesisConfig.from_str(CONFIGURATION)
    yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, config=config)
    with app.app_context():
        db.engine.dispose()


OPERATIONS = ("games", "game", "rules", "legal", "replay", "explain", "verify", "match")


def requests(api: BaseSchema, name: str, mode: GenerationMode) -> st.SearchStrategy[Any]:
    operation = next(each.ok() for each in api.get_all_operations() if each.ok().definition.raw["operationId"] == name)
    return operation.as_strategy(generation_mode=mode)


@pytest.mark.parametrize("examples", [EXAMPLES, pytest.param(SOAK, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", OPERATIONS)
def test_whatever_is_sent_is_answered_as_described(api: BaseSchema, name: str, examples: int) -> None:
    from schemathesis.generation import GenerationMode

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(data=st.data(), mode=st.sampled_from(GenerationMode))
    def attempt(data: st.DataObject, mode: GenerationMode) -> None:
        case = data.draw(requests(api, name, mode))
        case.call_and_validate()

    attempt()
