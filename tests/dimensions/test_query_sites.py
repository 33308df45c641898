"""What queries of shipped dimensions take for a site, on a few lines of code."""

import pytest

from drift.scan.extractors import extractor_of

CASES = [
    (
        "errors/cause-kept",
        "java",
        (
            "class A { void a() { try { b(); } catch (E e) { throw new Bad(e.getMessage()); }"
            " try { b(); } catch (E e) { throw new Bad(e); } } }"
        ),
        ["dropped", "kept"],
    ),
    (
        "errors/cause-kept",
        "typescript",
        (
            "try { b() } catch (e) { throw new Error(e.message) }\n"
            "try { b() } catch (e) { throw new Error('x', { cause: e }) }"
        ),
        ["dropped", "kept"],
    ),
    (
        "errors/cause-kept",
        "php",
        (
            "<?php try { b(); } catch (E $e) { throw new Bad($e->getMessage()); }"
            " try { b(); } catch (E $e) { throw new Bad('x', 0, $e); }"
        ),
        ["dropped", "kept"],
    ),
    (
        "errors/cause-kept",
        "csharp",
        (
            "class A { void B() { try { C(); } catch (E e) { throw new Bad(e.Message); }"
            ' try { C(); } catch (E e) { throw new Bad("x", e); } } }'
        ),
        ["dropped", "kept"],
    ),
    ("errors/cause-kept", "ruby", "begin\n b\nrescue E => e\n raise Bad, 'x'\nend", []),
    (
        "logging/call-form",
        "java",
        'class A { void a() { log.error("not saved", e); log.info("paid {}", id); } }',
        ["arguments"],
    ),
    (
        "logging/call-form",
        "python",
        'logger.error("not saved", exc_info=True)\nlogger.info("paid %s", order)\n',
        ["arguments"],
    ),
    (
        "structural/injection",
        "java",
        (
            "@Service class A { A(B b) {} }\n@AllArgsConstructor class Row {}\n"
            "@Component @RequiredArgsConstructor class C { final B b; }"
        ),
        ["constructor", "lombok"],
    ),
    (
        "structural/default-export",
        "typescript",
        "export const pay = () => 1\nexport const take = () => 2\n",
        ["named"],
    ),
    (
        "types/csharp-var",
        "csharp",
        'class A { void B() { const string C = "c"; User u = null; int d = 0; var e = 1; } }',
        ["type", "var"],
    ),
]


@pytest.mark.parametrize(("dimension", "language", "code", "variants"), CASES)
def test_a_query_counts_what_it_says_and_nothing_else(dimension, language, code, variants):
    endings = {"typescript": "ts", "python": "py", "csharp": "cs", "ruby": "rb"}

    facts = extractor_of(language)(code.encode(), f"code.{endings.get(language, language)}")

    assert [each.variant for each in facts.sites if each.dimension == dimension] == variants
