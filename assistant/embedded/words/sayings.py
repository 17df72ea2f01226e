"""How people say it around what they ask: "I'd like to see ...", "count the ...", "from most to least", put plainly.

Each rule changes words alone, in order, and never what is asked for. What needs the names of the data, such as a wish
said behind ("..., names only, no duplicates"), is in `wishes`; orders are in `arrangement`, amounts in `reckoning`.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Callable

from assistant.embedded.words import which_rows
from assistant.embedded.words.arrangement import arranged
from assistant.embedded.words.asked_last import asked_first
from assistant.embedded.words.lexicon import singular
from assistant.embedded.words.reckoning import reckoned
from assistant.embedded.words.rewriting import compiled, rewritten
from assistant.embedded.words.several_figures import together

_I = r"(?:i|we|i'd|we'd)"
_TO = r"(?: to (?:see|know|have|get|find(?: out)?|view|look at|learn|check|understand|be told|be shown)(?: about)?)?"
_WISHED = (
    rf"(?:(?:i|we)(?:'d| would) (?:like|love|want|need){_TO}|(?:i|we) (?:want|need|wish|require){_TO}"
    r"|(?:(?:i|we)(?:'m| am|'re| are) )?(?:looking for|trying to (?:find(?: out)?|get|see|know)|interested in)|(?:i|we)(?:'m| am|'re| are) after)"
)
_ASKING = r"(?:how (?:many|much|long|often|old)|what|which|who|whose|when|where|if|whether)"
_LEAST = r"(?:smallest|lowest|least|fewest|shortest|lightest|youngest|cheapest|slowest|earliest|oldest|newest|latest)"
_TOP = r"(?:biggest|highest|largest|greatest|most|best)"
_LOW = r"(?:smallest|lowest|least|fewest|worst)"
_SORTED = r"(?:,? (?:sorted|ordered|ranked|listed|arranged|going|running|starting))?,?"

_ONE = r"(?:(?:the )?ones? (?:with|that has|that have|having)|those (?:with|that have|having))"


def _which_of_those(found: re.Match[str]) -> str:
    """ "of the products launched in 2025, which one": which product launched in 2025."""
    rows = found["rows"] if found["many"].lower() == "ones" else singular(found["rows"])
    return f"which {rows}{found['those']} "


def _spent_on(found: re.Match[str]) -> str:
    """ "how much do we spend on marketing a month": marketing spend by month."""
    return f"{found['what']} spend by {found['unit']}" if found["unit"] else f"{found['what']} spend"


def _on_average(found: re.Match[str]) -> str:
    """ "how many products are in an order on average"; "how many guests are in the hotel" has nothing to average."""
    if not (found["kind"] or found["mean"]):
        return found[0]
    return f"average number of {found['rows']} per {found['one']}{found['rest']}"


def _more_than_others(found: re.Match[str]) -> str:
    """ "which clerk handled more rentals", where nobody is named whom this is more than."""
    return f"{found['who']} the {'most' if found['more'].lower() == 'more' else 'fewest'} {found['what']}"


_RULES: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    # what opens a request
    (r"^(?:hi|hello|hey|ok|okay|well|so|um|and)(?: there)?[,!.]? (?=\w)", ""),
    (rf"^(?:please,? )?{_WISHED},? (?={_ASKING}\b)", ""),
    (rf"^(?:please,? )?{_WISHED},? ", "show "),
    (rf"(?<=[,;:.?!])(?: and| so)? (?:please )?{_WISHED},? (?={_ASKING}\b)", " "),
    (rf"(?<=,) (?:please )?(?:{_WISHED}|show me|give me|tell me),? (?=\w)", " "),
    (rf"(?<=[;:.?!])(?: and| so)? {_WISHED},? ", " show "),
    (r"(?<=[.?!;]) (?:i|we) (?:only|just) (?:need|want)(?: to (?:know|see))? ", " show "),
    (r"(?<=[.?!;]) (?P<what>(?:its|the|their|his|her) [\w ]+?) (?:is|are|will be) (?:enough|fine|sufficient|all (?:i|we) need)(?=\W*$)", r" show \g<what>"),
    (r"^(?:looking|going|running|counting) (?:just |only )?(?:at|through|over|across) (?:all )?(?:of )?(?P<of>[^,]+), (?=\w)", r"for \g<of>, "),
    (r"^(?:considering|taking|given|regarding|concerning|as for|when it comes to) (?P<of>[^,]+), (?=\w)", r"for \g<of>, "),
    (r"^(?:all|all (?:of )?(?:the|our)) (?P<of>[a-z][\w ]*?) (?:added|taken|put|counted|combined)(?: up)?(?: together)?, (?=(?:what|how)\b)", r"for all \g<of>, "),
    (r"^take (?P<of>[^,:;]+)[:;] (?=\w)", r"for \g<of>, "),
    # each once
    (r"^(?P<lead>(?:(?:please|show|list|give|me|all|the) )*)(?P<what>[a-z][\w ]*?),? (?:without|with no|minus) (?:any )?(?:repeats?|repetitions?|duplicates?|doubles),? (?=(?:of|from|for|sorted|ordered|in|who|that|where|with|by)\b)", r"\g<lead>different \g<what> "),
    (r"^(?P<lead>(?:please )?(?:show|list|give|name)(?: me)?),? (?:once each|each(?: just| only)? once),? (?:all )?(?:the )?(?=[a-z])", r"\g<lead> the different "),
    # where the first among others is, said in front
    (rf"^(?:in|at|within|inside) (?P<of>the [a-z]+(?: [a-z]+)? (?:with|that has|which has|having) the (?:{_TOP}|{_LEAST}|most \w+|least \w+) [\w ]*?), (?P<ask>(?:what|how|which|who)\b.*?)(?P<end>\W*)$", r"\g<ask> in \g<of>\g<end>"),
    (r"^since (?:when|what (?:date|day|time|year)|which (?:date|day|year)) (?:has|have|is|are) (?P<who>.+?) (?:been )?(?P<what>an? [a-z]+)(?=\W*$)", r"when did \g<who> become \g<what>"),
    (r"\b(?:in|under) the (?:care|charge|hands) of (?=(?:each|every|the|an?)\b)", "of "),
    (r"\b(?:put|puts|putting) (?:their |his |her |some |any )?money in(?:to)?\b", "invested in"),
    (r"\b(?P<going>fly|flies|flying|flew|go|goes|going|went|sail|sails|sailing|land|lands|landing|run|runs|running|travel|travels|travelling) into (?-i:(?=[A-Z]))", r"\g<going> to "),
    # counting
    (r"^(?:please )?(?:count|tally)(?: up)?(?: all| each| every)?(?: of)?(?: the| our| all)*(?= \w)", "number of"),
    (r"^(?:the )?(?P<one>[a-z]+) head ?count\b", r"number of \g<one>s"),
    (r"^what (?:do|does|did) (?P<all>.+?) (?:(?:add|sum) up|come|amount) to(?: (?:in total|altogether|all together|in all))?, and what is (?:the|their) average(?P<rest>\W*)$", r"total and average of \g<all>\g<rest>"),
    (r"^what (?:do|does|did) (?P<all>.+?) (?:(?:add|sum) up|come|amount) to(?: (?:in total|altogether|all together|in all))?(?P<rest>\W*)$", r"total of \g<all>\g<rest>"),
    (r"^(?:please )?(?:add|sum|total) up (?=\w)", "total of "),
    (r"\b(?P<n>\d+) ?\+(?= [a-z])", r"at least \g<n>"),
    (r"\b(?P<verb>costing|priced(?: at)?|worth|aged|weighing|measuring|scoring|earning|owing) (?P<low>\d[\d.,]*) (?:to|-|–|and) (?P<high>\d[\d.,]*)", r"\g<verb> between \g<low> and \g<high>"),
    (r"^(?P<rows>[a-z][\w ]*?),? (?:counted|tallied) (?:by|per) ", r"number of \g<rows> by "),
    # all there is
    (r"\b(?:everyone|everybody)'s (?P<what>\w+(?: \w+)?(?: and \w+)*)", r"\g<what> of all people"),
    (r"\b(?:everyone|everybody)(?= who| that| living| working| staying| from| aged| born|\W*$)", "all people"),
    (r"\beverything (?:we (?:have|know) )?(?:on|about) ", "all details of "),
    (r"^(?:show )?(?:the )?(?:full|complete|whole|entire) (?P<rows>[\w ]+?) records?\b", r"show all columns of the \g<rows>"),
    (r"\b(?P<done>located|based|situated|held|living|live|lives|stored|kept|made|born)(?: in| at)? (?:somewhere|anywhere) (?:other than|but|except(?: for)?|outside(?: of)?)(?: in| at)? ", r"not \g<done> in "),
    (r"\b(?:the |a )?(?:full|complete|whole|entire) (?:records?|rows?|entr(?:y|ies)) (?:of|for|on) (?=\w)", "all details of "),
    (r"\b(?P<first>first|given),? (?:(?P<middle>middle),? )(?:and|\+|&) (?P<last>last|family)(?: names?)?(?=\W*$)", r"\g<first> name, \g<middle> name and \g<last> name"),
    (r"\bpieces? of (?=(?:furniture|equipment|luggage|clothing|jewell?ery|software|hardware|machinery|land|music|art)\b)", ""),
    (r"\b(?:some|any|every)(?:thing|where|one|body) (?:other than|but(?! (?:are|is|was|were|never|not|no|have|has|had|do|does|did)\b)|except(?: for)?|apart from)\b", "other than"),
    (r"\b(?:any|every|all) (?P<one>\w+) (?:but|except(?: for)?|apart from) ", r"\g<one> other than "),
    (r"(?<=[.?!;]) (?:please )?(?:list|show|name|give)(?: me)? (?:them|these|those|each(?: one| of them)?)(?: all)? by name(?=\W*$)", " Show their names"),
    (r"(?<=[.?!;,]) (?P<what>(?:the|its|their) [\w ]+?) (?:is|are) what (?:i|we)(?:'m| am|'re| are)? (?:after|need|want|looking for|interested in)(?=\W*$)", r" show \g<what>"),
    (r"^(?:please )?identify (?=\w)", "show "),
    (r", giving (?=(?:its|their|his|her|the)\b)", ". Show "),
    (r"\bevery single (?=[a-z])", "every "),
    (r"\b(?:leaving|leave) out (?:any |the |all )?(?:duplicates?|repeats?|repetitions?|doubles)\b", "no duplicates"),
    (r"^(?:show |tell me |explain )?how (?P<what>(?:the|our|each|every|all)\b[^,;.?!]+?) (?:is|are) described(?=\W*$)", r"the description of \g<what>"),
    (r"\b(?:the )?commonest\b", "the most common"),
    (r"\b(?P<of>most (?:common|frequent|popular) (?P<kind>[a-z]+) (?:of|for|among) (?:the |our |all )*(?P<rows>[a-z]+)),? and how many (?:of them )?(?:(?:are|are there|there are|is|have|has) )?(?:of|in|with|have|has)? ?(?:that|this|it)(?: (?P=kind))?(?=\W*$)", r"\g<of> and the number of \g<rows>"),
    (r"^(?:in|at|on|from|for|to) (?P<asked>(?:which|what) (?P<group>[a-z]+) (?:do|does|did|are|is|were|was) (?:the )?(?:most|(?:greatest|highest|largest) number of) (?P<rows>[a-z]+)(?: (?:live|work|sit|stay|study|play|stand|lie|come from|take place|happen|there))?),? and how many (?:is that|are there|are they|is it)(?=\W*$)", r"\g<group> with the most \g<rows> and the number of \g<rows>"),
    (r"\b(?P<kind>called|named|titled|entitled) (?P<word>data|databases?|tables?|records?|results?|reports?|business)(?=\W|$)", r'\g<kind> "\g<word>"'),
    (r"\b(?:based|headquartered) in (?-i:(?=[A-Z]))", "in "),
    (r",? (?:by )?(?!(?:one|side|step|bit|little|day)\b)(?P<what>[a-z]{4,}) by (?P=what)\b", r" by \g<what>"),
    (r"^(?:(?:show|the|our|which(?: is the)?|what is the) )*(?:biggest|largest) (?P<rows>[a-z]+(?<!s)) (?:by|in terms of|going by|judging by) (?!sales\b|earnings\b|costs\b|expenses\b|returns\b)(?P<what>[a-z]+s)(?=\W*$)", r"\g<rows> with the most \g<what>"),
    (r"^(?P<who>(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)*) is (?:one of our|one of the|an?) (?P<what>[a-z]+?)(?P<s>s?)(?: of ours)?[.;] (?P<ask>[^.?!]+?) (?:this|that|the) (?P=what)\b", r"\g<ask> \g<who>"),
    (r"\bvery (?=first|last|latest|earliest|best|next)", ""),
    (r"\bthe single (?=[a-z])", "the "),
    (r"\b(?P<unit>hours|days|weeks|months|years) spent (?=(?:on|at) (?:the )?top\b)", r"\g<unit> "),
    # more than the others
    (r"\bmore (?P<what>[a-z][\w ]*?) than (?:any(?:one|body|thing)?(?: other(?: \w+)?| else| of the others)?|all (?:of )?the (?:other \w+|others|rest))(?=[\s,.;?!]|$)", r"the most \g<what>"),
    (r"^(?P<who>(?:who|(?:which|what) (?:[a-z]+ )?[a-z]+(?<!s)) (?:handled|handles|did|does|made|makes|took|takes|had|has|got|gets|received|processed|served|sold|sells|won|placed|solved|closed)) (?P<more>more|fewer) (?P<what>[a-z]+s)(?=\W*$)", _more_than_others),
    (r"\b(?:fewer|less) (?P<what>[a-z][\w ]*?) than (?:any(?:one|body|thing)?(?: other(?: \w+)?| else| of the others)|all (?:of )?the (?:other \w+|others|rest))(?=[\s,.;?!]|$)", r"the fewest \g<what>"),
    (r"\bwhich (?P<what>[\w ]+?) do (?P<some>(?:at least |more than |two |three )[\w ]+?) (?:have in common|share)\b", r"which \g<what> are shared by \g<some>"),
    (r",? (?:plus|and also|together with|along with|as well as) (?:(?:all )?(?:of )?(?:the )?(?:those|ones)|the ones) (?=(?:with|below|above|under|over|less|more|between|in|from|at|that|who|whose|where|which|without)\b)", " or "),
    (r"\bone (?P<what>[a-z]+) (?P<first>[^,.;?]+?),? (?:and|as well as|plus) (?:also )?another(?: one)? (?=(?:with|marked|in|from|that|which|of|at|for|on|by|called|named|whose)\b)", r"a \g<what> \g<first> and a \g<what> "),
    (r"\bsurnamed (?=\w)", "whose last name is "),
    (r"\bby (?P<all>all (?:of )?(?:the |our )?[a-z]+) (?P<together>together|combined|taken together|put together)\b", r"across \g<all> together"),
    (r"(?<!with )(?<!has )(?<!have )(?<!had )\bthe (?:high|larg|great)est number of (?P<what>[a-z]+)(?= and the (?:mean|average|total|lowest|smallest)\b)", r"the maximum number of \g<what>"),
    (r"(?<!with )(?<!has )(?<!have )(?<!had )\bthe (?:low|small)est number of (?P<what>[a-z]+)(?= and the (?:mean|average|total|highest|largest)\b)", r"the minimum number of \g<what>"),
    (r",? and how many (?:of )?(?:that|those|these|this|such)(?: \w+)? (?:do (?:we|you|they) have|are there|have we|exist)(?=\W*$)", " and how many are there"),
    (r"\b(?:that |which )?(?:should|must|ought to|have to|has to) be (?:reordered|ordered again|restocked)\b", "to reorder"),
    (r"^what (?:should|must|do) we (?:need to |have to )?(?:reorder|order again|restock)\b", "what do we need to reorder"),
    (r"^(?:what(?:'s| is) |show (?:me )?)?(?:our|the) (?:reorder|reordering|restocking) list\b", "what do we need to reorder"),
    (r"\bwith free (?P<what>shipping|delivery|freight|postage|shipment)\b", r"with no \g<what>"),
    (r"\b(?:the )?busiest (?P<rows>[a-z]+) (?:by|in terms of|going by|judging by) (?:the |its )?number of (?P<what>[a-z]+)", r"\g<rows> with the most \g<what>"),
    (r"^(?:one|an?|some) (?P<what>[a-z]+) (?P<does>(?:has|have|had|is|was|won|got|made)\b[^;.?!]+)[;.] (?:so )?what(?: is|'s| are| was) (?:its|their|his|her) (?P<asked>[\w ]+?)\W*$", r"the \g<asked> of the \g<what> that \g<does>"),
    (r"^show to (?:call|phone|ring|contact|email|reach|write to|visit|thank|pay) (?P<whom>(?:the|our) [^;.?!]+)[;.] what(?: is|'s| are) (?:its|their|his|her) (?P<asked>[\w ]+?)\W*$", r"the \g<asked> of \g<whom>"),
    # one like this and one like that
    (r"\b(?:an?|one|at least one|some) (?P<what>[a-z]+) (?P<one>(?:who|that|with|on|of|in|from|for|over|under)\b[^,;.?!]*?),? and (?:also )?(?:another|at least one|one)(?: one)? (?!of (?:the|our|them|those|these)\b)(?P<two>(?:who|that|with|on|of|in|from|for|over|under)\b[^,;.?!]*?)(?: as well| too)?(?=[.?!]|$)", r"a \g<what> \g<one> and also a \g<what> \g<two>"),
    (r"^who (?:has been|have been|was|is) (?:the |an? )?(?P<what>[a-z]+) (?:the )?most often\b", r"which \g<what> appears most often"),
    (r"^(?P<asked>(?:which|what) .+? (?:which|what) [a-z ]+?),? (?:(?:show|give|list) )?(?:the |with )?(?:names? of both|both names)(?=\W*$)", r"\g<asked>"),
    # one alone
    (r"(?P<none>\b(?:not|never|no|\w+n't)\b.*?) a single\b", r"\g<none> any"),
    (r"\b(?:with|in|on|of|has|have|had|having) (?:(?:just |only |exactly |but )?a single|just one|only one)(?= \w)", r"with exactly one"),
    # in which order
    (rf"{_SORTED} from {_ONE} the {_TOP} (?P<what>[a-z][\w ]*?) (?:down |all the way )?to {_ONE} the {_LEAST}(?: \w+)?(?=[\s,.;?!]|$)", r" in descending order of \g<what>"),
    (rf"{_SORTED} from {_ONE} the {_LOW} (?P<what>[a-z][\w ]*?) (?:up |all the way )?to {_ONE} the {_TOP}(?: \w+)?(?=[\s,.;?!]|$)", r" in ascending order of \g<what>"),
    (rf"{_SORTED} from (?:the )?(?:oldest|earliest|first) (?P<what>(?:\w+ )?(?:date|day|time|year)) to (?:the )?(?:newest|latest|most recent|last)(?: one)?(?=[\s,.;?!]|$)", r" in ascending order of \g<what>"),
    (rf"{_SORTED} from (?:the )?(?:newest|latest|most recent|last) (?P<what>(?:\w+ )?(?:date|day|time|year)) to (?:the )?(?:oldest|earliest|first)(?: one)?(?=[\s,.;?!]|$)", r" in descending order of \g<what>"),
    (rf"{_SORTED} (?:from|with) (?:the )?{_TOP} (?P<what>[a-z][\w ]*?) to (?:the )?{_LEAST}(?: \w+)?(?=[\s,.;?!]|$)", r" in descending order of \g<what>"),
    (rf"{_SORTED} (?:from|with) (?:the )?{_LOW} (?P<what>[a-z][\w ]*?) to (?:the )?{_TOP}(?: \w+)?(?=[\s,.;?!]|$)", r" in ascending order of \g<what>"),
    (rf"(?<!ones){_SORTED},? with (?:the )?{_TOP} (?!popul|\w+ed\b)(?P<what>[a-z][\w ]*?) (?:on top|at the top|first|coming first)(?= |[,.;?!]|$)(?: (?:and|to) .*last)?", r" in descending order of \g<what>"),
    (rf"(?<!ones){_SORTED},? with (?:the )?{_LOW} (?P<what>[a-z][\w ]*?) (?:on top|at the top|first|coming first)(?= |[,.;?!]|$)(?: (?:and|to) .*last)?", r" in ascending order of \g<what>"),
    (r",? (?:starting|beginning) (?:with|from) the (?P<first>\w+) and (?:ending|finishing|going) (?:with|at|down to|up to|on) the (?P<last>\w+)", r" sorted from the \g<first> to the \g<last>"),
    (r"(?<!from)(?<!from the),? (?P<first>(?:light|heavi|tall|short|old|young|new|cheap|long|small|larg|bigg|fast|slow)i?est) to (?P<last>\w+est)\b", r" sorted from the \g<first> to the \g<last>"),
    (r",? with the (?P<end>(?:most|least|best|worst) \w+|\w+est) \w+ (?:first|on top|at the top)(?: and (?:the )?.* last)?(?=\W*$)", r", \g<end> first"),
    (r",? (?:starting|beginning) with the (?P<end>(?:most|least) \w+|\w+est)(?: \w+)?(?: and (?:going|working) (?:up|down))?(?=\W*$)", r", \g<end> first"),
    (r",? (?:from )?a (?:to|-) z(?: by)?(?= \w)", " in alphabetical order of"),
    (r",? (?:from )?a (?:to|-) z(?=\W*$|[,;.?!])", " in alphabetical order"),
    (r",? (?:in|by) order of [\w ]+?,?(?= in (?:a|de)scending order of )", ""),
    # when, and what is left out
    (r"\b(?:over|in|during|for|across|through|within) the years (?:from )?(?P<first>\d{4}) (?:to|through|until|till|-|–) (?P<last>\d{4})\b", r"from \g<first> to \g<last>"),
    (r"^(?:other than|apart from|aside from|except for|besides|excluding|leaving out|leaving aside|not counting|ignoring) (?:the |those |all )?[a-z]+ (?P<done>(?:located|based|situated|held|made|born|living|working|listed) .+?), (?P<rest>(?:which|what|who|how|show|list|give|find|name|count|number)\b[^.?!]+)", r"\g<rest>, not \g<done>"),
    (r"^(?:other than|apart from|aside from|except for|besides|excluding|leaving out|leaving aside|not counting|ignoring) (?:the |those |all )?(?:ones|rows|records|entries|cases) (?:where|in which|whose) (?:the )?(?P<what>[\w ]+?) is (?:null|empty|missing|unknown|blank|not known), (?P<rest>(?:which|what|who|how|show|list|give|find|name|count|number)\b[^.?!]+)", r"\g<rest> where \g<what> is not missing"),
    # what closes one
    (r", please(?=[,.;?!]|$)", ""),
    (r"(?<=\w),? (?:too|as well)(?=\W*$)", ""),
    (r",? (?:for|of) each(?: one| of them)?(?=\W*$)", ""),
    (r",? (?:next to|alongside|beside) (?:it|them|each(?: other)?|one another)(?=\W*$)", ""),
    (r",? side by side(?=\W*$)", ""),
    (r"(?<=\w) (?:next to|alongside) (?=the |their |its |his |her )", " and "),
    (r"^what (?:is|are) (?P<what>(?:the|our|all) .+?) called(?=\W*$)", r"what are the names of \g<what>"),
    (r"\bi\.e\.", "that is"),
    # what is said of rows first, and asked of them after
    (r"^(?:of|among|out of|from) (?:all )?(?:the |our )?(?P<rows>[a-z]+)(?P<those> [^,?]+?), which (?P<many>ones?)(?: (?:is|are|was|were) the ones? that)? ", _which_of_those),
    (r"^(?P<what>[a-z][^,?]+?), how (?:have|has|did) (?:they|it|this|that) (?:develop|evolve|change|trend|go|do|move)(?:d|ed|ne)?(?P<when> (?:since|over|during|in|from|this|last)\b.*)?(?=\W*$)", r"\g<what> by month\g<when>"),
    (r"^(?P<rows>[a-z]+) (?:that|which) (?:are|were|got|have been|had been|has been|was|is) (?P<state>[a-z]+),? as an? (?:share|percentage|percent|fraction|proportion|part) of (?:all|the total|the whole|the lot|total)(?: (?P=rows))?", r"share of \g<state> \g<rows>"),
    (r"^how much of (?P<what>(?:our |the )?[\w ]+?) (?:is|are|was|were|comes?|came|stems?|stemmed) (?:made |generated |earned |brought in )?(?:from|by) (?=(?:the |our )?(?:top|first|biggest|largest|best|\d))", r"what share of \g<what> comes from "),
    (r"^(?P<asked>(?:which|who|what) .*(?<!at )\b(?:most|least|fewest|highest|lowest|biggest|largest|greatest|best)\b.*?),? and how (?:much|many)(?: (?:was|is|were|are|did|do|does|have|has) (?:it|that|they|he|she|there)(?: \w+)?)?(?=\W*$)", r"\g<asked>"),
    (r"^(?:which|what) (?P<rows>[a-z]+) (?P<those>(?!sold|sells?|has|have)[a-z][\w ]{3,40}?) (?:has |have )?(?:sold|sells?) (?:the )?(?P<end>best|worst)(?=\W*$)", r"\g<end> selling \g<rows> \g<those>"),
    (r"^how many (?P<rows>[a-z]+(?: [a-z]+)?) (?:a|per|each) (?P<unit>hour|day|week|month|quarter|year) (?:do|did|does|are|is|were|have|has)(?: we| they| there| you)?(?: (?:get|have|had|receive|make|take|do|done|see|sell))?(?: on average| usually| typically| normally)?(?P<rest>(?: (?:in|this|last|by|per|for)\b.*)?)(?=\W*$)", r"average number of \g<rows> per \g<unit>\g<rest>"),
    (r"^number of (?P<rows>[a-z]+(?: [a-z]+)?) (?:a|per|each) (?P<unit>hour|day|week|month|quarter|year) on average", r"average number of \g<rows> per \g<unit>"),
    (r"(?<=[a-z]),? best (?:ones? )?first(?=\W*$)", ", highest first"),
    (r"(?<=[a-z]),? worst (?:ones? )?first(?=\W*$)", ", lowest first"),
    (r"^(?:how much|what)(?: revenue| money| sales)? (?:did|do|have|has) (?:we|they|you|the \w+) (?:give|given|gave|lose|lost|spend|spent|forgo)(?: away)? (?:in|on|to|through|as|by way of) discounts?\b", "total discount"),
    (r"^how much discount (?:did|do|have) (?:we|they|you) (?:give|given|grant|granted)(?: away)?\b", "total discount"),
    (r"\b(?P<one>[a-z]+) next to (?P<other>[a-z]+)(?=\W*$)", r"\g<one> and \g<other>"),
    (r"^how much (?:do|did) we spend on (?P<what>[a-z]+)(?: (?:a|per|each|every) (?P<unit>day|week|month|quarter|year))?(?=\W|$)", _spent_on),
    (r"\bnew (?P<rows>[a-z]+) (?:did|do|have|has) we (?:win|won|gain(?:ed)?|get|got|gotten|acquired?|sign(?:ed)? up|add(?:ed)?)\b", r"new \g<rows> were there"),
    (r"^(?P<what>(?!total|average|number|sum|list|show|give|names?|what|how|which)[a-z][\w ]*?) of (?:the|our) (?:whole|entire|complete) (?=\w)", r"total \g<what> of the "),
    (r"^how many (?P<rows>[a-z]+(?: [a-z]+)?) (?:does|do|did) (?:an?|the|our) (?:typical|average) (?P<one>[a-z]+) (?:place|have|make|get|buy|order|hold|own|take|handle|rent)(?=\W*$)", r"average number of \g<rows> per \g<one>"),
    (r"^how many (?P<rows>[a-z]+(?: [a-z]+)?) (?:does|do|did) (?:an?|one|the|our) (?:typical |average |normal )?(?P<one>[a-z]+) (?P<verb>[a-z]+)(?: with us)? (?:on average|typically|usually|normally)(?P<rest>(?: (?:by|per|in|this|last)\b.*)?)(?=\W*$)", r"average number of \g<rows> per \g<one>\g<rest>"),
    (r"^how many (?P<rows>[a-z]+(?: [a-z]+)?) (?:do|did) (?:we|they|you|people|our [a-z]+) [a-z]+ (?:per|a|each|every) (?P<unit>hour|day|week|month|quarter|year) (?:on average|typically|usually|normally)(?P<rest>(?: (?:by|per|in|this|last)\b.*)?)(?=\W*$)", r"average \g<rows> per \g<unit>\g<rest>"),
    (r"^how many (?P<rows>[a-z]+(?: [a-z]+)?) (?:are|is) (?:there )?(?:in|on) (?:an?|one|the|our) (?P<kind>typical |average |normal )?(?P<one>[a-z]+)(?P<mean> on average| typically| usually)?(?P<rest>(?: (?:by|per|in|this|last)\b.*)?)(?=\W*$)", _on_average),
    (r"^how much (?:money|cash|capital)(?: (?:is|do we have|have we))?(?: (?:got|currently|now))? tied up in (?:the |our )?(?:stock|inventory)\b", "stock value"),
    (r"^(?:which|what) (?P<what>[a-z]+) (?:do|does) (?:all )?(?:our|the) (?P<rows>[a-z]+) (?:live in|come from|belong to|work in|sit in),? and how many (?:of (?:them|each)|each|(?:are |live |work )?(?:there )?(?:in|from) each)(?: are| live| is)?(?: there)?(?: (?:in|from) each)?(?=\W*$)", r"number of \g<rows> by \g<what>"),
    # set phrases for having
    (r"\b(?:looks?|looked|looking) after(?= |\W*$)", "has"),
    (r"\b(?:takes?|took|taking) care of(?= )", "has"),
    (r"\b(?:the |any |every )?(?P<what>thing|item|article)(?P<many>s?) (?:that )?we (?:sell|offer|stock|carry)\b", r"product\g<many>"),
    (r"\b(?P<that>that |which )?(?:we|they|you)(?:'re| are|'ve run| have run| ran| run) out of(?=[\s,.;?!]|$)", "that are out of stock"),
    (r"\b(?:complains?|complained) (?:the )?most(?: often)?\b", "has the most complaints"),
    (r"\b(?:best|top|strongest) (?!\w+(?:ed|ing)\b)(?P<rows>[a-z]+) (?:on top|at the top|first)(?=\W*$)", "highest first"),
    (r"\b(?:worst|weakest) (?!\w+(?:ed|ing)\b)(?P<rows>[a-z]+) (?:on top|at the top|first)(?=\W*$)", "lowest first"),
    # rows that are listed by name go by something else
    (r"^(?:(?:please )?(?:show|list|give)(?: me)? )?(?:all )?(?:the )?(?P<rows>[a-z][\w -]*?),? by name(?=,? in (?:a|de)scending order of )", r"names of \g<rows>"),
    # texts that hold a word
    (r"\b(?P<of>name|title|description|email|address|comment|note)s? (?:with|containing|including|having) (?:an? |the letter )?(?P<word>\"?[\w.@-]+\"?) in (?:them|it)\b", r"\g<of>s that contain \g<word>"),
    (r"\b(?:with|having|using) an? (?P<word>@?[\w-]+\.(?:com|org|net|edu|de|co\.uk|info|gov))(?: e-?mail)? (?:address|account)(?:es|s)?\b", r"whose email contains \g<word>"),
    (r"\b(?:with|having) (?P<word>\"?[\w.@-]+\"?) (?:somewhere |anywhere )?in (?:the|their|its|his|her) (?P<of>name|title|description|email|address|comment|note)s?\b", r"whose \g<of> contains \g<word>"),
)  # fmt: skip
_COMPILED = compiled((*_RULES, *which_rows.RULES))


def plainly(question: str) -> str:
    """The question without what is only said around it."""
    text = " ".join(question.replace("’", "'").split())
    text = reckoned(arranged(asked_first(text)))
    return together(rewritten(text, _COMPILED).strip())
