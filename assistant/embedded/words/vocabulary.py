"""Lists of words that hold for every business: words without meaning, numbers, people, irregular forms.

English only; how words are compared is in `lexicon`, which mean the same in `thesaurus`.
"""

from __future__ import annotations

IRREGULAR = {
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
    "lens": "lens",
    "lenses": "lens",
    "canvas": "canvas",
    "canvases": "canvas",
    "atlas": "atlas",
    "atlases": "atlas",
    "alias": "alias",
    "aliases": "alias",
    "bias": "bias",
    "biases": "bias",
    "news": "news",
    "analyses": "analysis",
    "analysis": "analysis",
    "basis": "basis",
    "indices": "index",
    "found": "find",
    "goods": "goods",
    "bought": "buy",
    "sold": "sell",
    "sales": "sale",
    "sale": "sale",
    "spent": "spend",
    "paid": "pay",
    "movies": "movie",
    "movie": "movie",
    "goalies": "goali",
    "cookies": "cooki",
    "calories": "calori",
    "veggies": "veggi",
    "selfies": "selfi",
    "hoodies": "hoodi",
    "rookies": "rooki",
    "brownies": "browni",
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
    "lost": "lose",
    "loses": "lose",
    "lose": "lose",
    "began": "begin",
    "wrote": "writ",
    "written": "writ",
    "taught": "teach",
    "led": "lead",
    "lent": "lend",
    "caught": "catch",
    "shot": "shoot",
    "drove": "driv",
    "driven": "driv",
    "rode": "ride",
    "ridden": "ride",
    "flew": "fly",
    "flown": "fly",
    "sang": "sing",
    "sung": "sing",
    "drew": "draw",
    "drawn": "draw",
    "grew": "grow",
    "grown": "grow",
    "gave": "give",
    "given": "give",
    "chose": "choos",
    "chosen": "choos",
    "threw": "throw",
    "thrown": "throw",
    "kept": "keep",
    "fought": "fight",
    "born": "birth",
    "died": "death",
    "die": "death",
    "dies": "death",
    "aged": "age",
    "denial": "deni",
    "failure": "fail",
    "failures": "fail",
}
"""Words whose stem no rule finds."""


def number_said(text: str) -> int:
    """A whole number in digits or as a word, one of `NUMBER_WORDS`."""
    return int(text) if text.isdigit() else NUMBER_WORDS[text.lower()]


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
    see want need like know please pls plz just now ever yet been still often whats hows whos gimme lets wanna
    starring featuring
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
    contain minute minutes seconds dollar dollars euro euros eur usd gbp kg km percent people person ones
    amongst among according accord basis terms term each side regarding concerning following given name named called
    whose member members retrieve showing showed shows lived living assigned sang sung sing sings wrote
    written reached reach reaches operate operates operated play plays played participate participates participated
    attend attends visit visits enroll enrolled stay stayed stays teach teaches taught study studies studied drive
    drives drove own wear wears wore obtain obtained possess possesses
    found along alongside together driven lastly finally afterwards
    sit sits sat seated keep keeps kept attended attending holding suffer suffers suffered award awards awarded grant
    grants granted link links linked occurs house houses housed responsible behind whichever somewhere marked employ
    employs employed act acts acting kinds signed sign publish publishes published carrying bearing
    got gets stuff folks guys lie lies lay
    date dates letter times number numbers amount normally already issued raised logged
    """
)
"""Words that may go unexplained because they seldom change what is asked; those a schema claims are still linked."""

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
"""Numbers in words."""

ORDINALS = {
    2: "second",
    3: "third",
    4: "fourth",
    5: "fifth",
    6: "sixth",
    7: "seventh",
    8: "eighth",
    9: "ninth",
    10: "tenth",
}
"""Places behind the first, in words."""

_FEMALE = word_set("female females women woman girl girls lady ladies")
_MALE = word_set("male males men man boy boys gentleman gentlemen")
GENDERS = dict.fromkeys(_FEMALE, "F") | dict.fromkeys(_MALE, "M")
"""Words for a sex, with the letter it is coded by."""

DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
"""How many days a stretch of time is taken for."""

MOMENTS = frozenset(("date", "dates", "time", "times", "day", "days"))
"""Nouns for when something happened."""

PEOPLE = word_set(
    """customer client employee staff person user student teacher actor artist singer player author member patient
    doctor physician manager supplier driver reviewer owner guest visitor candidate pilot contact salesperson seller
    buyer donor friend host judge musician nurse professor instructor technician tourist worker
    respondent participant applicant subscriber passenger resident citizen agent representative rep assignee clerk
    founder director writer producer composer conductor coach captain leader president chairman officer lawyer chef
    engineer scientist researcher editor journalist winner champion opponent tenant landlord borrower sender recipient
    voter politician mayor governor soldier prisoner victim sailor farmer designer architect inventor consultant
    analyst cashier principal dean advisor tutor trainer trainee volunteer speaker presenter dancer rider runner
    swimmer climber wrestler boxer golfer referee mechanic programmer developer accountant dentist surgeon pharmacist
    mother father husband wife spouse child parent sibling heir bidder merchant dealer creator maker performer
    manufacturer vendor publisher insurer keeper warden caretaker gardener librarian inspector installer plumber
    electrician courier butcher baker barber hairdresser tailor fisherman hunter breeder holder debtor creditor payer
    payee caller curator guide porter janitor cleaner waiter waitress bartender barista steward attendant interpreter
    translator adopter learner lecturer scholar intern apprentice carpenter painter photographer sculptor poet"""
)
"""Words for people, the answer to "who"."""

ASKING = frozenset(("list", "show", "give", "find", "return", "report", "tell"))
"""Verbs by which people ask for something: a new sentence may begin with them."""
MORE = frozenset(("more", "higher", "larger", "greater", "bigger", "longer"))
LESS = frozenset(("less", "lower", "smaller", "fewer", "shorter"))
"""Words before a number that is compared: "a higher price than"."""
HAVING = frozenset(("have", "has", "had", "having", "with"))
"""Words behind which stands what something has."""
TRADE = ("invoice", "order", "sale", "purchase", "transaction")
"""What tables of things bought and sold are called, the likeliest first."""

CURRENCIES = frozenset(("euro", "eur", "dollar", "usd", "pound", "gbp", "franc", "chf", "buck"))
"""The stems of what money is counted in."""
