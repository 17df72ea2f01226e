"""A call of a model in words for the person: the speaker of each message, and its text."""

from __future__ import annotations

from autogen_core.models import (
    AssistantMessage,
    CreateResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    SystemMessage,
    UserMessage,
)

from assistant.record.store.sent_calls import SentCall


def name_speaker(message: LLMMessage) -> str:
    """Who speaks in a message, as endpoints name it."""
    match message:
        case SystemMessage():
            return "system"
        case UserMessage():
            return "user"
        case AssistantMessage():
            return "assistant"
        case FunctionExecutionResultMessage():
            return "tool"


def format_message(message: LLMMessage) -> str:
    """What a message says."""
    match message:
        case FunctionExecutionResultMessage(content=results):
            return "\n\n".join(result.content for result in results)
        case _:
            content = message.content
    if isinstance(content, str):
        return content
    return "\n".join(part if isinstance(part, str) else _describe_call(part) for part in content)


def add_reply(call_record: SentCall, result: CreateResult | None) -> SentCall:
    """The call with its reply."""
    if result is None:
        return call_record
    content = result.content
    reply = content if isinstance(content, str) else "\n".join(_describe_call(call) for call in content)
    return call_record.model_copy(update={"reply": reply})


def _describe_call(part: object) -> str:
    name, arguments = getattr(part, "name", ""), getattr(part, "arguments", "")
    return f"{name}({arguments})" if name else str(part)
