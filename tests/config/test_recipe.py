"""Recipes: the papers' systems as files, every number with its section; what goes before what."""

from __future__ import annotations

import re
import shutil
from types import SimpleNamespace

import pytest

from tests.support.paths import ROOT
from uhhrag.approaches import APPROACHES
from uhhrag.config.choices import Choices, Questions
from uhhrag.config.recipe import names, read_recipe
from uhhrag.config.settings import build_settings
from uhhrag.errors import InputError, UhhragError, UsageError
from uhhrag.evidence.context import Answers
from uhhrag.rules.rules import Decoding
from uhhrag.workflows.method import choose, warnings_of

FOLDER = ROOT / "uhhrag" / "config" / "recipes"


def settled(recipe, **values):
    return build_settings(values, recipe)


@pytest.fixture
def written(tmp_path):
    def write(text: str) -> str:
        (tmp_path / "own.toml").write_text(text)
        return str(tmp_path / "own.toml")

    return write


def test_there_is_one_for_each_paper():
    assert names() == ["chen", "fzi-wim", "papelo", "uhh"]


@pytest.mark.parametrize("name", names())
def test_every_setting_of_a_recipe_names_where_its_paper_says_so(name):
    assert len(read_recipe(name).paper) > 20
    for line in (FOLDER / f"{name}.toml").read_text().splitlines():
        if "=" in line and not line.startswith(("paper", "#")):
            assert re.search(r"# .*(section|Table|appendix|figure|limitations)", line), line
            assert len(line) <= 100


@pytest.mark.parametrize("name", names())
def test_every_recipe_makes_settings_that_exist(name):
    recipe = read_recipe(name)
    settings = settled(recipe)
    assert settings.approach == recipe.approach
    assert settings.rule == recipe.rule
    assert settings.top == recipe.top_n


@pytest.mark.parametrize("name", names())
def test_a_recipe_adds_nothing_to_the_answers_of_its_paper(name):
    assert settled(read_recipe(name)).answers is Answers.SENTENCE


@pytest.mark.parametrize("name", [name for name in names() if name != "uhh"])
def test_the_options_of_a_recipe_are_the_defaults_of_its_approach(name):
    recipe = read_recipe(name)
    assert settled(recipe).options == APPROACHES[recipe.approach].options()
    assert settled(recipe).top == APPROACHES[recipe.approach].top


def test_uhh_is_what_the_paper_ran():
    settings = settled(read_recipe("uhh"))
    assert settings.choices == Choices(
        approach="retrieve-question",
        rule="majority",
        top=10,
        questions=Questions.LLM,
        answers=Answers.SENTENCE,
        decoding=Decoding.PAPER,
        voter="llm",
        llm="mixtral-8x7b",
    )


def test_chen_has_its_limits():
    settings = settled(read_recipe("chen"))
    assert settings.limits.before == "claim-date"
    assert "politifact.com" in settings.limits.sites


def test_what_is_given_goes_before_the_recipe_and_the_recipe_before_the_defaults():
    recipe = read_recipe("papelo")
    settings = settled(recipe, rule="pairs-four", option=("hits=3",))
    assert (settings.rule, settings.options.hits) == ("pairs-four", 3)
    assert settings.decoding is Decoding.PAPER
    # the default, but asked for
    assert settled(recipe, decoding=Decoding.CONSTRAINED).decoding is Decoding.CONSTRAINED


def test_options_of_a_recipe_do_not_reach_another_approach():
    settings = settled(read_recipe("papelo"), approach="question-retrieve")
    assert settings.choices.options == ()


def test_a_recipe_of_ones_own_has_the_same_keys(written, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "ask_next_examples.txt").write_text("One.\n")
    recipe = read_recipe(
        written(
            'approach = "pursuit"\nprompts = "mine"\nundated = false\n'
            '[set]\nhits = 3\nmetadata = false\n[models]\nllm = "x.gguf"\n'
        )
    )
    settings = settled(recipe)
    assert (settings.options.hits, settings.options.metadata) == (3, False)
    assert (settings.llm, settings.limits.undated) == ("x.gguf", False)
    assert settings.templates.texts["ask_next_examples"] == "One."


