"""Whatever the OpenAPI document allows, and much that it does not: no 5xx, no answer it does not name."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from replay.web.live_openapi import OPERATIONS
from tests.live.conftest import Seated

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
ASKED = [(method, path) for _, method, path, *_ in OPERATIONS]
QUIET = settings(
    max_examples=12, deadline=None, database=None, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("method", "path"), ASKED)
@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_no_undocumented_answer(table: Seated, method: str, path: str, mode: str) -> None:
    if path.endswith("/stream"):  # that of a table which goes on would wait for what comes next
        assert table.append([{"type": "recording_ended", "events": 2}], 1).status_code == 201
    application: Any = table.client.application
    document = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
    wanted = [getattr(schemathesis.GenerationMode, mode.upper())]
    strategy = document[f"/api/v1{path}"][method].as_strategy(generation_mode=wanted[0])

    @QUIET
    @given(case=strategy, known=st.booleans(), role=st.sampled_from(["scribe", "arbiter", "seat:1", ""]))
    def run(case: Any, known: bool, role: str) -> None:
        if known and "key" in (case.path_parameters or {}):
            case.path_parameters["key"] = table.key
        headers = {"Authorization": f"Bearer {table.tokens[role]}"} if role else {}
        case.call_and_validate(checks=CHECKS, headers=headers)

    run()
