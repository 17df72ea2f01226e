"""Countries by their several names, and what people call that which belongs to them."""

from __future__ import annotations

from assistant.embedded.words.vocabulary import word_set

COUNTRIES = (
    ("usa", "us", "u s", "u s a", "united states", "united states of america", "america"),
    ("uk", "u k", "united kingdom", "great britain", "britain"),
    ("uae", "united arab emirates"),
    ("netherlands", "the netherlands", "holland"),
    ("czechia", "czech republic"),
    ("south korea", "republic of korea"),
)
"""Countries that go by several names."""

_BELONGING = word_set(
    """
    american:usa british:uk english:england scottish:scotland welsh:wales irish:ireland french:france german:germany
    italian:italy spanish:spain portuguese:portugal dutch:netherlands belgian:belgium swiss:switzerland
    austrian:austria polish:poland czech:czechia hungarian:hungary romanian:romania bulgarian:bulgaria greek:greece
    turkish:turkey swedish:sweden norwegian:norway danish:denmark finnish:finland icelandic:iceland russian:russia
    ukrainian:ukraine serbian:serbia croatian:croatia canadian:canada mexican:mexico brazilian:brazil
    argentine:argentina argentinian:argentina chilean:chile colombian:colombia peruvian:peru cuban:cuba
    chinese:china japanese:japan indian:india pakistani:pakistan thai:thailand vietnamese:vietnam
    indonesian:indonesia malaysian:malaysia filipino:philippines singaporean:singapore australian:australia
    israeli:israel egyptian:egypt moroccan:morocco nigerian:nigeria kenyan:kenya ethiopian:ethiopia iranian:iran
    iraqi:iraq bangladeshi:bangladesh nepali:nepal nepalese:nepal afghan:afghanistan lebanese:lebanon jordanian:jordan
    syrian:syria qatari:qatar kuwaiti:kuwait omani:oman yemeni:yemen emirati:uae taiwanese:taiwan mongolian:mongolia
    cambodian:cambodia burmese:myanmar kazakh:kazakhstan uzbek:uzbekistan georgian:georgia armenian:armenia
    azerbaijani:azerbaijan slovak:slovakia slovenian:slovenia bosnian:bosnia albanian:albania macedonian:macedonia
    montenegrin:montenegro lithuanian:lithuania latvian:latvia estonian:estonia belarusian:belarus moldovan:moldova
    maltese:malta cypriot:cyprus algerian:algeria tunisian:tunisia libyan:libya sudanese:sudan ghanaian:ghana
    senegalese:senegal cameroonian:cameroon tanzanian:tanzania ugandan:uganda rwandan:rwanda zambian:zambia
    zimbabwean:zimbabwe angolan:angola namibian:namibia bolivian:bolivia ecuadorian:ecuador uruguayan:uruguay
    paraguayan:paraguay venezuelan:venezuela panamanian:panama guatemalan:guatemala honduran:honduras
    nicaraguan:nicaragua jamaican:jamaica haitian:haiti brit:uk scot:scotland frenchman:france englishman:england
    swede:sweden dane:denmark finn:finland pole:poland spaniard:spain turk:turkey
    european:europe african:africa asian:asia
    """
)
CODES = {code: country.replace("_", " ") for code, _, country in (pair.partition(":") for pair in sorted(word_set(
    """
    us:usa gb:uk uk:uk ie:ireland fr:france de:germany it:italy es:spain pt:portugal nl:netherlands be:belgium
    lu:luxembourg ch:switzerland at:austria pl:poland cz:czechia sk:slovakia hu:hungary ro:romania bg:bulgaria gr:greece
    tr:turkey se:sweden no:norway dk:denmark fi:finland is:iceland ee:estonia lv:latvia lt:lithuania ru:russia
    ua:ukraine rs:serbia hr:croatia si:slovenia ca:canada mx:mexico br:brazil ar:argentina cl:chile co:colombia pe:peru
    cn:china jp:japan in:india kr:south_korea id:indonesia my:malaysia ph:philippines sg:singapore th:thailand
    vn:vietnam au:australia nz:new_zealand il:israel eg:egypt ma:morocco ng:nigeria ke:kenya gh:ghana za:south_africa
    ae:united_arab_emirates sa:saudi_arabia pk:pakistan bd:bangladesh
    """
)))}  # fmt: skip
"""Countries by the two letters that stand for them."""
NATIONS = {adjective: country for adjective, _, country in (pair.partition(":") for pair in sorted(_BELONGING))}
"""What belongs to a country, with the country's name."""
