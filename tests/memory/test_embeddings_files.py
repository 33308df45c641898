"""A model's files are hostile until they have been read: each fault is told, none does harm."""

import json
import os
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_model import MARKS, config_of, pack, random_tensors, tokenizer_of, with_header, write_model

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory.embeddings import Model
from drift.memory.embeddings.encoder import load_encoder

PIECES = (*MARKS, "lock", "queue")
TENSOR = "embeddings.word_embeddings.weight"


@pytest.fixture
def folder(tmp_path):
    return write_model(tmp_path / "model", PIECES)


def refusal(folder):
    with pytest.raises(DriftError) as raised:
        load_encoder(folder)
    assert raised.value.code is ErrorCode.CORTEX_UNAVAILABLE
    assert raised.value.recovery.hint
    return raised.value.message


def change_header(folder, **changes):
    path = folder / "model.safetensors"
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    header[TENSOR] |= changes
    path.write_bytes(with_header(json.dumps(header).encode(), data[8 + length :]))


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_each_file_that_is_missing_is_named(folder, name):
    (folder / name).unlink()

    assert name in refusal(folder)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_pipe_under_a_files_name_is_not_waited_for(folder, name):
    (folder / name).unlink()
    os.mkfifo(folder / name)

    assert "not a regular file" in refusal(folder)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"model": 1}'])
def test_what_is_no_model_in_json_is_refused(folder, name, data):
    (folder / name).write_bytes(data)

    assert name in refusal(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"model_type": "llama"},
        {"hidden_act": "relu"},
        {"position_embedding_type": "relative_key"},
        {"hidden_size": 0},
        {"hidden_size": -8},
        {"hidden_size": 10**30},
        {"hidden_size": True},
        {"hidden_size": "8"},
        {"hidden_size": 8.0},
        {"num_attention_heads": 3},
        {"num_hidden_layers": 10**6},
        {"num_hidden_layers": 3},
        {"max_position_embeddings": 2},
        {"vocab_size": 5},
        {"layer_norm_eps": 0.0},
        {"layer_norm_eps": "small"},
    ],
)
def test_sizes_that_cannot_be_are_refused(folder, changes):
    config = json.loads((folder / "config.json").read_text()) | changes
    (folder / "config.json").write_text(json.dumps(config))

    refusal(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"dtype": "I64"},
        {"dtype": None},
        {"dtype": "F16"},
        {"shape": [8, 6]},
        {"shape": [-6, -8]},
        {"shape": [10**12, 8]},
        {"shape": "68"},
        {"data_offsets": [0, 10**15]},
        {"data_offsets": [-192, 0]},
        {"data_offsets": [192, 0]},
        {"data_offsets": [0, 191]},
        {"data_offsets": [0]},
        {"data_offsets": "ab"},
        {"data_offsets": [0.0, 192.0]},
    ],
)
def test_a_tensor_that_is_not_where_and_what_it_must_be_is_refused(folder, changes):
    change_header(folder, **changes)

    assert TENSOR in refusal(folder)


def test_tensors_that_lie_over_one_another_are_refused(folder):
    config = config_of(len(PIECES))
    header, place = {}, 0
    for name, tensor in random_tensors(config).items():
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [0, tensor.nbytes]}
        place = max(place, tensor.nbytes)
    (folder / "model.safetensors").write_bytes(with_header(json.dumps(header).encode(), bytes(place)))

    assert "overlap" in refusal(folder)


@pytest.mark.parametrize("length", [2**63, 2**64 - 1, 10_000_001, 0])
def test_a_header_of_a_wrong_length_is_refused(folder, length):
    path = folder / "model.safetensors"
    path.write_bytes(struct.pack("<Q", length) + path.read_bytes()[8:])

    assert "model.safetensors" in refusal(folder)


@given(st.integers(0, 4_000))
def test_a_file_cut_anywhere_is_refused(tmp_path_factory, kept):
    folder = write_model(tmp_path_factory.mktemp("cut"), PIECES)
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])

    assert "model.safetensors" in refusal(folder)


@given(st.binary(max_size=300))
def test_any_bytes_in_the_place_of_weights_are_refused(tmp_path_factory, data):
    folder = write_model(tmp_path_factory.mktemp("bytes"), PIECES)
    (folder / "model.safetensors").write_bytes(data)

    refusal(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"vocab": {"lock": 1}},
        {"vocab": {**{mark: n for n, mark in enumerate(MARKS)}, "lock": 6}},
        {"vocab": {**{mark: n for n, mark in enumerate(MARKS)}, "lock": -1}},
        {"vocab": {**{mark: n for n, mark in enumerate(MARKS)}, "lock": "4"}},
        {"vocab": ["lock"]},
        {"type": "BPE"},
        {"unk_token": "[NONE]"},
        {"continuing_subword_prefix": 3},
    ],
)
def test_a_vocabulary_that_does_not_fit_the_model_is_refused(folder, change):
    given_tokenizer = tokenizer_of(PIECES)
    given_tokenizer["model"] |= change
    (folder / "tokenizer.json").write_text(json.dumps(given_tokenizer))

    assert "tokenizer.json" in refusal(folder)


@pytest.mark.parametrize("value", [np.nan, np.inf, 3e38])
def test_weights_that_give_no_finite_numbers_are_told_at_the_first_text(folder, value):
    config = config_of(len(PIECES))
    tensors = random_tensors(config)
    tensors["encoder.layer.0.output.dense.weight"][:] = value
    (folder / "model.safetensors").write_bytes(pack(tensors))

    with pytest.raises(DriftError, match="no finite numbers"):
        load_encoder(folder).encode(["lock"])


def test_a_model_that_failed_is_not_read_again_at_once(folder):
    model = Model(folder)
    config = (folder / "config.json").read_text()
    (folder / "config.json").write_text("{}")
    with pytest.raises(DriftError) as first:
        model.encoder()
    (folder / "config.json").write_text(config)

    with pytest.raises(DriftError) as second:
        model.encoder()

    assert second.value is first.value
