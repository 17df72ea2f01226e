"""Tested functions that cells may import."""

from assistant.functions.function import Function as Function
from assistant.functions.showing import format_functions as format_functions
from assistant.functions.testing import CaseResult as CaseResult, SuiteRun as SuiteRun
from assistant.session.knowledge.workspace_functions import WorkspaceFunctions as WorkspaceFunctions
