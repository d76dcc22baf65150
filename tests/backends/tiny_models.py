"""Tiny random transformers for tests: a tokenizer of eleven words, and models over them."""

from __future__ import annotations

from pathlib import Path

WORDS = ["<pad>", "</s>", "<unk>", "question:", "the", "bridge", "is", "old", "who", "what", "?"]
OTHER_SIZES = {"DistilBert": {"dim": 8, "n_heads": 2, "hidden_dim": 8}, "XLNet": {"d_head": 4}}
SMALL = {"vocab_size": len(WORDS), "num_hidden_layers": 1, "hidden_size": 8}


def save_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)


def save_classifier(folder: Path, *classes: str) -> Path:
    """A BERT with random weights, the same each time, and these classes."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    config = BertConfig(
        **SMALL,
        num_attention_heads=2,
        intermediate_size=8,
        num_labels=len(classes),
        id2label=dict(enumerate(classes)),
        label2id={name: i for i, name in enumerate(classes)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    save_tokenizer(folder)
    return folder


def save_any(folder: Path, architecture: str, *classes: str) -> Path:
    """A classifier of an architecture with random weights, and these classes."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = getattr(transformers, f"{architecture}Config")(
        **SMALL,
        num_attention_heads=2,
        intermediate_size=8,
        num_labels=len(classes),
        id2label=dict(enumerate(classes)),
        label2id={name: i for i, name in enumerate(classes)},
        **OTHER_SIZES.get(architecture, {}),
    )
    model = getattr(transformers, f"{architecture}ForSequenceClassification")(config)
    model.save_pretrained(folder)
    save_tokenizer(folder)
    return folder


def save_mpnet(folder: Path, classes: int) -> Path:
    """An MPNet with random weights, the same each time, so large that its classes differ, and a
    tokenizer whose pairs look as MPNet's do."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import MPNetConfig, MPNetForSequenceClassification, PreTrainedTokenizerFast

    torch.manual_seed(0)
    words = ["<s>", "<pad>", "</s>", "<unk>", *WORDS[3:]]
    sizes = {"num_hidden_layers": 2, "hidden_size": 32, "num_attention_heads": 4}
    config = MPNetConfig(
        vocab_size=len(words),
        intermediate_size=64,
        num_labels=classes,
        initializer_range=0.4,
        **sizes,
    )
    MPNetForSequenceClassification(config).save_pretrained(folder)
    tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    return folder


def save_minicheck(folder: Path, architecture: str) -> Path:
    """A random T5, Roberta or DebertaV2 with the names of MiniCheck's, and its own kind of
    tokenizer, which spells all letters."""
    import json

    import torch
    import transformers

    torch.manual_seed(0)
    letters = [chr(code) for code in range(33, 127)]
    spelt = [*letters, "▁1", "▁the", "▁bridge"]
    if architecture == "T5":
        words = ["<pad>", "</s>", "<unk>", "▁", *spelt]
        tokenizer = transformers.T5Tokenizer([(word, -3.0) for word in words], extra_ids=0)
        sizes = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 2, "num_heads": 2}
        config = transformers.T5Config(vocab_size=len(words), decoder_start_token_id=0, **sizes)
        model = transformers.T5ForConditionalGeneration(config)
    else:
        if architecture == "Roberta":
            words = ["<s>", "<pad>", "</s>", "<unk>", *letters, "Ġ", "<mask>"]
            vocabulary = {word: at for at, word in enumerate(words)}
            tokenizer = transformers.RobertaTokenizer(vocabulary, merges=[])
            more = {"max_position_embeddings": 66, "type_vocab_size": 1, "pad_token_id": 1}
        else:
            words = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "▁", *spelt, "[MASK]"]
            tokenizer = transformers.DebertaV2Tokenizer([(word, -3.0) for word in words])
            more = {"max_position_embeddings": 64, "type_vocab_size": 0}
        config = getattr(transformers, f"{architecture}Config")(
            **SMALL | {"vocab_size": len(words), "hidden_size": 16},
            **more,
            num_attention_heads=2,
            intermediate_size=16,
            initializer_range=0.6,
            id2label={0: "0", 1: "1"},
            label2id={"0": 0, "1": 1},
        )
        model = getattr(transformers, f"{architecture}ForSequenceClassification")(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    file = folder / "config.json"
    named = json.loads(file.read_text()) | {"_name_or_path": f"lytang/MiniCheck-{architecture}"}
    file.write_text(json.dumps(named))
    return folder
