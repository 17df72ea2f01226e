"""What is asked for at the end of a statement, put in front: "Ada manages which halls?" asks which halls Ada manages.

Also a first sentence that only tells of what the second one asks ("Ada manages some halls. What are they called?").
Words alone are moved; no name of the data is needed.
"""

from __future__ import annotations

import re

_BEING = re.compile(r" (?P<aux>is|are|was|were|has|have|had|can|does|did) ", re.IGNORECASE)
_IN_FRONT = (
    r"(?:which|what|who|whose|how|when|where|show|list|give|find|get|tell|count|for|in|of|on|at|by|is|are|do|does|did"
    r"|was|were|has|have|had|can|could|please|i|we|number|total|average|and|or|if|sum|name|compare)"
)
_LAST = re.compile(
    rf"^(?!{_IN_FRONT}\b)(?P<said>[^,;:.?!]+?)(?: (?P<to>to|for|from|of|at|in|with|on|into|under))?"
    r" (?P<ask>which|what|how many)(?P<kind> different| distinct| kinds? of)?"
    r" (?P<what>(?!(?:is|are|was|were|do|does|did|of)\b)[a-z]+(?: [a-z]+)?)(?P<rest>\?.*|\W*)$",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:come|comes|leave|leaves|belong|belongs|go|goes|work|works|live|lives|sit|sits|fly|flies|depart|departs"
    r"|arrive|arrives|start|starts|end|ends|stay|stays|play|plays|study|studies|fall|falls|report|reports|lead|leads"
    r"|refer|refers|ship|ships|manage|manages|own|owns|teach|teaches|made|sold|bought|wrote|took|ran|won|held|built"
    r"|[a-z]{3,}ed)$",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"^(?:(?P<who>(?!there\b|we have\b|i\b)[^.,;:?!]+?) )?(?:some|certain|several|a few|various|a number of)"
    r" (?P<x>[a-z]+s|people)(?P<rest>(?: [^.?!;:]+)?)[.!;:] (?P<ask>[^.?!]+)(?P<end>.*)$",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"^(?:there (?:are|were)|we (?:have|had)|i have) (?:some |several |a few |also )?(?P<x>[a-z]+s|people)"
    r"(?P<rest>(?: [^.?!;:]+))[.!;:] (?P<ask>[^.?!]+)(?P<end>.*)$",
    re.IGNORECASE,
)
_WHICH_ARE_THEY = re.compile(
    r"^(?:which|what) (?P<what>(?:[a-z]+ )?(?:ids?|names?|titles?|codes?|numbers?)) are (?:they|those|these)$",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"^(?:that|which|who|whose|with|without|from|in|at|of|\w+ing)\b", re.IGNORECASE)


def asked_first(question: str) -> str:
    """The question with what it asks for in front; unchanged where it stands there already."""
    return _fronted(_told(question))


def _fronted(question: str) -> str:
    found = _LAST.match(question)
    if found is None:
        return question
    said, to = found["said"], f" {found['to']}" if found["to"] else ""
    asked = f"{found['ask'].lower()}{found['kind'] or ''} {found['what']}"
    if to == " of":  # "have built mills of which types": which types of mills
        said, _, noun = said.rpartition(" ")
        asked, to = f"{asked} of {noun}", ""
    if (being := _BEING.search(f" {said} ")) is not None:
        front, behind = said[: being.start()].strip(), said[being.end() - 1 :].strip()
        if not front:
            return question
        return f"{asked} {being['aux'].lower()} {front} {behind}".rstrip() + to + found["rest"]
    if _VERB.search(said) is None or " " not in said:
        return question
    return f"{asked} do {said}{to}{found['rest']}"


def _told(question: str) -> str:
    """ "Some halls have a sauna. List those halls' names." lists the names of the halls that have a sauna."""
    found = _THERE.match(question) or _TOLD.match(question)
    if found is None:
        return question
    x, rest = found["x"], found["rest"].strip()
    who = found.groupdict().get("who") or ""
    link = "" if not rest or who or _RELATIVE.match(rest) else "that "
    them = f"{x} that {who} {rest}".rstrip() if who else f"{x} {link}{rest}"
    if (columns := _WHICH_ARE_THEY.match(found["ask"])) is not None:
        return f"what are the {columns['what']} of the {them}{found['end']}"
    their = re.compile(
        rf"\b(?:(?P<own>(?:those|these|the) {re.escape(x)}'s?|their)(?= )(?P<what> [\w ,]+?)"
        rf"|(?:those|these|the|such) {re.escape(x)}|(?:those|these|them|they))(?=[\W]*$| (?:called|named)\b| with\b)",
        re.IGNORECASE,
    )

    def put(match: re.Match[str]) -> str:
        return f"the{match['what']} of the {them}" if match["own"] else f"the {them}"

    asked, changed = their.subn(put, found["ask"], count=1)
    return f"{asked}{found['end']}" if changed else question
