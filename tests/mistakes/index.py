"""`uhhrag index`."""

from __future__ import annotations

from tests.mistakes.mistake import Mistake, flip, link_out

MISTAKES = (
    Mistake("no folder named", "uhhrag index", 2, "DATA"),
    Mistake("a folder that is not there", "uhhrag index nowhere", 3, "give the one that holds"),
    Mistake("a file in place of the folder", "uhhrag index gold.json", 3, "give the one that"),
    Mistake("a folder without claims.json", "uhhrag index dev", 3, "name the claims file by"),
    Mistake("a folder without a store", "uhhrag index alone", 3, "name the store by --store"),
    Mistake(
        "a claims file that is not there", "uhhrag index data --claims nowhere.json", 3, "give"
    ),
    Mistake("a folder as claims file", "uhhrag index data --claims empty", 3, "give a file"),
    Mistake("claims cut short", "uhhrag index data --claims cut.json", 3, "copy it again"),
    Mistake(
        "claims that are no list", "uhhrag index data --claims object.json", 3, "it must be a list"
    ),
    Mistake("an empty claims file", "uhhrag index data --claims empty.json", 3, "copy it again"),
    Mistake("a claims file without claims", "uhhrag index data --claims none.json", 3, "give"),
    Mistake("claims in another encoding", "uhhrag index data --claims latin.json", 3, "save it as"),
    Mistake("a claim that is a number", "uhhrag index data --claims number.json", 3, "must be"),
    Mistake("a part of a claims file", "uhhrag index data --claims part.json", 3, "leave claim_id"),
    Mistake("a claim without text", "uhhrag index data --claims blank.json", 3, "give it its text"),
    Mistake("a store that is not there", "uhhrag index data --store nowhere", 3, "give a folder"),
    Mistake(
        "a store that is no zip",
        "uhhrag index data --out i --store store.zip --claim 0",
        3,
        "by --store",
    ),
    Mistake(
        "a store without files",
        "uhhrag index data --out i --store empty --claim 0",
        8,
        "repair their",
    ),
    Mistake(
        "a store file that leads out of it",
        "uhhrag index data --out i --claim 0",
        8,
        "put the file",
        link_out,
    ),
    Mistake("a claim that is not there", "uhhrag index data --claim 99", 2, "give one of these"),
    Mistake("a negative claim", "uhhrag index data --claim -1", 2, "give"),
    Mistake("a claim that is no number", "uhhrag index data --claim two", 2, "integer"),
    Mistake("no claims at all", "uhhrag index data --limit 0", 2, "give"),
    Mistake("an empty pool", "uhhrag index data --pool 0", 2, "give"),
    Mistake("a pool that is no number", "uhhrag index data --pool many", 2, "integer"),
    Mistake("an embedder nobody knows", "uhhrag index data --embedder nowhere", 5, "models list"),
    Mistake(
        "an embedder not yet fetched", "uhhrag index data --embedder gte-base", 5, "run: uhhrag"
    ),
    Mistake("a folder that is no embedder", "uhhrag index data --embedder empty", 5, "give"),
    Mistake("a language model as embedder", "uhhrag index data --embedder notes.gguf", 5, "give"),
    Mistake("another index in the place", "uhhrag index data --pool 7", 4, "--overwrite"),
    Mistake("an index in a folder in use", "uhhrag index data --out dev", 4, "choose another"),
    Mistake(
        "a file in place of the index",
        "uhhrag index data --out gold.json",
        4,
        "choose another --out",
    ),
    Mistake("other claims than indexed", "uhhrag index data --claims other.json", 4, "--overwrite"),
    Mistake(
        "a damaged index", "uhhrag index data", 4, "run: uhhrag index", flip("index/manifest.json")
    ),
)
