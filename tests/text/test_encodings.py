"""The encoding of a text: what browsers would read it in, and what is lost said."""

from __future__ import annotations

import pytest

from uhhrag.text.encodings import Decoded, decode

LONG = "The council of the town met on Monday and spoke for two hours about it. " * 6
WESTERN = (
    "The toll is £5 per car since 2011. The council set it.",
    "The mayor’s office said no.",
    "He said “never” to it.",
    "It cost €450 – not €540.",
    "The café on Rue d’Été was closed.",
    "Prices rose 3½ per cent.",
    "It was 30° in Østvik.",
    "A naïve idea — he said.",
    "The firm’s profit: £3m, of £20m £30m",
    "São Paulo has 12 million people.",
    "The señor paid £20 £30 £40.",
    "§ 5 applies to 10 µg per litre.",
    "“No,” she said. “We didn’t.”",
    "Die Brücke über den Fluß wurde 2011 für 5 Mio. € gebaut.",
    "L’école a été fermée en août à cause de la grève générale.",
    "El año pasado la población creció.",
    "Kommunestyret på Østlandet vedtok å kjøpe ferjen.",
)
OTHERS = (
    ("cp1251", "Мост был построен в 2011 году. Мэр сказал «нет»."),
    ("koi8-r", "Мост был построен в 2011 году."),
    ("cp866", "Мост был построен в 2011 году."),
    ("cp1253", "Η γέφυρα χτίστηκε το 2011."),
    ("cp1255", "הגשר נבנה בשנת 2011."),
    ("cp1256", "تم بناء الجسر في عام 2011."),
    ("shift_jis", "橋は2011年に建設された。"),
    ("euc-jp", "橋は2011年に建設された。"),
    ("gbk", "大桥建于2011年。市长没有同意。"),
    ("big5", "大橋建於2011年。市長沒有同意。"),
    ("euc-kr", "다리는 2011년에 건설되었다."),
    ("cp1250", "Most został zbudowany w 2011 roku. Rada miasta uchwaliła opłatę."),
    ("cp1254", "Köprü 2011 yılında inşa edildi. Belediye başkanı söyledi."),
)


@pytest.mark.parametrize("before", ["", LONG])
@pytest.mark.parametrize("text", WESTERN)
def test_what_declares_nothing_and_is_not_utf_8_is_cp1252(text, before):
    assert decode((before + text).encode("cp1252")) == Decoded(before + text, "cp1252")


@pytest.mark.parametrize("before", ["", LONG])
@pytest.mark.parametrize(("encoding", "text"), OTHERS)
def test_another_script_is_told_by_its_words(encoding, text, before):
    assert decode((before + text).encode(encoding)).text == before + text


@pytest.mark.parametrize("declared", ["iso-8859-1", "latin1", "US-ASCII", "ISO_8859-1", "cp1252"])
def test_latin_1_is_declared_for_what_is_cp1252(declared):
    assert decode(b"The county\x92s fee is \x80450 \x96 not \x80540.", declared).text == (
        "The county’s fee is €450 – not €540."
    )


@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1251", "utf-7", "hex", "no\x00", ""])
def test_valid_utf_8_is_utf_8_whatever_is_declared(declared):
    assert decode("Cafés à €5".encode(), declared) == Decoded("Cafés à €5", "utf-8")


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        *(("koi8-r", "Мост"), ("gb2312", "大桥"), ("iso-8859-2", "Łódź"), ("shift_jis", "橋")),
        *(("ibm850", "Brønnøy"), ("cp852", "Łódź")),
    ],
)
def test_what_is_declared_is_believed(declared, text):
    assert decode(text.encode(declared), declared).text == text


