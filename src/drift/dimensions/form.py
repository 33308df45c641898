"""A dimension as it is written: what every project decides somehow, where it decides it, and what it may choose.

A dimension is one TOML file. It says what it looks at and why, names the variants, and has a list of `sites`: for some
languages either a query of tree-sitter over the syntax or a finder over the index. `docs/conventions.md` tells how to write one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

Category = Literal[
    "api", "auth", "security", "errors", "logging", "data-access", "config", "testing", "performance", "components",
    "styling", "structural", "types", "accessibility", "documentation",
]  # fmt: skip
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
Severity = Literal["error", "warning", "info", "hint"]
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
Code = Literal["product", "test", "both"]
CODES: Final[tuple[Code, ...]] = get_args(Code)
Per = Literal["site", "file"]
PERS: Final[tuple[Per, ...]] = get_args(Per)

TESTS: Final = ("casing", "equals", "prefix", "suffix", "contains", "glob", "match", "empty")
"""What a line of `classify` may ask of a text."""
LINEAR: Final = "linear"
"""What `match` becomes in the rules of a project: its patterns come from strangers."""
ITS_CASING: Final = "{casing}"
"""In the place of a variant: the casing of the text."""

MOST_VARIANT_CHARACTERS: Final = 60


@dataclass(frozen=True, slots=True)
class Case:
    """A line of `classify`: texts that pass the test are of the variant; without a test every text is.

    Texts of an empty variant decide nothing.
    """

    variant: str
    test: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteRule:
    """Where a dimension is decided in some languages, and how the text there becomes a variant."""

    languages: frozenset[str] = frozenset()
    """Empty: in all."""
    grammars: frozenset[str] = frozenset()
    """Of the languages' grammars only these; empty: all."""
    query: str = ""
    finder: str = ""
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    text: str = ""
    trim: tuple[str, ...] = ()
    """What is taken off both ends of a text before it is classified, each once."""
    cases: tuple[Case, ...] = ()
    is_open: bool = False
    """The variant is the text itself."""
    per: Per = "site"


@dataclass(frozen=True, slots=True)
class Dimension:
    """A decision that every project takes somehow."""

    id: str
    category: Category
    title: str
    looks_at: str
    why: str
    claim: str
    """What is said of a project that has decided, with {variant} for what it chose."""
    example: str
    limits: str
    severity: Severity
    variants: Mapping[str, str]
    """Their names, and how each reads in the claim."""
    sites: tuple[SiteRule, ...]
    languages: tuple[str, ...]
    """Those of all its sites, sorted; empty: all."""
    code: Code = "product"
    is_across: bool = False
    """All languages of a project decide together."""
    least_sites: int = 5
    unclaimed: tuple[str, ...] = ()
    """Variants that are no rule to anybody, however many choose them: what was left out, or known to be harmful."""
    is_own: bool = False
    """A rule of the project itself."""

    @property
    def is_open(self) -> bool:
        return not self.variants

    def phrase(self, variant: str) -> str:
        """How a variant reads in a sentence."""
        return self.variants.get(variant, f"`{variant}`")

    def sentence(self, variant: str) -> str:
        """What is said of a project that chose the variant."""
        # A claim may have the marks of code around the variant already.
        return self.claim.replace("{variant}", self.phrase(variant)).replace("``", "`")
