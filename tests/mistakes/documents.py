"""`uhhrag ingest`, `check` and `serve`."""

from __future__ import annotations

from tests.mistakes.mistake import Mistake

MISTAKES = (
    # ingest
    Mistake(
        "a folder of documents not there", "uhhrag ingest nowhere --out s --no-vectors", 3, "give"
    ),
    Mistake("no documents in the folder", "uhhrag ingest empty --out s --no-vectors", 3, "give"),
    Mistake("no archive named", "uhhrag ingest data", 2, "--out"),
    Mistake(
        "a file for an archive",
        "uhhrag ingest texts --out gold.json --no-vectors",
        2,
        "give a folder",
    ),
    Mistake(
        "a document that cannot be read", "uhhrag ingest bad --out s --no-vectors", 9, "see above"
    ),
    # search
    Mistake("words without documents", "uhhrag search rain", 2, "--docs"),
    Mistake("a search without a word", "uhhrag search '?!' --docs texts", 2, "no word"),
    Mistake("a search of nothing", "uhhrag search rain --docs nowhere", 3, "name it by --docs"),
    # mcp, claims, bundle
    Mistake("an assistant without documents", "uhhrag mcp", 2, "--docs"),
    Mistake(
        "documents for an assistant that are not there", "uhhrag mcp --docs nowhere", 3, "name"
    ),
    Mistake("checked claims of another kind", "uhhrag claims import texts/a.txt", 3, "give one of"),
    Mistake("a file without a checked claim", "uhhrag claims import gold.json", 3, "give Claim"),
    Mistake("a bundle of an unknown model", "uhhrag bundle --models soup", 5, "there are"),
    # check and serve
    Mistake("an engine without an index", "uhhrag check Rain. --docs http://[::1]:9", 2, "reads"),
    Mistake(
        "an engine elsewhere",
        "uhhrag check Rain. --docs http://news.example/a",
        2,
        "--allow-remote",
    ),
    Mistake("a claim without documents", "uhhrag check 'It rained.'", 2, "--docs"),
    Mistake("documents that are not there", "uhhrag check Rain. --docs nowhere", 3, "name it by"),
    Mistake("no claim to check", "uhhrag check --docs texts", 2, "give one claim"),
    Mistake("two claims", "uhhrag check Rain. Snow. --docs texts", 2, "--claims FILE"),
    Mistake("an empty claim", "uhhrag check ' ' --docs texts", 2, "give"),
    Mistake("an invalid date", "uhhrag check Rain. --docs texts --date soon", 2, "give YYYY"),
    Mistake(
        "a limit by a date not given",
        "uhhrag check Rain. --docs texts --before claim-date",
        2,
        "add --date",
    ),
    Mistake(
        "a draft and a claim",
        "uhhrag check Rain. --docs texts --article texts/a.txt",
        2,
        "leave out",
    ),
    Mistake(
        "the page of no draft",
        "uhhrag check Rain. --docs texts --html page.html",
        2,
        "give it by --article",
    ),
    Mistake(
        "a draft that is not there", "uhhrag check --docs texts --article nowhere.txt", 3, "cannot"
    ),
    Mistake(
        "a draft of another kind", "uhhrag check --docs texts --article marks2.csv", 3, "give one"
    ),
    Mistake("no claims in the file", "uhhrag check --docs texts --claims empty.json", 3, "copy it"),
    Mistake("claims without a column", "uhhrag check --docs texts --claims marks2.csv", 3, "claim"),
    Mistake("an unknown recipe", "uhhrag predict --recipe soup", 2, "it is one of"),
    Mistake("an invalid recipe", "uhhrag predict --recipe notes.toml", 3, "it can have"),
    Mistake("nothing to serve", "uhhrag serve --index nowhere", 4, "run: uhhrag index"),
    Mistake("documents served as a run", "uhhrag serve texts", 2, "--docs texts"),
    Mistake("an invalid port", "uhhrag serve --index index --port 99999", 2, "--help"),
    Mistake(
        "open to others without a token", "uhhrag serve --index index --host 0.0.0.0", 2, "--token"
    ),
)
