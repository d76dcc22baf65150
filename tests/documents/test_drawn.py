"""What diagrams and charts of Word and PowerPoint show."""

from __future__ import annotations

import pytest
from lxml import etree

from uhhrag.documents.office.shared import drawn_texts

_OFFICE = "http://schemas.openxmlformats.org/drawingml/2006"
_SPACES = f'xmlns:a="{_OFFICE}/main" xmlns:d="{_OFFICE}/diagram" xmlns:c="{_OFFICE}/chart"'


class Packed(dict[str, str]):
    def tree(self, name):
        return etree.fromstring(self[name])


def drawn(part: str) -> list[str]:
    root = part.replace(">", f" {_SPACES}>", 1)
    holder = etree.fromstring(f"<a:p {_SPACES}><c:chart id='c1'/></a:p>")
    return [*drawn_texts(Packed({"a.xml": root}), {"c1": "a.xml"}, holder)]


def points(*texts: str, tag: str = "c:pt", **at: str) -> str:
    given = {**dict(enumerate(texts)), **{int(key[1:]): text for key, text in at.items()}}
    inner = "{}" if tag == "x:pt" else "<c:v>{}</c:v>"
    return "".join(f"<{tag} idx='{n}'>{inner.format(one)}</{tag}>" for n, one in given.items())


def series(name: str, labels: str, values: str, tag: str = "cat") -> str:
    value = "yVal" if tag == "xVal" else "val"
    return (
        f"<c:ser><c:tx>{points(name)}</c:tx><c:{tag}>{labels}</c:{tag}>"
        f"<c:{value}>{values}</c:{value}></c:ser>"
    )


def test_a_category_of_a_chart_stands_below_those_around_it():
    levels = f"<c:lvl>{points('May', 'June', 'May', 'June')}</c:lvl>"
    levels += f"<c:lvl>{points(_0='2019', _2='2020', _4='Mean')}</c:lvl>"
    chart = series("Births", levels, points("4", "5", "6", "7", "8"))
    assert drawn(f"<c:chart>{chart}</c:chart>") == [
        *("2019 – May; Births: 4", "2019 – June; Births: 5"),
        *("2020 – May; Births: 6", "2020 – June; Births: 7", "Mean; Births: 8"),
    ]


def test_what_a_filter_hides_of_a_chart_is_no_text():
    hidden = series("Deaths", points("Ost"), points("9"))
    shown = series("Births", points("Ost"), points("4"))
    chart = f"<c:chart>{shown}<c:extLst><c:ext>{hidden}</c:ext></c:extLst></c:chart>"
    assert drawn(chart) == ["Ost; Births: 4"]


def test_series_with_places_of_their_own_share_no_lines():
    chart = series("Ships", points("1990"), points("20"), "xVal")
    chart += series("Boats", points("2010"), points("30"), "xVal")
    assert drawn(f"<c:chart>{chart}</c:chart>") == ["1990; Ships: 20", "2010; Boats: 30"]


def test_a_chart_of_a_kind_since_2016_is_read():
    chart = (
        "<x:chartSpace xmlns:x='x'><x:data id='0'/><x:data id='1'><x:strDim><x:lvl>"
        f"{points('Ost', 'Vik', tag='x:pt')}</x:lvl></x:strDim><x:numDim><x:lvl>"
        f"{points('12', '15', tag='x:pt')}</x:lvl></x:numDim></x:data><x:series><x:tx><x:v>Births"
        "</x:v></x:tx><x:dataId val='1'/></x:series></x:chartSpace>"
    )
    assert drawn(chart) == ["Ost; Births: 12", "Vik; Births: 15"]


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("<a:p><a:r><a:t>In</a:t></a:r><a:br/><a:r><a:t>2019</a:t></a:r></a:p>", "In 2019"),
        ("<a:p><a:r><a:t>In</a:t></a:r></a:p><a:p><a:r><a:t>2019</a:t></a:r></a:p>", "In 2019"),
        (
            "<a:p><a:r><a:rPr strike='sngStrike'/><a:t>Not </a:t></a:r><a:r><a:t>sold</a:t></a:r>"
            "</a:p>",
            "sold",
        ),
    ],
)
def test_lines_and_struck_letters_of_a_diagram_and_a_title_are_read_as_shown(text, read_as):
    assert drawn(f"<d:dataModel><d:pt><d:t>{text}</d:t></d:pt></d:dataModel>") == [read_as]
    assert drawn(f"<c:chart><c:title>{text}</c:title></c:chart>") == [read_as]


def test_the_points_of_a_diagram_come_in_the_order_of_its_links():
    texts = {"2": "Then it was sold.", "3": "It was bought.", "4": "By the county.", "5": "Loose."}
    point = "<d:pt modelId='{}'><d:t><a:p><a:r><a:t>{}</a:t></a:r></a:p></d:t></d:pt>".format
    links = (("1", "3", 0), ("1", "2", 1), ("3", "4", 0), ("4", "3", 0))
    link = "<d:cxn srcId='{}' destId='{}' srcOrd='{}'/>".format
    model = "<d:pt modelId='1' type='doc'/>" + "".join(point(*one) for one in texts.items())
    model += "<d:cxn type='presOf' srcId='1' destId='5' srcOrd='0'/>"
    model += "".join(link(*one) for one in links)
    assert drawn(f"<d:dataModel>{model}</d:dataModel>") == [
        *("It was bought.", "By the county.", "Then it was sold.", "Loose."),
    ]
