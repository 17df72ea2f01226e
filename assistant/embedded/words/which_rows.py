"""How people say which rows they mean: "two or more", "anywhere but Kiel", "leaving Ada out", put plainly.

Like what is said around a question (`sayings`), each rule changes words alone, in order, and needs no name of the data.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Callable

from assistant.embedded.words.vocabulary import NUMBER_WORDS

_N = r"(?:\d[\d.,]*|" + "|".join(word for word in NUMBER_WORDS if word not in ("once", "twice")) + ")"
_YEAR = r"(?!(?:19|20)\d\d\b)"
_NUMBER = rf"{_YEAR}[$€£]?\d[\d.,]*(?<![.,])"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_LOW = r"(?:less|lower|smaller|fewer|shorter|younger|cheaper|lighter|slower|worse)"
_HIGH = r"(?:more|higher|greater|larger|bigger|longer|older|taller|heavier|faster|better|pricier)"
_MEAN = r"(?:the |an )?(?:overall )?(?:average|mean)\b"
_END = r"(?=\W*$|[,;.?!]| [-–—] )"
_OTHERS = r"(?:anyone|anybody|everyone|everybody|all people|anything|everything|all those|those|the ones|any)"
_THAT_ARE = (
    r"(?:who|that|which|whose|with|without|having|holding|from|in|at|above|over|below|under|older|younger|aged|born)"
)

_MOMENT = rf"(?:the )?(?:(?:19|20)\d\d\b|{_MONTH}\b|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b|\d{{1,2}}[/.]\d|q[1-4]\b|today\b|yesterday\b|(?:this|last|next) (?:week|month|quarter|year)\b)"
_WHEN = f"(?={_MOMENT})"
_DAY = r"(?:the )?(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
_TEXT = r"(?:(?:first|last|full|family|given|middle|user|personal|nick|brand|product|company|official|file) ?)?(?:name|title|description|e-?mail(?: address)?|address|comment|note|subject|text)s?"
_WORD = r"(?:(?:the (?:word|text|string|letters?) )?(?P<word>\"[^\"]+\"|'[^']+'|(?!(?:an?|any|no|the|none|nothing|it|them|more|less|only|their|its|both|all)\b)[\w.@-]+)|an? (?P<letter>[a-z]))"


def _between_days(match: re.Match[str]) -> str:
    """ "from 1 to 5 March 2026": both days with their month."""
    month = match["month"] + (f" {match['year']}" if match["year"] else "")
    return f"between {match['low']} {month} and {match['high']} {month}"


def _bound_first(match: re.Match[str]) -> str:
    """ "of 50 at most", "2 orders at least": the bound before its number."""
    most = match["most"].lower()
    bound = "at least" if "least" in most or most == "min" else "at most"
    return f"{match['of'] or ''}{bound} {match['n']}{match['unit'] or ''}"


def _thousands(match: re.Match[str]) -> str:
    """ "between 10k and 40k"."""
    low, high = (f"{float(match[name]) * 1000:g}" for name in ("low", "high"))
    return f"between {low} and {high}"


def _bound_last(match: re.Match[str]) -> str:
    """ "a maximum price of 50": a price of at most 50."""
    return f"a {match['what']} of {'at most' if match['end'].lower() == 'maximum' else 'at least'} {match['n']}"


RULES: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    # so many, or more
    (rf"(?<!least )(?<!most )(?<!than )\b(?P<n>{_N}) (?P<what>[a-z]+(?: [a-z]+)?) or (?P<more>more|fewer|less)\b(?! than)(?! \d)(?! [a-z]+ than)", r"\g<n> or \g<more> \g<what>"),
    (r"\b(?:get|gets|got|gotten|go|goes|went|gone|come|comes|came|rise|rises|rose|risen|climb|climbs|climbed|fall|falls|fell|fallen|drop|drops|dropped)(?: up| down)? to (?=\d[\d.,]* or \w+)", "was "),
    (rf"\b(?P<no>never|not) (?:(?P<was>was|were|been|is|are) )?(?P<n>{_N}) or (?:more|higher|above|over|greater)\b", r"\g<no> \g<was> at least \g<n>"),
    (rf"\b(?P<no>never|not) (?:(?P<was>was|were|been|is|are) )?(?P<n>{_N}) or (?:less|lower|below|under|fewer)\b", r"\g<no> \g<was> at most \g<n>"),
    (r"(?P<of>\bwith|\bhave|\bhas|\bhad|\bhaving|\bplaced|\bmade|\bgot|\bin|\bby) (?:several|multiple) (?=[a-z])", r"\g<of> more than one "),
    (r"\b(?P<more>at least|more than|over|at most) a couple of ", r"\g<more> 2 "),
    (rf"\b(?P<more>more|fewer|less) (?P<what>[a-z]+s) than (?P<n>{_NUMBER})(?=\W*$|,| in | from | since )", r"\g<more> than \g<n> \g<what>"),
    (rf"\bupwards? of (?={_NUMBER})", "more than "),
    (rf"(?<!between )(?<!and )(?P<of>\b(?:of|for|at|costing|cost|costs|priced at|with) )?(?P<n>{_NUMBER})(?P<unit> [a-z]+)? (?P<most>at (?:the )?(?:very )?(?:most|least)|tops|or under|max|min)(?=\W*$|,| and )", _bound_first),
    (rf"\ban? (?P<end>maximum|minimum) (?P<what>[a-z]+) of (?P<n>{_NUMBER})", _bound_last),
    (r"\b(?P<what>[a-z]+s) costing (?=(?:at|no|not|up|more|less|over|under|below|above|between|exactly)\b|\d)", r"\g<what> that cost "),
    (r"\b(?:dearer|pricier|costlier) than (?=(?:the |any )?[A-Z])", "more expensive than "),
    (r"\b(?P<n>\d{1,3})[- ]years?[- ]old (?P<who>[a-z]+s|people)\b", r"\g<who> aged \g<n>"),
    (r"\b(?P<who>employees|staff|people|workers|managers|colleagues|engineers|clerks|reps) under (?=[A-Z])", r"\g<who> who report to "),
    (r"\b(?P<who>employees|staff|people|workers|managers|clerks|reps) paid (?=(?:at|over|under|more|less|above|below|between)\b|\d)", r"\g<who> who are paid "),
    (r"\b(?P<of>between|from) [$€£]?(?P<low>\d+(?:\.\d+)?)k (?P<to>and|to) [$€£]?(?P<high>\d+(?:\.\d+)?)k\b", _thousands),
    (r"\b(?:who|that) (?:are|is) (?P<n>\d{1,3})(?=\W*$)", r"aged \g<n>"),
    (r" apiece\b", ""),
    # from one end to the other
    (r"\bfrom (?:an?|the) (?P<x>[a-z]+) (?:in|at|of) (?P<a>[\w .'-]+?) to (?:another one|one|an?(?:other)? (?P=x)|the (?P=x)) (?:in|at|of) (?=\w)", r"from \g<a> to "),
    (rf"\b(?:(?:that|which|who) )?(?:start|starts|starting|started|begin|begins|beginning|began|leave|leaves|leaving|left|depart|departs|departing|departed|originate|originates|originating)(?: in| at| from)? (?!{_MOMENT})(?P<a>[A-Zt][\w .'-]*?),? and (?:(?:that|which) )?(?:end|ends|ending|ended|finish|finishes|finishing|finished|arrive|arrives|arriving|arrived|land|lands|landing|landed|terminate|terminates|stop|stops)(?: up)? (?:in|at) (?!{_MOMENT})", r"from \g<a> to "),
    # when
    (rf"\bfrom the (?:start|beginning) of (?P<first>[\w ]+?) (?:to|until|till|through) the end of {_WHEN}", r"from \g<first> to "),
    (rf"\b(?:since|from) the (?:very )?(?:start|beginning) of {_WHEN}", "since "),
    (rf"\b(?:until|till|through|to|by|up to) the (?:very )?end of {_WHEN}", "until "),
    (rf"\b(?:up )?(?:to|until|till) and including {_WHEN}", "until "),
    (rf"\b(?:no|not) (?:later than|after) {_WHEN}", "until "),
    (rf"\b(?:no|not) (?:earlier than|sooner than|before) {_WHEN}", "since "),
    (r"\b(?:at )?any (?:time|point)(?: in time)? (?=(?:after|before|in|during|since|between)\b)", ""),
    (rf"\b(?:dated|falling (?:in|on)|falls (?:in|on)) {_WHEN}", "in "),
    (r"\bbetween the years (?=(?:19|20)\d\d\b)", "between "),
    (r"\b(?:in|during|over|for|from) the years (?=(?:19|20)\d\d ?(?:to|until|through|-|–) ?(?:19|20)\d\d\b)", "from "),
    (rf"\b(?:from|between) {_DAY.format('low')} (?:to|and|until|till|through) {_DAY.format('high')} (?:of )?(?P<month>{_MONTH})(?:,? (?P<year>(?:19|20)\d\d))?\b", _between_days),
    # from so much to so much
    (rf"\b(?P<of>with|have|has|had|having|placed|made|got) (?P<low>{_N}) ?(?:to|-|–) ?(?P<high>{_N}) (?=[a-z])", r"\g<of> between \g<low> and \g<high> "),
    (rf"\b(?:any ?where |some ?where )?(?:in the range )?(?:from|of) (?P<low>{_NUMBER}) (?:up )?(?:to|through|until) (?P<high>{_NUMBER})(?!\d)(?! ?(?:o'clock|am|pm|{_MONTH})\b)(?![%/.-]\d|%)", r"between \g<low> and \g<high>"),
    (rf"\b(?:any ?where |some ?where )between (?={_NUMBER})", "between "),
    (rf"\b(?:in|within) the (?P<low>{_NUMBER})(?: to | ?[-–] ?)(?P<high>{_NUMBER}) (?P<what>[a-z]+)? ?(?:range|bracket|band)\b", r"with \g<what> between \g<low> and \g<high>"),
    (rf"\b(?:lies|lie|lay|lying|falls|falling|ranges|ranging|runs|running|sits) (?P<how>between|above|below|over|under)\b(?= (?:the |an )?(?:{_N}|average|mean))", r"is \g<how>"),
    (rf"\bbetween the ages? of (?P<low>{_N}) and (?P<high>{_N})", r"aged between \g<low> and \g<high>"),
    *(
        (rf"\bin (?:his|her|their) (?:(?P<part>early|mid|late)[- ])?{word}\b(?! to\b| and\b| or\b)", rf"aged between {low} and {low + 9}")
        for word, low in (("(?:twenties|20s)", 20), ("(?:thirties|30s)", 30), ("(?:fort|fourt)ies|40s", 40), ("(?:fifties|50s)", 50), ("(?:sixties|60s)", 60), ("(?:seventies|70s)", 70))
    ),
    (rf"\baged (?P<n>{_N}) (?:or|and) (?:younger|under|below|less)\b", r"aged at most \g<n>"),
    (rf"\baged (?P<n>{_N}) (?:or|and) (?:older|over|above|up|more)\b", r"aged at least \g<n>"),
    # not less than the average is at least that
    (rf"\b(?:no|not|never|n't) (?:(?:below|under)|{_LOW} than) {_MEAN}", "at least the average"),
    (rf"\b(?:no|not|never|n't) (?:(?:above|over)|{_HIGH} than) {_MEAN}", "at most the average"),
    (rf"\bno (?={_LOW} than (?:the|that|those|any|its|their|his|her|[A-Z])\b)", "not "),
    # a word in a text
    (rf"\b(?:with|having|(?:(?:that|which|who) )?(?:have|has|contains?)) {_WORD} (?:somewhere |anywhere )?(?:in|within|inside|as part of) (?:the|their|its|his|her) (?P<of>{_TEXT})(?=\W|$)", r"whose \g<of> contains \g<word>\g<letter>"),
    (rf"\b(?:with|having|(?:(?:that|which|who) )?(?:have|has)) (?P<word>{_MONTH}) (?:somewhere |anywhere )?in (?:the|their|its|his|her) (?P<of>[a-z]+(?: [a-z]+)?)" + _END, r'with "\g<word>" in their \g<of>'),
    (rf"\bwhose (?P<of>{_TEXT}) (?:have|has|includes?) {_WORD} (?:somewhere |anywhere )?in (?:it|them)\b", r"whose \g<of> contains \g<word>\g<letter>"),
    (rf"\b(?:with|having|(?:(?:that|which|who) )?(?:have|has)) (?:an? |the letter )?(?P<letter>\"?[\w]\"?) as the first letter (?:of|in) (?:the|their|its|his|her) (?P<of>{_TEXT})", r"whose \g<of> starts with \g<letter>"),
    (rf"\b(?:with|having|(?:(?:that|which|who) )?(?:have|has)) (?:an? |the letter )?(?P<letter>\"?[\w]\"?) as the last letter (?:of|in) (?:the|their|its|his|her) (?P<of>{_TEXT})", r"whose \g<of> ends with \g<letter>"),
    # more than others on average
    (r"\b(?P<more>(?:earn|cost|weigh|last|make|score|measure)(?:s|ed|ing)? (?:more|less|longer) than|(?:old|young|tall|short|heavi|light|cheap|long|fast|slow|low|high|larg|small|bigg)er than|(?:more|less) expensive than) (?P<whom>(?:the|those|all) [^,.;?!]+?)(?: (?:do|does|did|are|is|were|was|have|had|cost|costs|earn|earns|weigh|last))? on average\b", r"\g<more> the average of \g<whom>"),
    # what is left out
    (r"(?:, ?|\b(?:and|while|if (?:we|you|i)|when (?:we|you|i)|by|but) |(?<=^))(?:leave|leaving|left|set|setting|put|putting|keep|keeping) (?:out (?P<x>[^,.;?!]+)|(?P<y>[^,.;?!]+?)(?: (?:him|her|it)self| themselves)? (?:out|aside|apart)(?: of (?:it|them|this))?)" + _END, r" other than \g<x>\g<y>"),
    (r"(?<=, )(?P<x>[^,.;?!]+?) (?:aside|excepted|excluded)" + _END, r"other than \g<x>"),
    (r"\b(?:not counting|without counting|aside from|with the exception of|save for|all but (?=the |those ))", "other than "),
    (r"\b(?:from |in |at )?(?:anywhere|everywhere|somewhere|any place|anything|anyone|anybody|everyone|everybody|all people) (?:but|except(?: for)?|other than|apart from|besides) ", "other than "),
    # what is not there
    (r"(?P<no>\b(?:not|never|no|without|[a-z]+n't)\b[^,.;?!]*? )any of (?:the |our |these |those )(?=[a-z]+s\b)", r"\g<no>any "),
    (r"\b(?:have|has|had|having) (?:had |got )?nothing (?:at all )?to do with (?:any |an? |the )?(?P<what>[a-z]+)\b", r"have no \g<what>"),
    (r"(?P<what>\b[a-z]+s) (?:that )?(?:we|you) (?:have|keep|hold) (?:listed|recorded|registered)(?=\W*$)", r"\g<what>"),
    (r"^(?P<lead>(?:(?:please|show|list|give|me|all|the) )*)(?P<rows>[a-z]+) (?P<what>(?:ids?|(?:(?:first|last) )?names?|emails?|codes?|titles?|ages?)) (?:of|for) (?:those|the ones|all those) (?=(?:who|that|with|without|whose|which)\b)", r"\g<lead>\g<what> of \g<rows> "),
    (r"\b(?:with|(?:(?:that|who|which) )?(?:have|has|had)|having) neither (?:an? |any )?(?P<one>[\w ]+?) nor (?:an? |any )?(?P<other>[\w ]+?)(?=\W*$|[,;.?!])", r"without \g<one> and without \g<other>"),
    (r"\blacking (?:an? |any )?(?P<one>[\w ]+?) or (?:an? |any )?(?P<other>[\w ]+?)(?=\W*$|[,;.?!])", r"without \g<one> or without \g<other>"),
    (r"\b(?P<t>take|takes|took|taken|taking) part in\b", "participated in"),
    (r"\b(?:who|that|which) lacks? (?=\w)|\b(?<=s )lack (?=an? |any )", "without "),
    (r"\b(?:have|has|had) yet to (?:be |have |make |place |receive )?", "never "),
    (r"(?P<no>\b(?:with|without|have|has|having|no|any|missing|an?)\b [a-z ]{1,30}?) (?:on|in) (?:file|record|our (?:files|records|books|system))\b", r"\g<no>"),
    (r"\b(?:have|has|had) nothing (?:on|in) (?:file|record)\b", "have no records"),
    (r"\bwith nothing (?:on|in) (?:file|record)\b", "without records"),
    (r"\bwith not (?:one|a single) ", "without "),
    (r"\b(?P<not>(?:not|never|n't)(?: been)? \w+ed) by any(?:one|body)\b(?! (?:from|in|who|else))", r"\g<not>"),
    # one or the other
    (rf",? (?:plus|as well as|together with|along with|in addition to) {_OTHERS} (?={_THAT_ARE}\b)", " or "),
    (rf"^(?!.*\b(?:compare[ds]?|comparing|differ\w*|between|versus|vs|ratio|both|split|share|against|separately)\b)(?P<one>.*?),? and (?:also )?(?:anyone|anybody|everyone|everybody|all people|all those|those|the ones) (?={_THAT_ARE}\b)", r"\g<one> or "),
    (r"^(?!.*\b(?:number of|how many|count|total|average|sum|per|by|compare|difference|both|versus)\b)(?P<one>.*?\b(?P<noun>[a-z]+s)\b[^,.;?!]*?),? (?:plus|as well as|together with|along with|in addition to) (?P<other>(?!the\b|their\b)(?:[\w-]+ )?(?P=noun) )", r"\g<one> or \g<other>"),
    (r"\bor else (?=(?:from|in|with|who|that|at|of)\b)", "or "),
    # both of two
    (r"\b(?P<by>by|for|in|from|with|of|to|at) (?P<one>[\w-]+(?: [\w-]+)?) and (?:(?P=by) )?(?P<other>[\w-]+(?: [\w-]+)?) alike\b", r"\g<by> both \g<one> and \g<other>"),
    # somebody among them
    (r"\b(?:count|counts|have|has|number|numbers|include|includes) (?:some(?:one|body)|any(?:one|body)|at least one person) (?P<who>[^,.;?!]+?) among (?:their|its) (?P<what>[a-z]+s)\b", r"have \g<what> \g<who>"),
    # what something is to them
    (r"\b(?P<whom>[A-Z][\w-]*(?: [A-Z][\w-]*)*)'s (?P<what>[a-z]+) (?P<who>colleagues|co-?workers|class ?mates|team ?mates|peers|neighbou?rs)\b", r"\g<who> in \g<whom>'s \g<what>"),
    (r"\b(?P<who>who|that|which) (?:have|has|had) (?P<whom>[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)*) (?:as|for) (?:an?|the|their|its|his|her|one of their) (?P<what>[a-z]+(?: [a-z]+)?)" + _END, r"whose \g<what> is \g<whom>"),
    (r"\bwith (?P<whom>[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)*) (?:as|for) (?:an?|the|their|its|his|her) (?P<what>[a-z]+(?: [a-z]+)?)" + _END, r"whose \g<what> is \g<whom>"),
    (r"\b(?:(?:that|which|who) )?(?:fall|falls|falling|filed|listed|come|comes|coming|classified|classed|categori[sz]ed) (?:under|into) (?=(?:the )?[A-Z\"'])", "in "),
    # rows by another name
    (r"\b(?:entries|records|rows) (?:in|of|on|from) the (?P<what>[a-z_]+(?: [a-z_]+)?)(?: table| list| log)?(?=\W*$|[,;.?!])", r"\g<what>"),
)  # fmt: skip
