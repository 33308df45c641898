"""Embedding models small enough to be checked by hand, written as the files a real one has."""

import json
import struct

import numpy as np

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
NAMES = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")


def config_of(vocabulary, *, hidden=8, layers=2, heads=2, intermediate=12, positions=32):
    return {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": intermediate,
        "vocab_size": vocabulary,
        "max_position_embeddings": positions,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
    }


def tokenizer_of(pieces):
    return {
        "normalizer": {"type": "BertNormalizer", "lowercase": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "vocab": {piece: number for number, piece in enumerate(pieces)},
        },
    }


def random_tensors(config, *, seed=1, scale=0.5):
    """Every tensor the model needs, all different."""
    made = np.random.default_rng(seed)
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    shapes = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], hidden),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
        "embeddings.LayerNorm.weight": (hidden,),
        "embeddings.LayerNorm.bias": (hidden,),
    }
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        shapes |= {f"{at}{name}.weight": (hidden, hidden) for name in NAMES}
        shapes |= {f"{at}{name}.bias": (hidden,) for name in NAMES}
        shapes |= {
            f"{at}intermediate.dense.weight": (inner, hidden),
            f"{at}intermediate.dense.bias": (inner,),
        }
        shapes |= {f"{at}output.dense.weight": (hidden, inner), f"{at}output.dense.bias": (hidden,)}
        for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{at}{norm}.weight": (hidden,), f"{at}{norm}.bias": (hidden,)}
    return {name: made.normal(0, scale, shape).astype(np.float32) for name, shape in shapes.items()}


def word_tensors(config, vectors):
    """A model whose layers do nothing: a text means what its words mean on average, and `vectors` says that."""
    tensors = {name: np.zeros_like(tensor) for name, tensor in random_tensors(config).items()}
    for name, tensor in tensors.items():
        if name.endswith("LayerNorm.weight"):
            tensor[:] = 1
    tensors["embeddings.word_embeddings.weight"][:] = vectors
    return tensors


def pack(tensors, *, kind="F32"):
    """The bytes of a safetensors file."""
    header, body = {}, b""
    for name, tensor in tensors.items():
        data = tensor.astype({"F32": "<f4", "F16": "<f2"}[kind]).tobytes()
        header[name] = {
            "dtype": kind,
            "shape": list(tensor.shape),
            "data_offsets": [len(body), len(body) + len(data)],
        }
        body += data
    return with_header(json.dumps(header).encode(), body)


def with_header(header, body):
    return struct.pack("<Q", len(header)) + header + body


def write_model(folder, pieces, *, config=None, tensors=None, kind="F32"):
    """A model in a folder; of random weights unless given."""
    folder.mkdir(parents=True, exist_ok=True)
    config = config or config_of(len(pieces))
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer_of(pieces)))
    (folder / "model.safetensors").write_bytes(pack(tensors or random_tensors(config), kind=kind))
    return folder


def write_word_model(folder, groups, *, hidden=16):
    """A model to which the words of a group mean the same, and words of different groups little to each other."""
    pieces, vectors = list(MARKS), [np.zeros(hidden)] * len(MARKS)
    made = np.random.default_rng(7)
    for group in groups:
        meaning = made.normal(0, 1, hidden)
        pieces += group
        vectors += [meaning] * len(group)
    config = config_of(len(pieces), hidden=hidden, layers=1)
    return write_model(folder, pieces, config=config, tensors=word_tensors(config, np.array(vectors)))
