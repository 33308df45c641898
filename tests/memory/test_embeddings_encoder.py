"""The model's numbers are those of its definition."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_model import MARKS, config_of, random_tensors, word_tensors, write_model

from drift.memory.embeddings.encoder import load_encoder
from drift.memory.embeddings.wordpiece import WordPiece

PIECES = (*MARKS, "lock", "##s", "##et", "queue", "don", "'", "t", "cafe", "中", ".")
WORDS = WordPiece({piece: number for number, piece in enumerate(PIECES)}, 2, 3, 1, "##", lowers=True)


def pieces_of(text, *, most=256):
    return [PIECES[number] for number in WORDS.read(text, most=most)]


def forward_by_definition(config, tensors, pieces):
    """BERT as its paper has it, in plain floats: one text, no batch, no padding."""
    get = {name: tensor.astype(float).tolist() for name, tensor in tensors.items()}

    def linear(name, row):
        pairs = zip(get[f"{name}.weight"], get[f"{name}.bias"], strict=True)
        return [sum(w * x for w, x in zip(weights, row, strict=True)) + bias for weights, bias in pairs]

    def norm(name, row):
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + config["layer_norm_eps"])
        pairs = zip(row, get[f"{name}.weight"], get[f"{name}.bias"], strict=True)
        return [(x - mean) / spread * w + b for x, w, b in pairs]

    def add(*rows):
        return [sum(values) for values in zip(*rows, strict=True)]

    state = [
        norm(
            "embeddings.LayerNorm",
            add(
                get["embeddings.word_embeddings.weight"][piece],
                get["embeddings.position_embeddings.weight"][place],
                get["embeddings.token_type_embeddings.weight"][0],
            ),
        )
        for place, piece in enumerate(pieces)
    ]
    width = config["hidden_size"] // config["num_attention_heads"]
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        asked, keys, values = (
            [linear(f"{at}attention.self.{part}", row) for row in state] for part in ("query", "key", "value")
        )
        seen = [[0.0] * config["hidden_size"] for _ in state]
        for first in range(0, config["hidden_size"], width):
            head = slice(first, first + width)
            for place, question in enumerate(asked):
                scores = [
                    math.exp(
                        sum(q * k for q, k in zip(question[head], key[head], strict=True)) / math.sqrt(width)
                    )
                    for key in keys
                ]
                for score, value in zip(scores, values, strict=True):
                    for column in range(first, first + width):
                        seen[place][column] += score / sum(scores) * value[column]
        state = [
            norm(f"{at}attention.output.LayerNorm", add(row, linear(f"{at}attention.output.dense", looked)))
            for row, looked in zip(state, seen, strict=True)
        ]
        inner = [
            [x * 0.5 * (1 + math.erf(x / math.sqrt(2))) for x in linear(f"{at}intermediate.dense", row)]
            for row in state
        ]
        state = [
            norm(f"{at}output.LayerNorm", add(row, linear(f"{at}output.dense", thought)))
            for row, thought in zip(state, inner, strict=True)
        ]
    mean = [sum(column) / len(state) for column in zip(*state, strict=True)]
    length = math.sqrt(sum(x * x for x in mean))
    return [x / length for x in mean]


@pytest.mark.parametrize(("kind", "tolerance"), [("F32", 1e-5), ("F16", 1e-2)])
@pytest.mark.parametrize("layers", [1, 2, 3])
def test_texts_together_get_the_vectors_of_the_definition(tmp_path, kind, tolerance, layers):
    config = config_of(len(PIECES), layers=layers)
    tensors = random_tensors(config, seed=layers)
    encoder = load_encoder(write_model(tmp_path, PIECES, config=config, tensors=tensors, kind=kind))
    texts = ["locks", "queue", "", "don't lock the socket queue . . .", *["lock queue"] * 9]

    found = encoder.encode(texts)

    expected = [forward_by_definition(config, tensors, WORDS.read(text, most=32)) for text in texts]
    assert np.abs(found - np.array(expected)).max() < tolerance


def test_a_model_whose_layers_do_nothing_gives_the_mean_computed_by_hand(tmp_path):
    config = config_of(6, hidden=2, layers=1, heads=1, intermediate=1)
    vectors = [[0, 0], [0, 0], [1, 0], [3, 0], [0, 5], [0, 7]]  # [CLS] and [SEP] are (1, 0) and (3, 0)
    encoder = load_encoder(
        write_model(tmp_path, (*MARKS, "up", "high"), config=config, tensors=word_tensors(config, vectors))
    )

    one, three = encoder.encode(["up", "up high up"])

    # A normed pair is (1, -1) or (-1, 1): two marks against one word, then two marks against three.
    assert one == pytest.approx([math.sqrt(0.5), -math.sqrt(0.5)], abs=1e-6)
    assert three == pytest.approx([-math.sqrt(0.5), math.sqrt(0.5)], abs=1e-6)


def test_tensors_may_stand_under_a_prefix(tmp_path):
    config = config_of(len(PIECES))
    tensors = random_tensors(config)
    plain = load_encoder(write_model(tmp_path / "plain", PIECES, config=config, tensors=tensors))
    named = {f"bert.{name}": tensor for name, tensor in tensors.items()}
    under = load_encoder(write_model(tmp_path / "under", PIECES, config=config, tensors=named))

    assert np.array_equal(plain.encode(["lock"]), under.encode(["lock"]))


def test_models_of_other_weights_go_by_other_names(tmp_path):
    config = config_of(len(PIECES))
    names = {
        load_encoder(
            write_model(
                tmp_path / f"{seed}", PIECES, config=config, tensors=random_tensors(config, seed=seed)
            )
        ).name
        for seed in (1, 2, 3)
    }

    assert len(names) == 3


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Locks", ["lock", "##s"]),
        ("LOCKET queue", ["lock", "##et", "queue"]),
        ("don't", ["don", "'", "t"]),
        ("café", ["cafe"]),
        ("cafe\u0301", ["cafe"]),
        ("lock\x00s\u200b", ["lock", "##s"]),
        ("lock\tqueue\u00a0lock\n", ["lock", "queue", "lock"]),
        ("中中lock", ["中", "中", "lock"]),
        ("lockx", ["[UNK]"]),
        ("l" * 101, ["[UNK]"]),
        ("[CLS]", ["[UNK]"] * 3),
        ("", []),
        (" \n ", []),
    ],
)
def test_words_are_split_as_bert_splits_them(text, pieces):
    assert pieces_of(text) == ["[CLS]", *pieces, "[SEP]"]


def test_a_long_text_is_cut_and_keeps_its_end_mark():
    assert pieces_of("lock " * 1_000, most=5) == ["[CLS]", "lock", "lock", "lock", "[SEP]"]


@given(st.text())
def test_any_text_becomes_known_pieces_between_its_marks(text):
    read = WORDS.read(text, most=16)

    assert 2 <= len(read) <= 16
    assert (read[0], read[-1]) == (2, 3)
    assert all(0 <= piece < len(PIECES) for piece in read)
