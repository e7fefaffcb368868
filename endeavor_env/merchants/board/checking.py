"""Every fault of a board, stage by stage: the entries, the whole, the known facts (board format, section 3)."""

from __future__ import annotations

from endeavor_env.merchants.board.check_economy import check_economy, check_graph
from endeavor_env.merchants.board.check_facts import check_facts
from endeavor_env.merchants.board.check_start import check_start
from endeavor_env.merchants.board.content import Content
from endeavor_env.merchants.board.faults import Fault, FaultList
from endeavor_env.merchants.board.reading import read_content
from endeavor_env.merchants.board.survey import Survey


def find_faults(data: object) -> tuple[Content | None, list[Fault]]:
    """Return what a dictionary laid out as a board file says, None if it cannot be read; and its faults, in order."""
    content, faults = read_content(data)
    return content, faults if content is None else find_faults_of_content(content)


def find_faults_of_content(content: Content) -> list[Fault]:
    """Return the faults of a board whose single entries have none, in order."""
    survey, faults = Survey(content), FaultList()
    check_graph(survey, faults)
    check_economy(survey, faults)
    check_start(survey, faults)
    found = faults.in_order()
    if not found and content.facts:
        check_facts(survey, faults)
        found = faults.in_order()
    return found
