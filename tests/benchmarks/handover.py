"""What the word guards hand over: own mail (should be little), mashed keys and other languages.

    python tests/benchmarks/handover.py

needs ``ROUTING_PUBLIC_DATA``, a folder with ``data/banking77`` and ``data/clinc150``.
"""

import csv
import json
import os
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from routing.corpus.readers import WordReader
from routing.handover import Calibration, review_reason
from routing.mail import email_from_text
from routing.settings import HandoverSettings
from routing.text.tokens import token_texts
from routing.text.vocabulary import build_vocabulary

FOREIGN = (
    "Wo ist mein Paket? Ich warte seit zwei Wochen.",
    "Die Karte wurde abgelehnt",
    "Où est mon colis ? Je l'attends depuis deux semaines.",
    "Ma carte a été refusée au magasin",
    "¿Dónde está mi paquete? Quiero mi dinero.",
    "Mi tarjeta no funciona en el cajero",
    "Gdzie jest moja paczka? Nie dotarła.",
    "Где моя посылка?",
    "我的包裹在哪里",
    "Waar is mijn pakket?",
    "Mijn kaart werkt niet meer",
    "Vorrei un rimborso, non un nuovo pacco",
    "Il mio bonifico non è arrivato",
    "Jag vill ha pengarna tillbaka",
    "Kargom nerede? lütfen yardım",
    "Minha conta foi bloqueada",
    "Meu cartão não chegou ainda",
    "Kortet mitt virker ikke",
    "Mit kort virker ikke",
    "Korttini ei toimi",
)


def mashed(keys: str, *, count: int = 300) -> list[str]:
    """Return texts of one to six mashed words."""
    rng = random.Random(1)

    def word() -> str:
        return "".join(rng.choice(keys) for _ in range(rng.randint(3, 10)))

    return [" ".join(word() for _ in range(rng.randint(1, 6))) for _ in range(count)]


def reasons(reader: WordReader, texts: Sequence[str], limits: Calibration) -> str:
    """Return the shares of texts by the reason for their hand-over."""
    found: Counter[str] = Counter()
    for text in texts:
        wording = reader.wording(email_from_text(text, id="1"))
        said = review_reason(wording, np.array([9.0, 0.0]), routes=("a", "b"), limits=limits)
        found[_kind(said)] += 1
    return ", ".join(f"{kind} {100 * n / len(texts):.1f}" for kind, n in found.most_common())


def _kind(reason: str | None) -> str:
    kinds = {"looks": "language", "no language": "gibberish", "unknown": "unknown", "few": "few"}
    return next((name for part, name in kinds.items() if part in (reason or "")), "auto")


def data_sets(data: Path) -> Iterable[tuple[str, list[str], list[str]]]:
    """Yield name, training texts and test texts."""
    banking = {}
    for split in ("train", "test"):
        with (data / "banking77" / f"{split}.csv").open(encoding="utf-8") as file:
            banking[split] = [row["text"] for row in csv.DictReader(file)]
    yield "Banking77", banking["train"], banking["test"]
    clinc = json.loads((data / "clinc150" / "data_full.json").read_text("utf-8"))
    yield "CLINC150", [t for t, _ in clinc["train"]], [t for t, _ in clinc["test"]]


def main() -> None:
    """Print for each data set and kind of text how much is handed over, and why."""
    wishes = HandoverSettings()
    limits = Calibration(
        max_unknown_share=wishes.max_unknown_share,
        max_gibberish_share=wishes.max_gibberish_share,
        min_words=wishes.min_words,
        languages=("English",),
    )
    others = {
        "all keys": mashed("qwertyuiopasdfghjklzxcvbnm"),
        "home row": mashed("asdfghjkl"),
        "foreign": FOREIGN,
    }
    for name, train, test in data_sets(Path(os.environ["ROUTING_PUBLIC_DATA"]) / "data"):
        emails = (token_texts(email_from_text(text, id="1")) for text in train)
        vocabulary = build_vocabulary(emails, min_count=2)
        reader = WordReader(vocabulary, placeholders=True, max_tokens=1024)
        for kind, texts in {"own test": test, **others}.items():
            print(f"{name:<10} {kind:<9} {reasons(reader, texts, limits)}", flush=True)


if __name__ == "__main__":
    main()
