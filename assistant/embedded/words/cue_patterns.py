"""The patterns of cues, kind by kind: what people say for "count", "more than", "sorted by", one pattern to a line.

What a found pattern is made into is in `cues`.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from typing import Literal

from assistant.embedded.words.vocabulary import NUMBER_WORDS, ORDINALS

CueKind = Literal[
    "count", "how_much", "sum", "average", "minimum", "maximum", "distinct", "best", "most", "common", "top", "compare",
    "above_average", "between", "or_more", "not", "without", "group", "grain", "share", "sort", "direction", "like",
    "chart", "place", "unit", "range", "part_of", "versus", "both", "or", "and", "with", "which", "all_columns", "part", "asked_grain", "duration", "ratio",
    "selling", "sold", "nothing", "same", "quality", "missing", "soon_after", "noise", "weekend", "as_zero", "difference", "unsupported",
]  # fmt: skip

_N = r"(?P<n>\d+|" + "|".join(NUMBER_WORDS) + ")"
PLACES = {
    word: n for n, name in ORDINALS.items() for word in (name, f"{n}{'nd' if n == 2 else 'rd' if n == 3 else 'th'}")
}
_PLACE = "(?P<o>" + "|".join(PLACES) + ")"
_FRACTION = r"(?:(?:a |one )?(?P<f1>half|third|quarter|fifth|tenth)|(?P<f2>\d{1,2}) percent)"
_UNIT = r"(?P<u>day|week|month|quarter|year)s?"
_ALONE = r"(?= (?:in|on|at|to|from|by|of|during|since|last|this|between)(?: |$)|$)"
_SORTED = "(?:sorted|sorting|ordered|ordering|arranged|ranked|listed)"
_DIRECTION = "ascending|descending|increasing|decreasing"
_PRICE = ("price", "cost", "rate", "fee", "fare", "premium", "charge", "amount")
_WORTH = ("value", "worth", *_PRICE)
SINCE = ("year", "founded", "opened", "built", "established", "constructed", "created", "launched", "introduced")
"""What says since when there has been something."""
_AGE = ("age", "birthdate", "birth date", "birth", "date")
_OLD = (*_AGE, *SINCE)
WHEN = ("date", "year", "time")
"""What a word such as "latest" speaks of."""
_PAY = ("salary", "wage", "pay", "income")
_LENGTH = (
    *("length", "duration", "distance", "milliseconds", "runtime", "pages", "minutes", "seconds", "hours"),
    *("km", "kilometers", "miles"),
)
_HEIGHT = ("height", "elevation", "altitude")
_WEIGHT = ("weight", "mass")
_SPEED = ("speed", "velocity")
_WIDTH = ("width", "breadth")
_PEOPLED = ("population", "inhabitants", "residents")
_ATTENDED = ("attendance", "attendees", "visitors", "spectators", "audience")
_MEASURED = (
    ("desc", "heavi", _WEIGHT),
    ("asc", "light", _WEIGHT),
    ("desc", "fast|quick", _SPEED),
    ("asc", "slow", _SPEED),
    ("desc", "wid|broad", _WIDTH),
    ("asc", "narrow", _WIDTH),
    ("desc", "thick", ("thickness", "pages")),
    ("asc", "thinn?", ("thickness", "pages")),
    ("desc", "deep", ("depth",)),
    ("asc", "shallow", ("depth",)),
)
"""Adjectives that say by themselves what is compared, and which end of it comes first."""
_THAN = {"desc": ">", "asc": "<"}
_QUALITIES = (
    ("old|young", _AGE),
    ("tall|high", _HEIGHT),
    ("long", _LENGTH),
    ("heavy", _WEIGHT),
    ("expensive|costly|cheap|dear|pricey", _PRICE),
    ("far", ("distance", "km", "kilometers", "miles")),
    ("fast", _SPEED),
    ("deep", ("depth",)),
    ("wide", _WIDTH),
    ("big|large", ("area", "size", "hectares", "acres", "surface", "sqm", "m2", "km2", "capacity", "population")),
)
_MEASURING = (
    (r"cost(?:s|ing)?", _PRICE),
    (r"(?:earn|make|get)(?:s|ing|ed)?|making|made|(?:is|are|being) paid", _PAY),
    (r"weigh(?:s|ing|ed)?", ("weight", "mass")),
    (r"(?:still )?(?:owe|owes|owed|owing)", ("outstanding", "owed", "due", "debt", "balance")),
    (r"(?:is |are |was |were )?worth", _WORTH),
    (
        r"(?:was |were |been |being )?(?:sold|bought|selling|sells?|going|went) (?:for|at)",
        ("sale price", "price", "amount"),
    ),
    (r"last(?:s|ing|ed)?", _LENGTH),
    (
        r"(?:accommodat|hous)(?:e|es|ing)|(?:hold|seat|sleep)(?:s|ing)?|(?:(?:have|has|having) |with )?(?:room|space) for",
        ("capacity", "occupancy", "seats"),
    ),
)
"""Verbs that say by themselves what is compared."""
_AMOUNTS: tuple[tuple[str, str], ...] = (
    (">", "(?:more than|over|above|greater than|higher than)"),
    ("<", "(?:less than|under|below|lower than)"),
    (">=", "(?:at least|no less than)"),
    ("<=", "(?:at most|up to|no more than)"),
)

_CUES: tuple[tuple[CueKind, str, str, tuple[str, ...]], ...] = (
    ("unsupported", "why", r"why|what (?:caused|drove|explains)|root cause|reason (?:for|behind)", ()),
    ("unsupported", "forecast", r"forecasts?|predict\w*|projection|will (?:be|we)|next (?:month|quarter|year|week)", ()),
    ("unsupported", "statistics", r"correlat\w*|regression|median|percentiles?|quartiles?|variance|standard deviation"
     r"|std ?dev\w*|outliers?|anomal\w*|distribution|histogram|significan\w*|cluster\w*|at risk", ()),
    ("unsupported", "growth", r"(?:grew|growth|grown|growing|grow(?= (?:in|by|from|over|since|compared|the most|most|faster|fastest|last|this|per|each|every|month|year)(?: |$)))(?! up\b)|declined?|declining|dropped|fell|fallen|rose|risen"
     r"|increase[ds]?|decrease[ds]?|change[ds]?|year over year|yoy|month over month|mom|vs last \w+|compared? (?:to|with) (?:last|the previous) \w+", ()),
    ("unsupported", "together", r"(?:often |usually |frequently |commonly |most )?(?:bought|purchased|sold|ordered|rented) together|market basket", ()),
    ("unsupported", "what_if", r"what if|what would(?= .*\bhave (?:been|made|earned|had)\b)", ()),
    ("unsupported", "running", r"cumulative|running (?:total|sum)|moving average|rolling|cohorts?|retention", ()),
    ("count", "", r"how many(?: different| distinct| unique| total)?|(?:the )?(?:total )?(?:numbers?|counts?|no) of(?: different| distinct| unique)?|how often|count(?: up)?(?: the)?(?: total)? (?:number|count) of(?: different| distinct| unique)?|count(?: of| up)?(?: the)?|# of|(?:the )?frequency(?: of)?"
     r"|(?:the )?(?:corresponding )?(?:number(?: of times)?|counts)$", ()),
    ("count", "too", r"(?:the )?(?:total )?(?:number|count)(?= and (?:the )?(?:average|mean|avg|total|sum|max|min|maximum|minimum|highest|lowest) )", ()),
    ("how_much", "", r"how much(?: money| cash)?|what(?= did (?:we|they|you|i) (?:spend|pay|earn)(?: |$))", ()),
    *(("quality", "", rf"how (?:{adjective})", hints) for adjective, hints in _QUALITIES),
    ("share", "", r"(?:the )?(?:share|percentage|percent|proportion|fraction) of(?: total| the total| all)?|(?:what|which) (?:percentage|percent|share|proportion|fraction)(?: of)?", ()),
    ("share", "after", r"(?!in part\b)(?:as|in) (?:an? |the )?(?:part|proportion|percentages?|percent|per cent|shares?)(?: of (?:the )?(?:grand )?(?:total|whole|sum)|(?! of))|share", ()),
    ("all_columns", "", r"all (?:the )?(?:information|details?|data|columns|fields|info)(?: about| on| of| for| regarding)?|(?:all )?(?:the )?(?:information|info)(?: about| on| of| for)?|everything about|full details of|(?:the )?details? (?:about|of|for)", ()),
    ("distinct", "", r"distinct|different|unique", ()),
    ("part_of", ">", rf"(?:more than|over|above|at least) {_FRACTION} of(?: (?:the|our|all|total))*", ()),
    ("part_of", "<", rf"(?:less than|under|below|at most) {_FRACTION} of(?: (?:the|our|all|total))*", ()),
    ("range", "", r"(?:groups?|ranges?|bands?|brackets?|buckets?|intervals?|tiers?|class|classes)", ()),
    ("unit", "", r"(?:measured |expressed |given )?in (?P<m>milliseconds|seconds|minutes|hours|days|weeks|kb|mb|gb|kilobytes|megabytes|gigabytes|km|kilomet(?:er|re)s|met(?:er|re)s|kg|kilograms|tons|tonnes)"
     r"(?= (?:by|per|for|of|and|across|on|did|does|do|is|it|to|from|between|until|last|this)(?: |$)|$)", ()),
    ("place", "", rf"(?:the )?{_PLACE}(?= (?:most|least|fewest|best|worst|top|bottom|highest|lowest|largest|smallest|biggest|greatest|longest"
     r"|shortest|oldest|youngest|newest|latest|earliest|strongest|weakest|tallest|heaviest|lightest|fastest|slowest|widest|deepest|cheapest|priciest)(?: |$))", ()),
    ("top", "desc", rf"(?:the )?(?:top|first|best|leading|biggest|largest) {_N}", ()),
    ("top", "asc", rf"(?:the )?(?:bottom|worst|lowest|last) {_N}(?! (?:day|week|month|quarter|year)s?\b)", ()),
    ("top", "desc", r"(?:the )?top", ()),
    ("top", "asc", r"(?:the )?bottom", ()),
    ("common", "desc", r"(?:the )?most (?:common|frequent|popular|frequently|commonly)(?:ly)?(?: used)?", ()),
    ("common", "desc", r"(?:the )?(?:busiest|most active)", ()),
    ("common", "asc", r"(?:the )?(?:quietest|least (?:busy|active))", ()),
    ("common", "asc", r"(?:the )?least (?:common|frequent|popular|frequently|commonly)(?:ly)?(?: used)?", ()),
    ("best", "desc", r"(?:the )?most (?:expensive|costly)|(?:the )?(?:priciest|costliest|dearest)", _PRICE),
    ("best", "desc", r"(?:the )?most valuable", _WORTH),
    ("best", "asc", r"(?:the )?least valuable", _WORTH),
    ("best", "asc", r"(?:the )?least (?:expensive|costly)|(?:the )?cheapest", _PRICE),
    ("best", "desc", r"(?:the )?most (?:populous|populated)", _PEOPLED),
    ("best", "asc", r"(?:the )?least (?:populous|populated)", _PEOPLED),
    ("best", "desc", r"(?:the )?(?:best|most|highest)[- ]attended", _ATTENDED),
    ("best", "asc", r"(?:the )?(?:worst|least|lowest)[- ]attended", _ATTENDED),
    ("best", "desc", r"last$", WHEN),
    ("best", "desc", r"(?:at )?(?:the )?(?:most recent(?:ly)?|latest|newest)(?: time)?", WHEN),
    ("best", "asc", r"(?:at )?(?:the )?earliest(?: time)?", WHEN),
    ("best", "old", r"(?:the )?(?:oldest|eldest)", _OLD),
    ("best", "young", r"(?:the )?youngest", _OLD),
    ("best", "asc", r"(?:the )?longest serving", WHEN),
    ("best", "desc", r"(?:the )?longest", _LENGTH),
    ("best", "asc", r"(?:the )?shortest", (*_LENGTH, "height")),
    ("best", "desc", r"(?:the )?(?:highest|best)[- ](?:paid|earning)", _PAY),
    ("best", "asc", r"(?:the )?(?:lowest|worst)[- ](?:paid|earning)", _PAY),
    ("best", "desc", r"(?:the )?tallest", _HEIGHT),
    *(("best", end, rf"(?:the )?(?:{adj})est(?! (?:lap|time))", hints) for end, adj, hints in _MEASURED),
    ("most", "desc", r"(?:the )?(?:most|highest|largest|greatest|biggest|maximum) (?:number|amount) of", ()),
    ("most", "asc", r"(?:the )?(?:least|lowest|smallest|minimum|fewest) (?:number|amount) of|(?:the )?fewest", ()),
    ("best", "desc", r"(?:the )?(?:highest|largest|biggest|greatest|best|strongest)(?: single)?", ()),
    ("best", "asc", r"(?:the )?(?:lowest|smallest|worst|weakest)(?: single)?", ()),
    ("most", "desc", r"(?:the )?most", ()),
    ("most", "asc", r"(?:the )?least", ()),
    ("average", "", r"(?:the )?(?:average|mean|avg)(?: of)?|on average(?: how (?:large|big|high|great|small|low))?", ()),
    ("sum", "", r"(?:the )?(?:total|sum|combined|overall)(?: of| amount of)?", ()),
    ("maximum", "", r"(?:the )?(?:maximum|max)(?: of)?", ()),
    ("minimum", "", r"(?:the )?(?:minimum|min)(?: of)?", ()),
    ("above_average", ">", r"(?:more expensive|costlier) than (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", _PRICE),
    ("above_average", "<", r"(?:less expensive|cheaper) than (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", _PRICE),
    ("above_average", ">", r"(?:that |which |who )?costs? (?:more than|above) (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", _PRICE),
    ("above_average", "<", r"(?:that |which |who )?costs? (?:less than|below) (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", _PRICE),
    ("above_average", ">", r"(?:that |which |who )?(?:earns?|earning|makes?|(?:is|are) paid) (?:more than|above) (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", _PAY),
    ("above_average", "<", r"(?:that |which |who )?(?:earns?|earning|makes?|(?:is|are) paid) (?:less than|below) (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", _PAY),
    ("above_average", ">", r"older than (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", ("age",)),
    ("above_average", "<", r"younger than (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", ("age",)),
    ("above_average", ">", r"taller than (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", _HEIGHT),
    *(("above_average", _THAN[end], rf"(?:{adj})er than (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", hints) for end, adj, hints in _MEASURED),
    ("above_average", ">", r"(?:last(?:s|ing)? |takes? |taking )?longer than (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", _LENGTH),
    ("above_average", "<", r"shorter than (?:the |an )?(?:average|mean)(?: of all(?: the)?)?", (*_LENGTH, "height")),
    ("above_average", "<=", r"(?:at most|at or below|no (?:more|higher|larger|greater|bigger) than|not (?:above|over|more than|higher than)) (?:the |an )?(?:overall )?(?:average|mean)(?: of all(?: the)?)?", ()),
    ("above_average", ">=", r"(?:at least|at or above|no (?:less|lower|smaller|fewer) than|not (?:below|under|less than|lower than)) (?:the |an )?(?:overall )?(?:average|mean)(?: of all(?: the)?)?", ()),
    ("above_average", ">", r"(?:above|over|exceed(?:s|ed|ing)?|(?:more|higher|greater|larger|bigger|better) than) (?:the |an )?(?:overall )?(?:average|mean)(?: of all(?: the)?)?", ()),
    ("above_average", "<", r"(?:below|under|(?:less|lower|smaller) than) (?:the |an )?(?:overall )?(?:average|mean)(?: of all(?: the)?)?", ()),
    ("compare", ">", r"more expensive than|costlier than", _PRICE),
    ("compare", "<", r"cheaper than|less expensive than", _PRICE),
    *(
        ("compare", operator, rf"(?:that |which |who )?(?:can )?(?:{verb}) {amount}", hints)
        for verb, hints in _MEASURING
        for operator, amount in _AMOUNTS
    ),
    ("compare", "older", r"older(?: than|(?= \d))", _AGE),
    ("compare", "younger", r"younger(?: than|(?= \d))", _AGE),
    ("compare", "younger", r"newer than(?= \d)", _AGE),
    ("compare", ">", r"longer than", _LENGTH),
    ("compare", "<", r"shorter than", (*_LENGTH, "height")),
    ("compare", ">", r"taller than", _HEIGHT),
    *(("compare", _THAN[end], rf"(?:{adj})er than", hints) for end, adj, hints in _MEASURED),
    ("compare", "<=", r"(?:no|not) more than|at most|up to|(?:less|lower|smaller|fewer) than or equal to|maximum of|not exceeding", ()),
    ("compare", ">=", r"no less than|not less than|no fewer than|at least|(?:greater|more|larger|higher|bigger) than or equal to|minimum of|a minimum of", ()),
    ("compare", ">=", r"reach(?:ed|es|ing)?(?= \d)", ()),
    ("compare", ">", r"(?:more|greater|larger|higher|bigger|better) than|over|above|exceed(?:s|ed|ing)?|(?:greater|higher|larger|bigger)(?= \d)", ()),
    ("compare", "<", r"(?:less|fewer|smaller|lower|worse) than|below|under|(?:less|lower|smaller)(?= \d)", ()),
    ("compare", "later", r"later than|after", ()),
    ("compare", "earlier", r"earlier than|before|prior to", ()),
    ("compare", "=", r"exactly|equals?(?: to)?|equal to|precisely", ()),
    *(("between", "", rf"(?:that |which |who )?(?:can )?(?:{verb}) between", hints) for verb, hints in _MEASURING),
    ("between", "", r"between|in the range (?:of|from)|ranging from", ()),
    ("or_more", ">=", r"or (?:more|higher|above|greater|over|longer|older|later|after|newer)(?! (?:than|\d|the ))|and (?:more|above|over|up|later)(?! (?:than|\d))", ()),
    ("or_more", "<=", r"or (?:less|fewer|lower|below|under|shorter|younger|earlier|before)(?! (?:than|\d|the ))|and (?:less|fewer|below|under|earlier)(?! (?:than|\d))", ()),
    ("or_more", ">=", r"years? (?:old|of age) (?:or|and) (?:older|more|over|above|up)", _AGE),
    ("or_more", "<=", r"years? (?:old|of age) (?:or|and) (?:younger|less|under|below)", _AGE),
    ("or_more", "=", r"years? (?:old|of age)", _AGE),
    ("without", "", r"(?:that|who|which)? ?(?:(?:have|has|had|did|do|does|were|was|are|is|can|could|will|would)(?: not| never)|cannot)(?: (?:ever|be|yet|been|have|had|placed?|made?|make|took|take|bought|buy|received?))*(?: any| a| an)?"
     r"|(?:(?:do|does|did|have|has|are|is|were|was|could|would|ca|wo)n't|(?:do|does|did|have|has|are|is|were|was)nt|never|without|lacking)(?: (?:ever|be|had|have|having|been|placed?|made?|bought|received?|yet))*(?: any| (?:an?|even one)(?: single)?| one(?= (?:in|on|at|from|with|of|by|for|to) ))?"
     r"|(?:have|has|had|with|there (?:is|are)|having|where|but|and) (?:no|zero)|(?:that |which |who )?(?:nobody|no one|noone)(?: (?:has|have|had|ever|else|yet))*|no(?! more| less| fewer| of| one(?: |$))|(?:is |are |was |were )?(?:free (?:of|from)|unaffected by)(?: any)?", ()),
    ("missing", "", r"(?:(?:is|are|was|were) )?(?:null|missing|empty|blank|undefined|unknown)|(?:is|are|was|were) (?:not|never) (?:set|given|known|specified|recorded|filled in)", ()),
    ("missing", "present", r"(?:is|are|was|were)(?: not|n't) (?:null|missing|empty|blank|unknown)", ()),
    ("nothing", "", r"nothing(?: at all)?", ()),
    ("not", "", r"(?:but )?not including|(?:(?:is|are|was|were|that|which|who|have|has) )*neither|not|non|except(?: for)?|excluding|exclude|other than|apart from|besides|outside(?: of)?|but not|ignoring|leaving out|minus|but none(?: of (?:them|these|those))?(?: (?:that|which|who)(?: (?:is|are|was|were))?)?", ()),
    ("grain", "", rf"(?:(?:split |broken down |grouped |broken out )?by|per|each|every|for each|for every|in each|of each|on each) (?:calendar )?{_UNIT}", ()),
    ("grain", "", rf"and (?:by |per )?{_UNIT}(?<!s)", ()),
    ("grain", "", r"(?P<w>daily|weekly|monthly|quarterly|yearly|annual|annually)", ()),
    ("grain", "month", r"over time|trend (?:of|in|for)|time series(?: of)?|(?:monthly )?trends?|month by month", ()),
    ("part", "weekday", r"(?:by|per|each|every|on each|for each|in each|of each|on every|across) (?:the )?(?:days? of (?:the )?week|weekdays?|week days?)", ()),
    ("part", "hour", r"(?:by|per|each|every|for each|in each|at each|across) (?:the )?(?:hours?(?: of (?:the )?day)?|times? of (?:the )?day)", ()),
    ("part", "calendar month", r"(?:by|per|for each|in each|across) (?:the )?months? of (?:the|a) year", ()),
    ("part", "weekday asked", r"(?:on )?(?:which|what) (?:days? of (?:the )?week|weekdays?)", ()),
    ("part", "hour asked", r"(?:at |in |during )?(?:which|what) (?:hours?(?: of (?:the )?day)?|times? of (?:the )?day)", ()),
    ("asked_grain", "", rf"(?:in |during |on )?(?:which|what) {_UNIT}", ()),
    ("duration", "", r"(?:how many |how much |the )?(?:number of )?(?:days|(?P<m1>hours|minutes|weeks)|time|duration|delay|lag|gap|length of time)(?: (?:it takes|taken|elapsed|passed|needed))?(?: (?:on average )?(?:pass(?:es)?|elapse|lie|go by|are there|were there|is there)(?: on average)?| on average pass)?(?: in (?P<m2>days|hours|minutes|weeks))? (?:between|from)", ()),
    ("duration", "", r"how (?:many days|long)(?: (?:does|did|do) (?:it|we|they) (?:usually |typically )?take(?: us)?(?: (?:on average|usually|typically))?| is it| was it)? (?:between|from)", ()),
    ("duration", "verb", r"(?:how (?:many days|long)(?: on average)?|(?:the )?(?:number of )?(?:days|time)) (?:(?:does|did|do) (?:it|we) take|(?:it|we) takes?|needed|taken|it took)(?: us)?(?: (?:on average|usually|typically))?(?: to| until| till| before)?"
     r"|(?:days|time) (?:needed |required |taken )?(?:to|until|till)|how long (?:does|did|do)(?= (?:the )?(?:\w+ing|delivery|shipment|payment|resolution)\b)", ()),
    ("ratio", "", r"(?:the )?ratio (?:of|between)", ()),
    ("ratio", "percent", r"(?:as|in) (?:an? |the )?(?:percentages?|percent|per cent|shares?) of", ()),
    ("difference", "", r"(?:the )?differences? (?:between|of|from|in)(?: the)?", ()),
    *(
        ("soon_after", "", rf"{amount} {_N} {_UNIT} (?:after|later than|past)(?: (?:the|their|its|his|her|being))*", (operator,))
        for operator, amount in _AMOUNTS
    ),
    ("soon_after", "", rf"(?:with)?in (?:the first )?(?:{_N}|a|one) {_UNIT} (?:of|after|from|following)(?: (?:the|their|its|his|her|being|having))*", ()),
    ("soon_after", "", rf"within (?:{_N}|a|one) {_UNIT}(?! (?:of|after|from|following)(?: |$))", ("soon",)),
    *(
        ("weekend", str(n), rf"(?:made |done |placed )?on (?:a |an |any |every )?{day}s?", ())
        for n, day in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), 1)
    ),
    ("weekend", "", r"(?:on |at |during )?(?:the )?weekends?(?: days?)?", ()),
    ("weekend", "not", r"(?:on|during) (?:week ?days|working days|business days)(?: only)?|(?:weekdays|working days|business days) only", ()),
    ("as_zero", "", r"(?:treating|counting|considering|taking|with|treat|count|consider) (?:all |any |the )?(?:missing|null|nulls|empty|unknown)(?: \w+){0,3} as (?:zero|0)", ()),
    ("noise", "", r"side by side|(?:counting|considering|looking at|taking) only|due to|owing to|(?:have |has |had )?(?:take|takes|taking|taken|took) place|(?:using |with )?(?:a )?case[- ]insensitive(?:ly)?(?: (?:match|matching|search|comparison))?|(?:ignoring|regardless of|irrespective of) (?:the )?(?:letter )?case|respectively", ()),
    ("selling", "desc", r"(?:the )?(?:best|top|most)[- ](?:selling|sold)", ()),
    ("selling", "asc", r"(?:the )?(?:worst|least)[- ](?:selling|sold)", ()),
    ("selling", "desc", rf"(?:sells?|sold|bought) (?:the )?(?:most|best){_ALONE}", ()),
    ("selling", "asc", rf"(?:sells?|sold|bought) (?:the )?(?:least|worst){_ALONE}", ()),
    ("sold", "", r"(?:(?:were|was|are|is|we|been|being) )?sold", ()),
    ("group", "each", r"(?:in|for|of|across|from|with) (?:the )?(?:different|various)|for each(?: of the)?|for every|in each|of each|from each|on each|by each|each|every|per", ()),
    ("sort", "", rf"(?:{_SORTED} )?by (?:the )?(?P<d3>{_DIRECTION})(?! order)|(?:and )?(?:grouped and )?(?:{_SORTED}|sort|order) (?:the )?(?:\w+ )?(?:first )?(?:by|using|according to|based on)(?: the order of)?|in (?:the )?order of|(?:{_SORTED} )?(?:in|by) (?:the |an? )?(?P<d2>{_DIRECTION}) order (?:of|by|using|according to|based on)(?: the(?:ir)?)?|{_SORTED} (?:in )?(?P<d1>{_DIRECTION})(?: order)? (?:by|of)", ()),
    ("sort", "asc", r"(?:sorted |ordered |listed )?alphabetically(?: by)?|(?:sorted |ordered |listed |arranged )?in (?:the |an )?(?:alphabetical|lexicographic(?:al)?|alphabetic) order(?: of| by)?|in ascending (?:alphabetical )?order(?: by| of)?|(?:sorted|ordered) ascending", ()),
    ("sort", "desc", r"in descending (?:alphabetical )?order(?: by| of)?|(?:sorted|ordered) descending|in (?:the )?reversed?(?: (?:alphabetical|lexicographic(?:al)?))? order(?: of| by)?", ()),
    ("direction", "desc", rf"(?:{_SORTED} )?(?:(?:in|by) )?(?:an? |the )?(?:descending|decreasing)(?: (?:order|manner|fashion))?|desc|(?:(?:sorted |ordered |ranked )?from )?(?:highest|largest|biggest|most|newest|latest)(?: (?P<a1>average|total|number|count))? (?:first|to (?:lowest|least|smallest|fewest))|from high to low|from (?:large|big) to small|(?:{_SORTED} )?from (?:the )?(?:greatest|largest|highest|biggest|most)(?: \w+)? to (?:the )?(?:least|smallest|lowest|fewest)(?: ones?)?"
     r"|starting (?:from|with) the (?:most recent|latest|newest|highest|largest)(?: ones?)?|(?:the )?most (?:(?!populous)\w+s|(?:frequent|common|popular|numerous)(?: \w+)?) first", ()),
    ("direction", "asc", rf"(?:{_SORTED} )?(?:(?:in|by) )?(?:an? |the )?(?:ascending|increasing)(?: (?:order|manner|fashion))?|asc|(?:(?:sorted |ordered |ranked )?from )?(?:lowest|smallest|least|fewest|oldest|earliest)(?: (?P<a2>average|total|number|count))? (?:first|to (?:highest|most|largest))|from low to high|from small to (?:large|big)|(?:{_SORTED} )?from (?:the )?(?:least|smallest|lowest|fewest)(?: \w+)? to (?:the )?(?:greatest|largest|highest|biggest|most)(?: ones?)?|in order"
     r"|starting (?:from|with) the (?:oldest|earliest|lowest|smallest)(?: ones?)?|(?:the )?(?:least|fewest) (?:(?!populous)\w+s|(?:frequent|common|popular|numerous)(?: \w+)?) first", ()),
    ("group", "by", r"broken down by|split by|grouped by|group by|break down by|breakdown by|by|across|in terms of|differs? (?:between|by|across|from)|var(?:y|ies) (?:between|by|across)|based on|according to|measured by|for (?:all|the) (?:different|various)|depending on", ()),
    ("like", "contains", r"(?:the )?letters?(?= [^\s\0]+ in (?:the|its|their|his|her) )|(?:that )?(?:ha(?:s|ve)|mention(?:s|ed|ing)?) (?:the )?(?:\w+ )?(?:word|phrase|substring|letters?)|with the (?:letters?|word|phrase)|(?:that |which )?(?:contain|contains|contained|containing|include|includes|including)(?: (?:the |a )?(?:\w+ )?(?:word|text|string|letters?|substring|phrase|digits?|characters?))?|matching|(?:that |which )?(?:mention(?:s|ing)?|refer(?:s|ring)? to)|like(?! to )", ()),
    ("like", "starts", r"(?:that |which )?(?:start|starts|starting|begin|begins|beginning) (?:with|from(?= \0))(?: the letters?)?", ()),
    ("like", "ends", r"(?:that |which )?(?:end|ends|ending) (?:with|in(?! (?:an?|the) ))(?: the letters?)?", ()),
    ("chart", "bar", r"(?:as |in |with |on )?(?:a |an )?(?:bar|column) (?:chart|graph|plot)|as bars", ()),
    ("chart", "line", r"(?:as |in |with |on )?(?:a |an )?line (?:chart|graph|plot)|as (?:a )?lines?", ()),
    ("chart", "area", r"(?:as |in )?(?:a |an )?area (?:chart|graph|plot)", ()),
    ("chart", "pie", r"(?:as |in )?(?:a |an )?(?:pie|donut|doughnut) (?:chart|graph|plot)?", ()),
    ("chart", "scatter", r"(?:as |in )?(?:a |an )?scatter ?(?:chart|graph|plot)?", ()),
    ("chart", "none", r"(?:as )?(?:a |just a |only a )?table only|as a table|without (?:a )?chart|no chart", ()),
    ("chart", "", r"(?:as |in |with |on )?(?:a |an )?(?:chart|graph|plot)(?: of)?|visuali[sz]e|draw", ()),
    ("versus", "", r"versus|vs|compared? (?:to|with)|compare|against|comparison of", ()),
    ("with", "", r"(?:that |who |which )(?:have|has|had)|with|having|whose|where|starring|featuring", ()),
    ("which", "", r"which|who|whose|what(?= \w+ (?:do|does|did|are|is|has|have)\b)", ()),
    ("same", "", r"(?:the )?same", ()),
    ("both", "", r"both|not only|shared (?:by|among|between)|in common (?:for|to)", ()),
    ("or", "", r"n?or", ()),
    ("and", "", r"and|as well as|plus|but also|including(?= (?:the )?(?:number|count|total|average) )", ()),
)  # fmt: skip
COMPILED: tuple[tuple[CueKind, str, re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (kind, argument, re.compile(rf"(?:{pattern})(?= |$)"), hints) for kind, argument, pattern, hints in _CUES
)

REASONS = {
    "why": "I can split a change by its parts: say which figure, as in “why did revenue fall in March?”.",
    "forecast": "I can carry a figure forward: say which and how far, as in “forecast revenue for the next 3 months”.",
    "statistics": "I read statistics as questions of their own: “distribution of the price”, “correlation between price "
    "and quantity”, “outliers in the price”; say which number columns you mean.",
    "growth": "I can follow one figure over time: say which, as in “growth of revenue by month” or “compare revenue "
    "with last year”.",
    "running": "I can add a figure up over time, as in “running total of revenue by month”; not moving averages, ranks "
    "or cohorts.",
    "together": "I do not look for pairs; name one of the two, as in “which products are bought together with tea”.",
    "what_if": "I tell what was, not what would have been.",
}
"""What the analyst says where a question of a kind that the studies answer is not worded as one of them."""
