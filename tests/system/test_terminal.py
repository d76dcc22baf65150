"""What a terminal shows: columns of a table, and progress."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from tests.support.waiting import until
from uhhrag.system import terminal
from uhhrag.system.terminal import WIDTH, columns, counter, printable

CELLS = st.text("abc 1.", max_size=30).map(str.strip)


def test_texts_stand_on_the_left_and_numbers_on_the_right():
    rows = [("measure", "mean", "95 % interval"), ("Q", "0.5", "0.4 to 0.6"), ("Q+A", "10.25", "")]
    assert columns(rows, "<><") == [
        "measure   mean  95 % interval",
        "Q          0.5  0.4 to 0.6",
        "Q+A      10.25",
    ]


def test_a_first_cell_that_is_too_long_is_cut_and_shown_to_be():
    (line,) = columns([("name " * 20, "0.1234")], "<>")
    assert len(line) == WIDTH
    assert line.endswith("…  0.1234")


@given(st.lists(st.tuples(st.text("ab", max_size=200), CELLS, CELLS), min_size=1, max_size=5))
def test_no_line_is_wider_than_the_terminal_and_no_later_cell_is_lost(rows):
    for line, row in zip(columns(rows, "<><"), rows, strict=True):
        assert len(line) <= WIDTH
        assert row[1] in line
        assert line.endswith(row[2])


def test_what_joins_letters_within_words_stays():
    assert printable("می\u200cخواهم क्\u200dष \u202eevil") == "می\u200cخواهم क्\u200dष \ufffdevil"


def test_the_time_left_of_a_resumed_command_is_that_of_new_work(monkeypatch, capsys):
    clock = iter([0.0, *range(10, 100, 10)])  # 60 of 100 read from disk at once, then one in 10 s
    monkeypatch.setattr(terminal.time, "monotonic", lambda: float(next(clock)))
    count = counter("claims")
    for done in range(60, 69):
        count(done, 100)
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first == "claims: 61/100, 10.0 s each, 390 s left"
    assert last == "claims: 68/100, 10.0 s each, 320 s left"


def test_the_bar_says_what_is_done_now(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setenv("COLUMNS", "80")

    def claims():
        for words in ("searching", "voting (verifier)"):
            terminal.show_stage(words)
            until(lambda words=words: words in shown.getvalue())
        yield 1

    assert list(terminal.progress(claims(), 1, "claims")) == [1]