def test_options_of_a_recipe_without_an_approach_hold_for_any(written):
    recipe = read_recipe(written("\ufeff[set]\nhits = 3\n"))
    assert settled(recipe, approach="pursuit").options.hits == 3
    with pytest.raises(UsageError, match="retrieve-question has no options of its own"):
        settled(recipe)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("aproach = 'pursuit'", "unknown key aproach"),
        ("name = 'x'", "unknown key name"),
        ("top = 5", "unknown key top; is top_n meant? it can have: answers,"),
        ("llm = 'x'", "unknown key llm; is [models] llm meant? it can have: answers,"),
        ("[models]\nlm = 'x'", "[models] has the unknown key lm; is llm meant? it can have"),
        ("top_n = 'five'", "top_n: is a text; it must be a whole number"),
        ("models = 3", "models: is a whole number; it must be an object"),
        ("set = 'hits=3'", "set: is a text; it must be an object"),
        ("[set]\nhits = [3]", "[set] hits: is a list; it must be"),
        ("top_n = ", "cannot be read"),
        ("top_n = 5\ntop_n = 6", "cannot be read"),
        ("approach = 'nothing'", "--approach nothing is unknown"),
        ("decoding = 'fast'", "decoding = 'fast' is unknown"),
        ("rule = 'x'", "--rule x is unknown"),
        ("approach = 'pursuit'\n[set]\nhits = 'many'", "give a whole number"),
        ("approach = 'pursuit'\n[set]\nnothing = 1", "can have NAME=VALUE of"),
        ("approach = 'pursuit'\nquestions = 'template'", "asks a language model"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_refused_in_one_line(written, text, told):
    with pytest.raises(UhhragError) as caught:
        settled(read_recipe(written(text)))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_recipe_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(UsageError, match="--recipe averitec is unknown; it is one of: chen,"):
        read_recipe("averitec")
    with pytest.raises(InputError, match=r"cannot be read \(No such file or directory\); give a"):
        read_recipe(str(tmp_path / "nowhere.toml"))
    (tmp_path / "latin.toml").write_bytes(b"paper = '\xff'")
    with pytest.raises(InputError, match="cannot be read"):
        read_recipe(str(tmp_path / "latin.toml"))


def test_an_index_with_another_embedder_than_the_recipes_is_named():
    def warnings(chosen, embedder):
        header = {"index": {"embedder": {"name": embedder}}}
        return warnings_of(SimpleNamespace(uncalibrated=False, header=header, index=None), chosen)

    uhh, recipe = choose({"recipe": "uhh", "voter": "llm"}), choose({"voter": "llm"})
    (warning,) = warnings(uhh, "minilm")
    assert "gte-base-en-v1.5 as its embedder, this index minilm" in warning
    assert warnings(uhh, "gte-base-en-v1.5") == warnings(recipe, "minilm") == ()


def test_options_of_a_language_model_that_is_not_asked_are_said_to_have_no_effect(tmp_path):
    def warnings(**options):
        wired = SimpleNamespace(
            uncalibrated=False, header={"index": {"embedder": {"name": "minilm"}}}, index=None
        )
        return [one for one in warnings_of(wired, choose(options)) if "without effect" in one]

    shutil.copy(ROOT / "prompts" / "ask_about.txt", tmp_path)
    own = {"prompts": tmp_path, "llm": "smollm2-135m"}
    alone = {"voter": "verifier", "questions": "template"}
    told = "without effect: this run asks no language model."
    assert warnings(**own, **alone) == [f"--llm and --prompts {told}"]
    assert warnings(prompts=tmp_path, **alone) == [f"--prompts {told}"]
    assert warnings(llm="smollm2-135m", rule="learned", questions="template") == [f"--llm {told}"]
    assert warnings(**own, voter="verifier") == warnings(**own) == warnings(**alone) == []


def test_a_recipe_takes_rule_and_granularity(written):
    settings = settled(read_recipe(written("rule = 'baseline'\ngranularity = 'window:2'")))
    assert (settings.rule, str(settings.granularity)) == ("baseline", "window:2")
