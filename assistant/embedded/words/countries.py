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
NATIONS = {adjective: country for adjective, _, country in (pair.partition(":") for pair in sorted(_BELONGING))}
"""What belongs to a country, with the country's name."""
