"""The encoding of a text that does not say it: by its words, with the runner-up told, in every script."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from rights_of_person import PERSON

from assistant.sources.addresses import addresses
from assistant.sources.opening import open_source
from assistant.sources.reading.encodings import decoding_of

_TEXTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Polish": ("sklep;sprzedaż\nPoznań;4\nBiałystok;7\nRzeszów;1\nŻory;2\n", ("cp1250", "iso8859_2", "cp852")),
    "Czech": (
        "kraj,počet\nJihočeský,4\nZlínský,2\nKrálovéhradecký,8\nPardubický,1\n",
        ("cp1250", "iso8859_2", "cp852"),
    ),
    "Hungarian": ("megye,fő\nKőszeg,4\nSzűcs Béla,2\nHódmezővásárhely,8\n", ("cp1250", "iso8859_2", "cp852")),
    "Russian": ("магазин,выручка\nЕкатеринбург,4\nСочи,2\nНижний Новгород,8\n", ("cp1251", "koi8_r", "cp866")),
    "Ukrainian": ("область,кількість\nХарків,4\nІвано-Франківськ,2\nЖитомир,8\n", ("cp1251", "koi8_u")),
    "Greek": ("κατάστημα,πωλήσεις\nΗράκλειο,4\nΒόλος,2\nΛάρισα,8\n", ("cp1253", "iso8859_7")),
    "Turkish": ("mağaza,satış\nEskişehir,4\nDiyarbakır,2\nÇorum,8\n", ("cp1254", "iso8859_9")),
    "Hebrew": ("חנות,מכירות\nבאר שבע,4\nאשדוד,2\nנתניה,8\n", ("cp1255", "iso8859_8")),
    "Arabic": ("الفرع,الكمية\nالقاهرة,4\nالإسكندرية,2\nأسوان,8\n", ("cp1256",)),
    "Japanese": ("店舗,売上\n札幌店,4\n名古屋店,2\nなんば店,8\n", ("cp932", "euc_jp", "iso2022_jp")),
    "Korean": ("매장,매출\n대전점,4\n광주점,2\n제주점,8\n", ("cp949",)),
    "Chinese": ("门店,销售额\n杭州店,4\n南京店,2\n重庆店,8\n", ("gb18030",)),
    "Chinese of Taiwan": ("門市,營業額\n臺南店,4\n嘉義店,2\n基隆店,8\n", ("big5",)),
    "French": ("région,employés\nRhône,4\nFinistère,2\nLozère,8\nça va,3\n", ("cp1252", "mac_roman", "cp850", "cp437")),
    "German": ("Straße,Stück\nGärtnerweg,4\nÖlmühle,2\nHöhenstraße,8\n", ("cp1252", "mac_roman", "cp850", "cp437")),
}
_CASES = [(text, codec) for text, codecs in _TEXTS.values() for codec in codecs]
_IDS = [f"{language}-{codec}" for language, (_, codecs) in _TEXTS.items() for codec in codecs]


def _read(content: bytes, folder: Path) -> tuple[str, str]:
    """The text as it is read, with line ends of one kind, and the note on its encoding."""
    path = folder / "table.csv"
    path.write_bytes(content)
    decoding = decoding_of(path)
    return content.decode(decoding.codec, "replace").replace("\r\n", "\n"), decoding.note


@pytest.mark.parametrize(("text", "codec"), _CASES, ids=_IDS)
def test_a_text_is_read_in_its_encoding_which_is_said(text: str, codec: str, tmp_path: Path) -> None:
    read, note = _read(text.encode(codec), tmp_path)
    assert read == text
    assert "the file does not say its encoding" in note


@pytest.mark.parametrize(("text", "codec"), [case for case in _CASES if case[1] != "iso2022_jp"])
def test_words_under_a_plain_header_after_a_megabyte_of_ascii_are_enough(text: str, codec: str, tmp_path: Path) -> None:
    lines = text.splitlines()[1:]
    head = "name,amount\n" + "plain words,12\n" * 80_000
    read, _ = _read((head + "\n".join(lines)).encode(codec), tmp_path)
    assert read.splitlines()[-len(lines) :] == lines


@pytest.mark.parametrize(
    ("names", "codec"),
    [
        ("Nowak\nWiśniewska\nWójcik\nKamiński\n", "cp1250"),
        ("Смирнов\nКузнецова\nПопов\n", "cp1251"),
        ("Παπαδόπουλος\nΝικολάου\n", "cp1253"),
        ("山田花子\n小林一郎\n", "cp932"),
        ("محمد علي\nفاطمة حسن\n", "cp1256"),
        ("García\nMuñoz\nPeña\n", "cp1252"),
        ("Þórunn\nSigurður\nBjörk Guðmundsdóttir\n", "cp1252"),
        ("Jürgen\nRenée\nSøren\nBegoña\n", "cp1252"),
        ("Yıldız\nŞahin\nÖztürk\n", "cp1254"),
    ],
)
def test_a_column_of_names_is_enough(names: str, codec: str, tmp_path: Path) -> None:
    assert _read(f"name\nSmith\n{names}".encode(codec), tmp_path)[0] == f"name\nSmith\n{names}"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("language", ["German", "Russian", "Japanese"])
def test_wide_encodings_need_no_mark(codec: str, language: str, tmp_path: Path) -> None:
    text = _TEXTS[language][0]
    read, note = _read(text.encode(codec), tmp_path)
    assert read == text
    assert "which it does not say itself" in note


def test_little_evidence_names_the_runner_up(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes("word\nnaïve\n".encode("cp1252"))
    decoding = decoding_of(path)
    assert decoding.codec == "cp1252"
    assert decoding.rival == "It may be Windows-1250 (Central European), in which 'naïve' is 'naďve'."
    assert (decoding.is_guess, decoding.rival_codec) == (True, "cp1250")


def test_a_few_broken_bytes_make_no_other_encoding(tmp_path: Path) -> None:
    whole = "Stadt;Größe\nKöln;1\nMünchen;2\nZürich;3\nTübingen;4\n".encode()
    read, note = _read(whole + b"Gie\xdfen;5\n", tmp_path)
    assert read.splitlines()[1:] == ["Köln;1", "München;2", "Zürich;3", "Tübingen;4", "Gie�en;5"]
    assert note == "read as UTF-8, although some of its bytes are not; � stands for these"


def test_utf_8_is_said_by_nobody_and_needs_no_note(tmp_path: Path) -> None:
    assert _read("Łódź,Größe,東京\n".encode(), tmp_path) == ("Łódź,Größe,東京\n", "")
    assert _read(b"plain\n1\n", tmp_path) == ("plain\n1\n", "")


def test_a_source_says_the_guess_and_a_file_beside_it_corrects_it(tmp_path: Path) -> None:
    async def opened() -> tuple[list[object], tuple[str, ...]]:
        source = await open_source(addresses(str(tmp_path / "naive.csv"), PERSON)[0], folder=tmp_path / "loaded")
        try:
            rows = (await source.run("SELECT word FROM naive")).table.to_pylist()
            return [row["word"] for row in rows], source.notes
        finally:
            await source.close()

    (tmp_path / "naive.csv").write_bytes("word,n\nnaďve,1\nplain,2\n".encode("cp1250"))
    words, notes = asyncio.run(opened())
    assert words == ["naïve", "plain"]
    assert notes[0].startswith("naive.csv: Read as Windows-1252 (Latin-1); the file does not say its encoding")
    (tmp_path / "naive.csv.tandem.toml").write_text('encoding = "cp1250"\n')
    words, notes = asyncio.run(opened())
    assert words == ["naďve", "plain"]
    assert "naive.csv: read as Windows-1250 (Central European) text" in notes
