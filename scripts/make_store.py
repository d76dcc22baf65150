"""Make claims and a knowledge store of the size and shape of the real ones, for benchmarks.

Lines are pieces of the sentences of a smaller store (AVeriTeC's reference folder), put together
anew. As in the real store (73 MB and about a thousand pages a claim): 13 of 100 lines are exact
repeats, on mirrors of earlier pages; most lines have 50 to 460 characters and one in a hundred is
long, up to 449,035; some pages are empty. A word that stands once in the smaller store is coined
anew each time, from halves of such words, so that the vocabulary goes on growing. The claim's own
lines are among the others, unchanged. The same arguments give the same bytes.

usage: python -m scripts.make_store OUT [--lines N] [--claims N] [--seed N] [--from AVERITEC_FOLDER]
"""

import argparse
import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson

from scripts.reference import reference_data

REPEATED, EMPTY, LONG = 0.13, 0.03, 0.0095
LONGEST, PAGE = 449_035, 300
"""characters of the longest line; lines of a page, on average"""


class Words:
    """Sentences of the smaller store as lists of words, and the words that stand there once."""

    def __init__(self, lines: Sequence[str], seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - drawn to be drawn again
        self.sentences = [words for line in lines if len(words := line.split()) > 3]
        number = Counter(itertools.chain.from_iterable(self.sentences))
        self.rare = [word for word, times in number.items() if times == 1 and len(word) > 3]
        self._is_rare = frozenset(self.rare)

    def line(self) -> str:
        """The start of one sentence and the end of another; seldom very many of them."""
        draw = self.random
        first, second = draw.choice(self.sentences), draw.choice(self.sentences)
        cut = draw.random()
        words = first[: round(len(first) * cut)] + second[round(len(second) * cut) :]
        if draw.random() < LONG:
            wanted = min(1200 * draw.paretovariate(1.05), LONGEST)
            length = sum(map(len, words)) + len(words)
            while length < wanted:
                more = draw.choice(self.sentences)
                words += more
                length += sum(map(len, more)) + len(more)
        return " ".join(self._coined() if word in self._is_rare else word for word in words)[
            :LONGEST
        ]

    def _coined(self) -> str:
        one, other = self.random.choice(self.rare), self.random.choice(self.rare)
        return one[: len(one) // 2] + other[len(other) // 2 :]


def pages(own: Sequence[str], words: Words, lines: int) -> Iterator[tuple[str, list[str]]]:
    """URL and lines of each page, until there are so many lines."""
    draw = words.random
    made: list[tuple[str, list[str]]] = []
    left, waiting = lines, list(own)
    draw.shuffle(waiting)
    while left > 0:
        url = f"https://site-{len(made)}.example/{draw.randrange(10**6)}"
        size = min(left, 1 + int(draw.expovariate(1 / PAGE)), 10 * PAGE)
        if draw.random() < EMPTY:
            yield url, []
            continue
        if made and draw.random() < REPEATED:
            mirrored, content = draw.choice(made)
            page = f"https://web.archive.example/{len(made)}/{mirrored}", content[:left]
        else:
            share = min(len(waiting), max(1, round(len(own) * size / lines)))
            mine = [waiting.pop() for _ in range(share)] if waiting else []
            content = mine + [words.line() for _ in range(size - len(mine))]
            draw.shuffle(content)
            page = url, content[:left]
            made.append(page)
        left -= len(page[1])
        yield page


def lines_of(file: Path) -> list[str]:
    rows = [orjson.loads(row) for row in file.read_bytes().splitlines()]
    return list(dict.fromkeys(line for row in rows for line in row["url2text"] if line.strip()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--lines", type=int, default=300_000, help="of each claim")
    parser.add_argument("--claims", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--from", dest="source", type=Path, default=reference_data())
    asked = parser.parse_args()
    claims = json.loads((asked.source / "dev60.json").read_text())[: asked.claims]
    folder = asked.out / "knowledge_store"
    folder.mkdir(parents=True, exist_ok=True)
    files = [asked.source / "knowledge_store" / f"{i}.json" for i in range(60)]
    every = list(dict.fromkeys(itertools.chain.from_iterable(map(lines_of, files))))
    for position, claim in enumerate(claims):
        words = Words(every, asked.seed * 1000 + position)
        with (folder / f"{position}.json").open("wb") as out:
            for url, lines in pages(lines_of(files[position]), words, asked.lines):
                record = {"claim_id": str(position), "type": "made", "query": claim["claim"]}
                out.write(orjson.dumps({**record, "url": url, "url2text": lines}) + b"\n")
    (asked.out / "claims.json").write_text(json.dumps(claims, indent=1))
    print(f"{len(claims)} claims of {asked.lines:,} lines → {asked.out}")


if __name__ == "__main__":
    main()
