"""A model's chat template, whoever wrote it, gives what stands round a message, or one line."""

from __future__ import annotations

import pytest

from uhhrag.backends.llamacpp.tokens import wrap_in_chat
from uhhrag.errors import ModelError

CHATML = (
    "{% for m in messages %}"
    "{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def test_the_answer_is_opened_after_the_users_turn():
    before, after = wrap_in_chat(CHATML, bos="<s>", eos="</s>")
    assert before == "<|im_start|>user\n"
    assert after == "<|im_end|>\n<|im_start|>assistant\n"


def test_the_first_and_last_tokens_are_those_of_the_model():
    template = "{{ bos_token }}[INST] {{ messages[0].content }} [/INST]{{ eos_token }}"
    assert wrap_in_chat(template, bos="<s>", eos="</s>") == ("<s>[INST] ", " [/INST]</s>")


def test_a_model_without_a_template_gets_the_bare_text():
    assert wrap_in_chat(None, bos="<s>", eos="</s>") == ("<s>", "")


def test_thinking_is_turned_off_where_a_template_can():
    template = "{{ messages[0].content }}{% if not enable_thinking %}<think></think>{% endif %}"
    assert wrap_in_chat(template, bos="", eos="") == ("", "<think></think>")


def test_a_template_is_told_that_there_are_no_tools():
    template = "{% if tools is not none %}Call a tool. {% endif %}{{ messages[0].content }}"
    assert wrap_in_chat(template, bos="", eos="") == ("", "")


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{% for %}", "cannot be used"),
        ("{{ messages[0].content.nothing.more }}", "cannot be used"),
        ("{{ raise_exception('roles must alternate') }}", "cannot be used"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "cannot be used"),
        ("{{ strftime_now('%Y') }}{{ messages[0].content }}", "cannot be used"),
        ("{{ messages.append(1) }}", "cannot be used"),
        ("{{ messages[0].content[2:] }}", "does not show a user's message once"),
        ("no message", "does not show a user's message once"),
        ("{{ messages[0].content * 2 }}", "does not show a user's message once"),
        ("{{ 1 / 0 }}", "cannot be used"),
        ("{{ messages[0].content + 1 }}", "cannot be used"),
        ("{% for i in range(10 ** 9) %}x{% endfor %}", "cannot be used"),
        ("{% for i in range(9 ** 5) %}" * 3 + "{% endfor %}" * 3, "takes more than 20,000 steps"),
    ],
)
def test_a_template_that_cannot_be_used_is_said_on_one_line(template, said):
    with pytest.raises(ModelError) as caught:
        wrap_in_chat(template, bos="", eos="")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
