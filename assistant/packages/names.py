"""Project names: the project of an imported module, and suspicious names. Pure.

A name that is not well known may be free for anybody to register, and one that looks like a well-known name may have
been registered to be mistaken for it (typosquatting). Such a project is added only where the person types its name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from importlib.util import find_spec

from rapidfuzz.distance import DamerauLevenshtein

from assistant.cells.references import find_imported_modules
from assistant.errors import AssistantError


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PROJECTS = {
    "Bio": "biopython",
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "community": "python-louvain",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "fitz": "pymupdf",
    "igraph": "python-igraph",
    "mpl_toolkits": "matplotlib",
    "ortools": "ortools",
    "pptx": "python-pptx",
    "psycopg2": "psycopg2-binary",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "umap": "umap-learn",
    "yaml": "pyyaml",
}
_EXTRAS = {"scikit-learn": "analysis", "statsmodels": "analysis"}
"""Projects that an extra of this distribution brings."""
POPULAR = _words(
    """
    aiohttp altair anyio arch attrs autograd babel beautifulsoup4 biopython bokeh boto3 bottleneck branca
    cartopy catboost certifi chardet charset-normalizer click cloudpickle cmdstanpy colorama contourpy
    cryptography cvxpy cycler cython dash dask datasets deap distributed duckdb einops et-xmlfile fastapi
    fastparquet filelock fiona flask folium fonttools formulaic fsspec gensim geopandas geopy graphviz
    gunicorn h3 h5py holidays holoviews httpx huggingface-hub hvplot hypothesis idna igraph imbalanced-learn
    interpret ipython jax jinja2 joblib jsonschema keras kiwisolver lifelines lightgbm linearmodels llvmlite
    lxml markdown matplotlib mlxtend more-itertools mpmath msgpack narwhals networkx nltk numba numexpr numpy
    opencv-python opencv-python-headless openpyxl optuna ortools packaging pandas panel patsy phonenumbers
    pillow pingouin plotly polars pmdarima prophet protobuf psycopg psycopg2-binary pulp pyarrow pycountry
    pydantic pygments pymc pymupdf pymysql pyod pyparsing pyproj pyreadstat pytest python-dateutil python-docx
    python-louvain python-pptx pytz pyyaml rapidfuzz rasterio regex requests rich ruptures scikit-image
    scikit-learn scikit-survival scipy seaborn sentencepiece setuptools shap shapely six sktime spacy
    sqlalchemy sqlglot squarify starlette statsforecast statsmodels sympy tabulate tensorflow textblob
    threadpoolctl tiktoken tokenizers toolz torch tornado tqdm transformers tslearn typing-extensions tzdata
    umap-learn unidecode urllib3 vega-datasets werkzeug wordcloud wrapt xarray xgboost xlrd xlsxwriter
    yellowbrick
    """
)
"""Projects that many data analyses use."""

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]*")
_LIKE_MAX = 2
_SHORT = 5
"""Names up to this length are alike at a distance of 1 only; nearly all short names are 2 apart from some other."""


def canonicalize_name(name: str) -> str:
    """A project's name as indexes compare it. Source: PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def project_of(module: str) -> str:
    """The project that a module, or a project, of this name belongs to."""
    return canonicalize_name(_PROJECTS.get(module, module))


def describe_extra(module: str) -> str:
    """How a module comes into every session, where an extra brings it; empty where none does."""
    extra = _EXTRAS.get(project_of(module))
    return f"This needs {module}: pip install 'tandem-analyst[{extra}]'. " if extra else ""


def split_requirement(request: str) -> tuple[str, str]:
    """`NAME` or `NAME==VERSION` as the project's name and the version, which may be empty.

    Raises:
        AssistantError: it is neither; options and addresses of the installer are refused so.
    """
    name, _, version = (part.strip() for part in request.partition("=="))
    if not _NAME.fullmatch(name) or ("==" in request and not _VERSION.fullmatch(version)):
        raise AssistantError(f"{request!r} names no package. Write its name, or NAME==VERSION.")
    return project_of(name), version


def looks_like(name: str) -> str:
    """The well-known project that a name could be mistaken for; empty where it is one itself or like none."""
    name = canonicalize_name(name)
    if name in POPULAR:
        return ""
    most = 1 if len(name) <= _SHORT else _LIKE_MAX
    near = [(DamerauLevenshtein.distance(name, popular, score_cutoff=most), popular) for popular in POPULAR]
    distance, popular = min(near)
    return popular if distance <= most else ""


def explain_suspicion(name: str) -> str:
    """Why the name must be typed out, in words; empty for a well-known project."""
    if like := looks_like(name):
        return f"{name} is not {like}, but could be mistaken for it."
    return "" if canonicalize_name(name) in POPULAR else f"{name} is not among the well-known projects."


def is_ours(module: str) -> bool:
    """Whether it is a part of Tandem itself, of which the cage has nothing."""
    return module in ("assistant", "knowledge", "sandbox", "tandem", "ui")


def is_here(module: str) -> bool:
    """Whether the environment has a top-level module of that name that the cage sees as well. Imports nothing."""
    if is_ours(module):
        return False
    if module in sys.stdlib_module_names or module in ("tandem_guest", "sitecustomize", "usercustomize"):
        return True
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return module in sys.modules


def find_missing(code: str, added: Collection[str]) -> tuple[tuple[str, int], ...]:
    """Modules that a cell needs and the cage lacks, each with the line of its first import.

    Args:
        code: a cell; one that cannot be read imports nothing.
        added: the modules of packages that were added to the session.
    """
    lines: dict[str, int] = {}
    for name, line in find_imported_modules(code, needed=True):
        if name not in added and not is_here(name):
            lines.setdefault(name, line)
    return tuple(lines.items())
