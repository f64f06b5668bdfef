"""Every recorded case: the verdict, the findings, the hands and the sums it claims."""

import pytest

from tests.check_cases import case_names, complaints, recording_path

WAITING: dict[str, str] = {}


@pytest.mark.parametrize("name", case_names())
def test_case_holds(name: str) -> None:
    found = complaints(name, disputes=name not in WAITING)
    assert not found, "\n" + "\n".join([str(recording_path(name).name), *found])


def test_the_cases_are_all_here() -> None:
    names = case_names()
    assert sum(name.startswith("bura/") for name in names) == 121
    assert sum(name.startswith("bourre/") for name in names) == 91
    assert all(recording_path(name).is_file() for name in names)
