"""The MiniLM encoder as an ONNX model, written from its weights; onnxruntime runs it on all cores.

The published package brings weights and no ONNX file, so the graph is written here: six layers of four fused
operators each. Only the few fields of the format that such a graph needs are known to this module.

Source: the field numbers are those of onnx.proto (ONNX 1.16); the fused operators are onnxruntime's own
(com.microsoft: Attention, SkipLayerNormalization, BiasGelu).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

IDS, MASK, SHARES, VECTORS = "ids", "mask", "shares", "vectors"
"""The inputs: word pieces and 1 for each that is one (`rows x width`, int32), and each one's share of its text's mean
(`rows x 1 x width`, float32); and the output, `rows x 1 x dim`, not yet of unit norm."""

_FLOAT, _INT32 = 1, 6
_VERSION, _OPSET, _OWN_DOMAIN = 8, 17, "com.microsoft"


def encoder(weights: Mapping[str, Floats], *, layers: int, heads: int, epsilon: float) -> bytes:
    """The model, ready for an `InferenceSession`.

    Args:
        weights: By the names of the published file.
        layers: How many encoder layers it has.
        heads: Attention heads of each.
        epsilon: What keeps a normalisation from dividing by zero.
    """
    graph = _Graph()
    words = weights["embeddings.word_embeddings.weight"]
    graph.tensor("words", words + weights["embeddings.token_type_embeddings.weight"][0])
    graph.tensor("places", weights["embeddings.position_embeddings.weight"])
    graph.node("Gather", ["words", IDS], "embedded")
    graph.node("Shape", [IDS], "shape")
    graph.ints("zero", [0])
    graph.ints("one", [1])
    graph.ints("two", [2])
    graph.node("Slice", ["shape", "one", "two"], "width")
    graph.node("Slice", ["places", "zero", "width", "zero"], "placed")
    graph.node("Add", ["embedded", "placed"], "summed")
    graph.normalisation(weights, "embeddings.LayerNorm")
    graph.node(
        "LayerNormalization",
        ["summed", "embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias"],
        "x0",
        axis=-1,
        epsilon=epsilon,
    )
    for number in range(layers):
        graph.layer(weights, number, heads=heads, epsilon=epsilon)
    graph.node("MatMul", [SHARES, f"x{layers}"], VECTORS)
    return graph.model(dim=words.shape[1])


class _Graph:
    """Nodes and tensors as they are added."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []

    def layer(self, weights: Mapping[str, Floats], number: int, *, heads: int, epsilon: float) -> None:
        """Attention and the two dense layers after it, each with its residual and normalisation."""
        import numpy as np

        name, before = f"encoder.layer.{number}", f"x{number}"
        parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        self.tensor(f"{name}.qkv", np.concatenate([weights[f"{part}.weight"].T for part in parts], axis=1))
        self.tensor(f"{name}.qkv.bias", np.concatenate([weights[f"{part}.bias"] for part in parts]))
        self.node(
            "Attention",
            [before, f"{name}.qkv", f"{name}.qkv.bias", MASK],
            f"{name}.mixed",
            domain=_OWN_DOMAIN,
            num_heads=heads,
        )
        attended = f"{name}.attention.output"
        self._dense(weights, f"{attended}.dense", f"{name}.mixed", f"{attended}.summed")
        self._added(weights, attended, f"{attended}.summed", before, f"{name}.middle", epsilon=epsilon)
        self._dense(weights, f"{name}.intermediate.dense", f"{name}.middle", f"{name}.wide")
        bias = f"{name}.intermediate.dense.bias"
        self.tensor(bias, weights[bias])
        self.node("BiasGelu", [f"{name}.wide", bias], f"{name}.bent", domain=_OWN_DOMAIN)
        self._dense(weights, f"{name}.output.dense", f"{name}.bent", f"{name}.narrow")
        self._added(weights, f"{name}.output", f"{name}.narrow", f"{name}.middle", f"x{number + 1}", epsilon=epsilon)

    def _dense(self, weights: Mapping[str, Floats], name: str, source: str, target: str) -> None:
        self.tensor(f"{name}.weight", weights[f"{name}.weight"].T)
        self.node("MatMul", [source, f"{name}.weight"], target)

    def _added(
        self, weights: Mapping[str, Floats], name: str, source: str, residual: str, target: str, *, epsilon: float
    ) -> None:
        """The residual and a dense layer's bias added, and the sum normalised."""
        self.normalisation(weights, f"{name}.LayerNorm")
        self.tensor(f"{name}.dense.bias", weights[f"{name}.dense.bias"])
        inputs = [source, residual, f"{name}.LayerNorm.weight", f"{name}.LayerNorm.bias", f"{name}.dense.bias"]
        self.node("SkipLayerNormalization", inputs, target, domain=_OWN_DOMAIN, epsilon=epsilon)

    def normalisation(self, weights: Mapping[str, Floats], name: str) -> None:
        """The two vectors of a normalisation."""
        for part in ("weight", "bias"):
            self.tensor(f"{name}.{part}", weights[f"{name}.{part}"])

    def tensor(self, name: str, values: Floats) -> None:
        """A constant of floats."""
        self._tensors.append(_tensor(name, values.shape, _FLOAT, values.astype("<f4").tobytes()))

    def ints(self, name: str, values: Sequence[int]) -> None:
        """A constant list of whole numbers."""
        self._tensors.append(_tensor(name, (len(values),), 7, struct.pack(f"<{len(values)}q", *values)))

    def node(self, op: str, inputs: Sequence[str], output: str, *, domain: str = "", **attributes: float) -> None:
        """An operator with one output."""
        body = b"".join(_text(1, name) for name in inputs) + _text(2, output) + _text(4, op)
        body += b"".join(_bytes(5, _attribute(name, value)) for name, value in attributes.items())
        self._nodes.append(body + (_text(7, domain) if domain else b""))

    def model(self, *, dim: int) -> bytes:
        """All of it as a file."""
        rows, width = "rows", "width_"
        inputs = [
            _value(IDS, _INT32, (rows, width)),
            _value(MASK, _INT32, (rows, width)),
            _value(SHARES, _FLOAT, (rows, 1, width)),
        ]
        graph = b"".join(_bytes(1, node) for node in self._nodes) + _text(2, "encoder")
        graph += b"".join(_bytes(5, tensor) for tensor in self._tensors)
        graph += b"".join(_bytes(11, value) for value in inputs)
        graph += _bytes(12, _value(VECTORS, _FLOAT, (rows, 1, dim)))
        opsets = _bytes(8, _text(1, "") + _number(2, _OPSET)) + _bytes(8, _text(1, _OWN_DOMAIN) + _number(2, 1))
        return _number(1, _VERSION) + _bytes(7, graph) + opsets


def _attribute(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    return _text(1, name) + _key(2, 5) + struct.pack("<f", value) + _number(20, 1)


def _tensor(name: str, shape: Sequence[int], kind: int, content: bytes) -> bytes:
    return b"".join(_number(1, size) for size in shape) + _number(2, kind) + _text(8, name) + _bytes(9, content)


def _value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    sizes = b"".join(_bytes(1, _number(1, size) if isinstance(size, int) else _text(2, size)) for size in shape)
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, sizes)))


# Protocol buffers: a key of field number and wire type, then the value.


def _key(field: int, wire: int) -> bytes:
    return _varint(field << 3 | wire)


def _number(field: int, value: int) -> bytes:
    return _key(field, 0) + _varint(value & (1 << 64) - 1)


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _bytes(field: int, value: bytes) -> bytes:
    return _key(field, 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