@pytest.mark.parametrize(
    ("raw", "declared", "decoded"),
    [
        (b"Caf\xc3\xa9s, caf\xc3\xa9 \x81", "", Decoded("Cafés, café \ufffd", "utf-8", 1)),
        (b"\xff", "utf-8", Decoded("\ufffd", "utf-8", 1)),
        (b"a\x81\x8d", "latin1", Decoded("a\ufffd\ufffd", "cp1252", 2)),
        ("\ufffd".encode(), "", Decoded("\ufffd", "utf-8", 0)),
        (b"\xff\xfea\x00\x00\xd8", "", Decoded("a\ufffd\ufffd", "utf-16-le", 2)),
    ],
)
def test_bytes_that_are_no_character_are_counted(raw, declared, decoded):
    assert decode(raw, declared) == decoded


@pytest.mark.parametrize(
    ("declared", "known"), [("iso-8859-8-i", "cp1255"), ("windows-874", "cp874")]
)
def test_names_of_the_web_for_encodings_are_known(declared, known):
    raw = b"\xe1\xe2"
    assert decode(raw, declared).text == raw.decode(known)


def test_utf_8_is_not_believed_where_no_byte_fits_it():
    text = "The fee is £5 – or £6 – in Brønnøy."
    assert decode(text.encode("cp1252"), "utf-8") == Decoded(text, "cp1252")


def test_spaces_of_thousands_before_a_euro_are_no_letters_of_dos():
    text = "Ville;Budget\r\nVik;1\xa0250\xa0000,00\xa0€\r\nOst;-12\xa0000,50\xa0€\r\n"
    assert decode(text.encode("cp1252")) == Decoded(text, "cp1252")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text",
    [
        "Мост был построен в 2011 году, да.",
        "Η γέφυρα χτίστηκε το 2011.",
        "　船は二〇一九年に売却された。\r\n市は否定した。",
        "그 배는 2019년에 팔렸다.",
        "渡轮于二〇一九年出售。",
        "フェリーは売却されていない。",
    ],
)
def test_utf_16_of_another_alphabet_needs_no_mark(encoding, text):
    assert decode(text.encode(encoding)) == Decoded(text, encoding)
    assert decode(b"ab\x00c").encoding == "utf-8"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_decides(encoding):
    assert decode("It is £5.".encode(encoding), "cp1251").text == "It is £5."


def test_utf_8_that_was_written_twice_is_put_right_and_letters_in_quotes_stay():
    twice = "The fee isn’t £5 – it’s free.".encode().decode("cp1252").encode()
    assert decode(twice).text == "The fee isn’t £5 – it’s free."
    quoted = "He wrote “Å”, “Ã” and “â” there."
    assert decode(quoted.encode()).text == quoted


@pytest.mark.parametrize("before", ["", LONG])
@pytest.mark.parametrize("encoding", ["cp850", "mac-roman"])
@pytest.mark.parametrize(
    "text",
    [
        "Blåbær fra København koster £5.",
        "Ort;Gebühr\nZürich;5\nMühle;7\n",
        "Été: la grève générale à Montréal coûte 5.",
        "Mäkelä söi hyvää jäätelöä Jyväskylässä.",
        "El niño está aquí; los médicos también y América.",
    ],
)
def test_pages_of_dos_and_the_macintosh_are_told_by_letters_within_words(text, encoding, before):
    assert decode((before + text).encode(encoding)) == Decoded(before + text, encoding)


@pytest.mark.parametrize(
    "text",
    [
        "He said “never”to it, “no”and left.",
        "It was–or–is…so—here”he said‘so.",
        "Le cœur, la sœur’s, Žižek.",
    ],
)
def test_punctuation_between_letters_is_that_of_cp1252(text):
    assert decode(text.encode("cp1252")) == Decoded(text, "cp1252")


def test_an_encoding_that_no_letters_tell_is_said_to_be_unsure():
    found = decode("Było większe i zażądał więcej pięknych.".encode("cp852"))
    assert found.fault == "is in an encoding other than cp1252, it seems; save it as UTF-8"
    assert decode(b"K\x94ln ist sch\x94n.").unsure
    assert not decode(b"K\x94ln.").unsure
