"""Text in the encodings of the world's languages: names and values have to come out as they were written."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.fields import Fields
from corpus.texts import table_text, text_case
from corpus.values import Case, expect

# Words of a shop's list in each language, and the encodings in which such lists are found.
_LANGUAGES: dict[str, tuple[tuple[str, str], tuple[str, ...], tuple[str, ...]]] = {
    "german": (("Straße", "Menge"), ("Köln", "Düsseldorf", "Gießen", "Nürnberg", "Würzburg"), ("cp1252", "cp850", "iso8859_15")),
    "french": (("Médicament", "Quantité"), ("gélule orodispersible", "comprimé pelliculé", "solution à diluer", "crème épaisse"), ("cp1252", "mac_roman")),
    "spanish": (("Descripción", "Año"), ("Señal de tráfico", "Educación", "Niños y jóvenes", "Transporte público"), ("cp1252",)),
    "polish": (("Miejscowość", "Liczba"), ("Łódź", "Kraków", "Gdańsk", "Poznań", "Białystok", "Częstochowa"), ("cp1250", "iso8859_2")),
    "czech": (("Město", "Počet"), ("Plzeň", "České Budějovice", "Ústí nad Labem", "Hradec Králové", "Třebíč"), ("cp1250",)),
    "hungarian": (("Város", "Összeg"), ("Győr", "Székesfehérvár", "Hódmezővásárhely", "Budaörs", "Cegléd"), ("cp1250",)),
    "russian": (("Город", "Количество"), ("Москва", "Казань", "Новосибирск", "Пермь", "Самара"), ("cp1251", "koi8_r", "cp866")),
    "ukrainian": (("Місто", "Кількість"), ("Київ", "Львів", "Харків", "Чернівці", "Запоріжжя"), ("cp1251",)),
    "greek": (("Πόλη", "Ποσό"), ("Αθήνα", "Θεσσαλονίκη", "Πάτρα", "Ηράκλειο", "Λάρισα"), ("cp1253",)),
    "turkish": (("Şehir", "Miktar"), ("İstanbul", "Diyarbakır", "Eskişehir", "Muğla", "Çanakkale"), ("cp1254",)),
    "hebrew": (("עיר", "כמות"), ("ירושלים", "תל אביב", "חיפה", "באר שבע"), ("cp1255",)),
    "arabic": (("المدينة", "المبيعات"), ("الرياض", "جدة", "مكة المكرمة", "المدينة المنورة", "الدمام"), ("cp1256",)),
    "latvian": (("Pilsēta", "Skaits"), ("Rīga", "Liepāja", "Jūrmala", "Rēzekne", "Jēkabpils"), ("cp1257",)),
    "vietnamese": (("Thành phố", "Số"), ("Hà Nội", "Đà Nẵng", "Cần Thơ", "Hải Phòng"), ("utf-8",)),
    "japanese": (("都市", "数量"), ("東京都千代田区", "大阪府大阪市", "北海道札幌市", "カタカナ商店", "ひらがな屋"), ("shift_jis", "euc_jp", "utf-8")),
    "chinese": (("城市", "数量"), ("北京市朝阳区", "上海市浦东新区", "广州市天河区", "深圳市南山区"), ("gb18030", "utf-8-sig")),
    "taiwanese": (("城市", "數量"), ("臺北市中正區", "高雄市左營區", "臺中市西屯區", "新竹縣竹北市"), ("big5",)),
    "korean": (("도시", "수량"), ("서울특별시", "부산광역시", "대구광역시", "인천광역시"), ("euc_kr",)),
    "emoji": (("mood", "count"), ("happy 😀", "sad 😢", "café ☕", "naïve"), ("utf-8", "utf-16", "utf-16-le", "utf-16-be")),
}  # fmt: skip


def cases() -> Iterator[Case]:
    """All cases of the family."""
    for language, ((place, count), words, encodings) in _LANGUAGES.items():
        for encoding in encodings:
            make = Fields(language + encoding, 30)
            fields = [make.serial("id"), make.word(place, words), make.integer(count), make.number("EUR")]
            expected = expect(*fields, doubts=() if encoding.startswith("utf") else ("encoding",))
            text = table_text(fields, delimiter=";" if language in ("german", "french") else ",")
            yield text_case("encodings", language, encoding, text, expected, encoding=encoding)
