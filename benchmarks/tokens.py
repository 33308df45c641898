"""How far the token estimate is from the exact count, and how fast each is.

    python benchmarks/tokens.py [folder ...]

Texts the estimate was not tuned on: the standard library, README texts of installed packages, generated JSON,
rendered answers, sentences in other languages, and any folders named. Error is per text of 300 to 8,000
characters, estimate against `cl100k_base`. Exits with 1 when our own outputs are off by more than 8 %.
"""

import importlib.metadata
import random
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import orjson
from rendering import sample_answers

from drift.kernel.render import render_answer
from drift.kernel.tokens import count_tokens, estimate_tokens, tokenizer_name

WORST_ERROR_PERCENT = 8
OUR_OUTPUTS = ("rendered", "compact JSON")
MOST_TEXTS = 300
LENGTHS = (300, 1000, 3000, 8000)
LARGEST_FILE_BYTES = 200_000

SENTENCES = {
    "Chinese": "请检查这个函数的调用者。然后更新测试。配置文件在项目的根目录中。",
    "Japanese": "この関数の呼び出し元を確認してから、テストを更新してください。設定ファイルはルートにあります。",
    "Korean": "이 함수의 호출자를 확인한 다음 테스트를 업데이트하세요. 설정 파일은 루트에 있습니다.",
    "Russian": "Проверьте, кто вызывает эту функцию, затем обновите тесты. Файл настроек лежит в корне проекта.",
    "German": "Prüfe zuerst, wer diese Funktion aufruft, und passe danach die Tests an. Die Einstellungen liegen im Wurzelordner.",
    "Arabic": "تحقق من الذي يستدعي هذه الدالة ثم حدّث الاختبارات. ملف الإعدادات موجود في جذر المشروع.",
    "emoji": "✅ done 🚀 shipped 🐛 fixed 🔥 hot 💡 idea 📦 packed 🧪 tested",
}


def cut(texts: Iterable[str], chance: random.Random) -> list[str]:
    """Pieces of the sizes answers have, in random order."""
    pieces = []
    for text in texts:
        start = 0
        while start < len(text):
            length = chance.choice(LENGTHS)
            pieces.append(text[start : start + length])
            start += length
    chance.shuffle(pieces)
    return [piece for piece in pieces if len(piece) >= LENGTHS[0] // 2][:MOST_TEXTS]


def read_files(folder: Path, suffix: str, chance: random.Random) -> list[str]:
    files = sorted(file for file in folder.rglob(f"*{suffix}") if file.stat().st_size < LARGEST_FILE_BYTES)
    chance.shuffle(files)
    return [file.read_text("utf-8", "replace") for file in files[:MOST_TEXTS]]


def readme_texts() -> list[str]:
    described = (distribution.metadata for distribution in importlib.metadata.distributions())
    return [str(metadata["description"] or metadata.get_payload()) for metadata in described]


def gather(folders: list[Path]) -> dict[str, list[str]]:
    chance = random.Random(11)
    answers = [body for package in ("mcp", "hypothesis") for _, _, body in sample_answers(package)]
    texts = {
        "rendered": [render_answer(body) for body in answers],
        "compact JSON": [orjson.dumps(body).decode() for body in answers],
        "indented JSON": cut(
            [orjson.dumps(body, option=orjson.OPT_INDENT_2).decode() for body in answers], chance
        ),
        "Python": cut(read_files(Path(sysconfig.get_path("stdlib")), ".py", chance), chance),
        "README": cut(readme_texts(), chance),
        **{language: [sentence] for language, sentence in SENTENCES.items()},
    }
    for folder in folders:
        for suffix in sorted({file.suffix for file in folder.rglob("*.*") if file.is_file()}):
            texts[f"{folder.name}/*{suffix}"] = cut(read_files(folder, suffix, chance), chance)
    return {kind: pieces for kind, pieces in texts.items() if pieces}


def measure_speed(count: Callable[[str], int], texts: list[str]) -> float:
    """Megabytes of UTF-8 per second, the best of five."""
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    best = min(_time_once(count, texts) for _ in range(5))
    return size / best / 1e6


def _time_once(count: Callable[[str], int], texts: list[str]) -> float:
    started = time.process_time()
    for text in texts:
        count(text)
    return max(time.process_time() - started, 1e-9)


def main(folders: list[Path]) -> int:
    if tokenizer_name() == "estimate":
        print("The exact tokenizer is not installed: pip install 'drift-mcp[tokens]'")
        return 2
    texts = gather(folders)
    errors_of_ours = []
    print(f"{'kind':<24}{'texts':>6}{'chars/token':>13}{'error':>8}{'bias':>8}{'worst':>8}")
    for kind, pieces in texts.items():
        exact = [count_tokens(piece) for piece in pieces]
        off = [100 * (estimate_tokens(piece) / real - 1) for piece, real in zip(pieces, exact, strict=True)]
        error = sum(map(abs, off)) / len(off)
        density = sum(map(len, pieces)) / sum(exact)
        figures = f"{density:>13.2f}{error:>7.1f}%{sum(off) / len(off):>+7.1f}%{max(off, key=abs):>+7.0f}%"
        print(f"{kind:<24}{len(pieces):>6}{figures}")
        if kind in OUR_OUTPUTS:
            errors_of_ours.append(error)
    everyday = [piece for kind in ("rendered", "Python", "README") for piece in texts[kind]]
    print(f"estimate {measure_speed(estimate_tokens, everyday):.0f} MB/s", end=", ")
    print(f"exact {measure_speed(count_tokens, everyday):.0f} MB/s")
    return int(max(errors_of_ours) > WORST_ERROR_PERCENT)


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]]))
