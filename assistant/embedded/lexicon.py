"""Words: how a question is cut into tokens, how words and names are stemmed, and which words carry no meaning.

English only, and only what holds for every business; the names of a source are in `schema`, cue phrases in `patterns`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Literal

_IRREGULAR = {
    "people": "person",
    "persons": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "lives": "live",
    "series": "series",
    "status": "status",
    "statuses": "status",
    "bus": "bus",
    "buses": "bus",
    "gas": "gas",
    "news": "news",
    "analyses": "analysis",
    "analysis": "analysis",
    "basis": "basis",
    "indices": "index",
    "bought": "buy",
    "sold": "sell",
    "sales": "sale",
    "sale": "sale",
    "spent": "spend",
    "paid": "pay",
    "movies": "movie",
    "movie": "movie",
    "is": "is",
    "was": "was",
    "has": "has",
    "this": "this",
    "data": "data",
    "left": "leav",
    "sent": "send",
    "held": "hold",
    "built": "build",
    "won": "win",
    "began": "begin",
    "wrote": "writ",
    "written": "writ",
    "taught": "teach",
    "born": "birth",
    "died": "death",
    "die": "death",
    "dies": "death",
    "aged": "age",
}
_ABBREVIATED = {
    "dept": "department",
    "num": "number",
    "nbr": "number",
    "desc": "description",
    "descr": "description",
    "amt": "amount",
    "qty": "quantity",
    "emp": "employee",
    "cust": "customer",
    "prod": "product",
    "cat": "category",
    "addr": "address",
    "yr": "year",
    "pct": "percent",
    "percentage": "percent",
    "avg": "average",
    "tel": "phone",
    "telephone": "phone",
    "dob": "birthdate",
    "lat": "latitude",
    "lng": "longitude",
    "fname": "firstname",
    "lname": "lastname",
    "surname": "lastname",
    "forename": "firstname",
    "zipcode": "zip",
    "ids": "id",
    "identifier": "id",
    "inv": "invoice",
    "mgr": "manager",
    "max": "maximum",
    "min": "minimum",
    "acc": "account",
    "acct": "account",
    "bal": "balance",
    "loc": "location",
    "prof": "professor",
    "stu": "student",
    "tot": "total",
    "temp": "temperature",
    "info": "information",
    "univ": "university",
    "os": "operating system",
}


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


STOP_WORDS = word_set(
    """
    a an the of in on at to for and or is are was were be been being am do does did doing what which who whom whose
    where when how many much that this these those there here with from by as it its their them they he she his her
    we our us you your i me my please can could would will shall should may might have has had having not no nor
    than then so such if but only also both either each every any all some one into onto about between within during
    through across per via out over under s t d ll re ve show list find give get tell display provide present let
    see want need like know please just now ever yet been still often
    """
)
"""Words that need no explanation when nothing else claims them."""

WEAK_WORDS = word_set(
    """
    make made making makes comes place placed places put take took taken come came go went happen happened occur
    occurred currently current overall altogether exist exists existing available belong belongs belonging contain
    company business data database table row rows record records entry entries result results   report reports
    associated related relate corresponding correspond respective respectively different distinct various use used
    using involve involved include included including located live lives based stored registered recorded listed
    value values number figure figures generate generated produce produced earn earned achieve achieved bring
    brought kind type sort order ordered thing things item many much long old great whole entire actually really
    exactly hello hi hey thanks thank question answer compute calculate calculated determine count look like looks
    develop developed perform performed performance do done offer offered carry carried bought buy buys purchase
    purchased purchases appear appears appeared attend placed up return something anything handle handled handles manage
    process processed serve served receive received submit submitted own owned work works worked hold holds held
    contain minute minutes second seconds dollar dollars euro euros eur usd gbp kg km percent people person ones
    amongst among according accord basis terms term each side regarding concerning following given name named called
    whose member members retrieve showing showed shows lived living assigned sang sung sing sings wrote
    written reached reach reaches operate operates operated play plays played participate participates participated
    attend attends visit visits enroll enrolled stay stayed stays teach teaches taught study studies studied drive
    drives drove own wear wears wore obtain obtained possess possesses
    along alongside together driven
    date dates letter times number numbers amount normally
    """
)
"""Words that may go unexplained because they seldom change what is asked; those a schema claims are still linked."""

COUNTRIES = (
    ("usa", "us", "u s", "u s a", "united states", "united states of america", "america"),
    ("uk", "u k", "united kingdom", "great britain", "britain"),
    ("uae", "united arab emirates"),
    ("netherlands", "the netherlands", "holland"),
    ("czechia", "czech republic"),
    ("south korea", "republic of korea"),
)
"""Countries that go by several names."""

_COUNTING = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
NUMBER_WORDS = {word: value for value, word in enumerate(_COUNTING)} | {
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
    "hundred": 100,
    "once": 1,
    "twice": 2,
    "dozen": 12,
}

_FEMALE = word_set("female females women woman girl girls lady ladies")
_MALE = word_set("male males men man boy boys gentleman gentlemen")
GENDERS = dict.fromkeys(_FEMALE, "F") | dict.fromkeys(_MALE, "M")
"""Words for a sex, with the letter it is coded by."""

PEOPLE = word_set(
    """customer client employee staff person user student teacher actor artist singer player author member patient
    doctor physician manager supplier driver reviewer owner guest visitor candidate pilot contact salesperson seller
    buyer donor friend host judge musician nurse professor instructor technician tourist worker"""
)
"""Words for people, the answer to "who"."""

SYNONYMS = (
    ("customer", "client", "buyer", "shopper"),
    ("employee", "staff", "worker", "personnel", "salesperson", "sales rep"),
    ("product", "item", "article", "good"),
    ("supplier", "vendor"),
    ("order", "purchase"),
    ("shop", "store", "outlet", "branch"),
    ("film", "movie"),
    ("song", "track"),
    ("singer", "artist", "musician"),
    ("city", "town"),
    ("country", "nation"),
    ("phone", "telephone", "phone number"),
    ("quantity", "unit"),
    ("price", "cost"),
    ("salary", "wage", "pay"),
    ("department", "division"),
    ("amount", "sum", "value"),
    ("birthdate", "birthday", "date of birth"),
    ("sex", "gender"),
    ("email", "e mail", "mail address", "email address"),
    ("zip", "zip code", "postal code", "postcode", "post code"),
    ("description", "detail"),
    ("car", "automobile", "vehicle"),
    ("doctor", "physician"),
    ("teacher", "instructor", "lecturer", "professor", "faculty"),
    ("nationality", "citizenship"),
    ("ticket", "case"),
    ("lastname", "last name", "family name"),
    ("firstname", "first name", "given name", "personal name"),
    ("photo", "picture", "image"),
    ("genre", "style"),
    ("state", "province"),
    ("company", "firm", "corporation"),
    ("weight", "mass"),
    ("revenue", "turnover"),
    ("profit", "earning"),
    ("channel", "medium"),
    ("campaign", "promotion"),
    ("length", "duration", "runtime", "milliseconds"),
    ("signup", "sign up", "registration", "joined"),
    ("type", "kind", "category"),
    ("start", "begin", "beginning"),
    ("document", "file"),
    ("trip", "journey", "tour"),
    ("booking", "reservation"),
    ("part", "component"),
    ("paper", "article", "publication"),
    ("location", "address"),
    ("headquarters", "head office"),
    ("semester", "term"),
    ("stadium", "arena"),
    ("pupil", "student"),
    ("illness", "disease"),
    ("institution", "institute"),
)
"""Words that mean the same in most businesses; a synonym is a weaker link than the name itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word, number or quoted text of a question. `stem` is what names are compared by.

    `parted`: a comma or the end of a sentence stands before it.
    """

    kind: Literal["word", "number", "quoted"]
    text: str
    lower: str
    stem: str
    number: float | None = None
    parted: bool = False


_TOKEN = re.compile(
    r"\"(?P<q1>[^\"]+)\"|(?<![\w])'(?P<q2>[^']+)'(?![\w])|(?P<iso>\d{4}-\d\d-\d\d)"
    r"|(?P<num>(?:(?<![\w)])-(?=\d))?\d[\d,]*(?:\.\d+)?)(?P<suffix>[kKmM%])?(?![\w])"
    r"|(?P<sign>[<>!=]=|<>|[<>=≤≥≠])"
    r"|(?P<word>[^\W_][\w]*(?:['’](?!s\b)\w+)?)",
)


_SIGNS = {
    **dict.fromkeys((">=", "≥"), "at least"),
    **dict.fromkeys(("<=", "≤"), "at most"),
    **dict.fromkeys(("!=", "<>", "≠"), "is not"),
    **dict.fromkeys(("=", "=="), "equals"),
    ">": "more than",
    "<": "less than",
}
"""Comparisons as they are written, in words."""


def tokens(question: str) -> tuple[Token, ...]:
    """Cut a question into tokens; punctuation only parts them, and `'s` falls away."""
    text = question.replace("“", '"').replace("”", '"').replace("‘", "'").replace("’", "'").replace("``", '"')
    text = re.sub(r"'s\b", "", text)
    found: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        known, parted, end = len(found), _PARTS & set(text[end : match.start()]), match.end()
        quoted = match["q1"] or match["q2"]
        if quoted:
            found.append(Token(kind="quoted", text=quoted.strip(), lower=fold(quoted), stem=fold(quoted)))
        elif match["sign"]:
            found += [_word(part) for part in _SIGNS[match["sign"]].split()]
        elif match["iso"]:
            found.append(Token(kind="word", text=match["iso"], lower=match["iso"], stem=match["iso"]))
        elif match["num"]:
            number = float(match["num"].replace(",", "")) * _SUFFIX.get((match["suffix"] or "").lower(), 1.0)
            plain = match["num"].replace(",", "")
            found.append(Token(kind="number", text=match["num"], lower=plain, stem=plain, number=number))
        else:
            for part in match["word"].split("_"):
                if fold(part):
                    found.append(_word(part))
        if parted and len(found) > known:
            found[known] = replace(found[known], parted=True)
    return tuple(found)


_PARTS = frozenset(",;:.?!")


def _word(text: str) -> Token:
    lower = fold(text)
    return Token(kind="word", text=text, lower=lower, stem=stem(lower), number=NUMBER_WORDS.get(lower))


_SUFFIX = {"k": 1e3, "m": 1e6}


def fold(text: str) -> str:
    """Lower case without accents, with single spaces: what texts are compared by."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A light stem: the plural and the commonest verb endings go, abbreviations of column names are spelt out."""
    word = _ABBREVIATED.get(word, word)
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or word.isdigit():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif re.search(r"(ss|sh|ch|x|zz)es$", word):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    word = _ABBREVIATED.get(word, word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    if word.endswith("ied") and len(word) > 4:
        word = word[:-3] + "y"
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def spelt_out(word: str) -> str:
    """The word that another is short for, or that word itself."""
    return _ABBREVIATED.get(word, word)


def is_short(word: str) -> bool:
    """Whether a word in a name is short for another; in a value it stands for itself: a cat is no category."""
    return word in _ABBREVIATED


@lru_cache(maxsize=20_000)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a table's or column's name in lower case: `InvoiceLine`, `invoice_line` give invoice, line."""
    if name.lower() in _ABBREVIATED:
        return (name.lower(),)
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    spaced = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", spaced)
    return tuple(word for word in re.split(r"[\W_]+", fold(spaced)) if word) or (fold(name),)


def name_stems(name: str) -> tuple[str, ...]:
    """The stems of a name's words."""
    return tuple(stem(word) for word in name_words(name))


def spoken(name: str) -> str:
    """A name as people say it: `unit_price` and `UnitPrice` are both "unit price"."""
    return " ".join(name_words(name)) or name


def plural(words: str) -> str:
    """The plural of a spoken name, if it is not one yet."""
    if words.endswith("s") and not words.endswith("ss"):
        return words
    if words.endswith("y") and words[-2:-1] not in "aeiou":
        return words[:-1] + "ies"
    if words.endswith(("s", "sh", "ch", "x", "z")):
        return words + "es"
    return words + "s"


def singular(words: str) -> str:
    """The singular of a spoken name: its last word loses a plural ending."""
    head, _, last = words.rpartition(" ")
    if last.endswith("ies") and len(last) > 4:
        last = last[:-3] + "y"
    elif re.search(r"(ss|sh|ch|x)es$", last):
        last = last[:-2]
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")):
        last = last[:-1]
    return f"{head} {last}".strip()


def _synonym_table() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for group in SYNONYMS:
        stems = [" ".join(stem(word) for word in phrase.split() if word not in ("of", "the")) for phrase in group]
        for phrase in stems:
            table[phrase] = tuple(other for other in stems if other != phrase)
    return table


_SYNONYM_OF = _synonym_table()


@lru_cache(maxsize=20_000)
def synonyms(stems: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Other ways to say the same, as stems; none for most words. In a phrase each word may stand for another."""
    whole = _SYNONYM_OF.get(" ".join(stems), ())
    if len(stems) == 1 or len(stems) > _PHRASE_MAX:
        return tuple(tuple(phrase.split()) for phrase in whole)
    choices = [(word, *_SYNONYM_OF.get(word, ())) for word in stems]
    phrases = (" ".join(words) for words in product(*choices))
    return tuple(tuple(phrase.split()) for phrase in dict.fromkeys((*whole, *phrases)) if phrase != " ".join(stems))


_PHRASE_MAX = 3
