"""Tables typed in columns whose rows have blank cells: a figure has the name it stands below."""

from __future__ import annotations

from uhhrag.documents.plain.text import plain_document

SHEET = """                              Note       2023         2022
                                         £'000        £'000
FIXED ASSETS
Tangible assets                 4        1,250        1,310
                                         -----        -----
                                         1,350        1,450

Stocks                                     120          110
CREDITORS: amounts falling due
within one year                 7         (420)        (390)
Debts ....................      8     $     40     $     30
TOTAL ASSETS LESS
LIABILITIES                              1,385        1,425
                                         =====        =====
"""


def test_figures_of_a_balance_sheet_have_the_years_they_stand_below() -> None:
    shown = plain_document(f"{SHEET}\nIt was approved by the board in May.\n").lines
    assert shown[0] == "Note; 2023; 2022"
    assert shown[2:] == (
        "FIXED ASSETS",
        "Tangible assets; Note: 4; 2023 (£'000): 1,250; 2022 (£'000): 1,310",
        "2023 (£'000): 1,350; 2022 (£'000): 1,450",
        "Stocks; 2023 (£'000): 120; 2022 (£'000): 110",
        "CREDITORS: amounts falling due within one year; Note: 7; "
        "2023 (£'000): (420); 2022 (£'000): (390)",
        "Debts; Note: 8; 2023 (£'000): $40; 2022 (£'000): $30",
        "TOTAL ASSETS LESS LIABILITIES; 2023 (£'000): 1,385; 2022 (£'000): 1,425",
        "It was approved by the board in May.",
    )


def test_names_below_a_blank_line_begin_a_table_of_their_own() -> None:
    years = "           2019   2020\nShips        14     12\nBoats               3\n"
    years += "Rafts         5      6\nAll          19     21\n"
    votes = "Ward          Yes     No\nNorth       1,204    980\nSouth         870\n"
    votes += "East          112     90\nAll         2,186  1,070\n"
    assert plain_document(f"{years}\n{votes}").lines == (
        *("2019; 2020", "Ships; 2019: 14; 2020: 12", "Boats; 2020: 3", "Rafts; 2019: 5; 2020: 6"),
        *("All; 2019: 19; 2020: 21", "Ward; Yes; No", "Ward: North; Yes: 1,204; No: 980"),
        *("Ward: South; Yes: 870", "Ward: East; Yes: 112; No: 90"),
        "Ward: All; Yes: 2,186; No: 1,070",
    )


def test_a_cell_below_no_column_leaves_lines_as_they_are() -> None:
    text = "Vik        5      6   7\nOst        7\nMoe   a text that is long   8      9\n"
    assert "Vik 5 6 7" in " ".join(plain_document(text).lines)


def test_an_amount_in_one_of_two_columns_has_its_name() -> None:
    text = "Date         Text             Debit      Credit     Balance\n"
    text += "3 May 2024   Ferry repairs    5,000.00              12,000.00\n"
    text += "4 May 2024   Ticket sales                1,200.00   13,200.00\n"
    text += "5 May 2024   Fuel               700.00              12,500.00\n"
    assert plain_document(text).lines[1:] == (
        "Date: 3 May 2024; Text: Ferry repairs; Debit: 5,000.00; Balance: 12,000.00",
        "Date: 4 May 2024; Text: Ticket sales; Credit: 1,200.00; Balance: 13,200.00",
        "Date: 5 May 2024; Text: Fuel; Debit: 700.00; Balance: 12,500.00",
    )


def test_a_name_over_several_columns_and_groups_are_those_of_each() -> None:
    text = (
        "                 Three months      Six months\n"
        "                 2024    2023     2024   2023\n"
        "                 ----    ----     ----   ----\n"
        "Sales           1,200   1,100    2,400  2,300\n"
        "Expenses:\n"
        "  Boats            12      11       24     23\n"
        "  Ropes             4       3        8      7\n"
    )
    months = [f"{span} months – {year}" for span in ("Three", "Six") for year in (2024, 2023)]
    rows = ("Sales", "1,200 1,100 2,400 2,300"), ("Boats", "12 11 24 23"), ("Ropes", "4 3 8 7")
    shown = {
        "; ".join((name, *(f"{a}: {b}" for a, b in zip(months, values.split(), strict=True))))
        for name, values in rows
    }
    assert shown <= {*plain_document(text).lines}
