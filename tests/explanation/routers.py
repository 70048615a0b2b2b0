"""Small routers: an additive one whose numbers are worked by hand, and trained ones."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from routing.corpus.readers import WordReader
from routing.flags import load_settings
from routing.models.bayes import BayesModel
from routing.router import Router
from routing.text.vocabulary import Vocabulary

ROUTES = ("delivery", "refunds")
REFUNDS = "the parcel arrived but never the charger"
DELIVERY = "the charger arrived but never the parcel"
WORDS = ("<padding>", "<unknown>", "the", "parcel", "charger", "arrived", "but", "never", "please")


class AdditiveModel(nn.Module):
    """Logit of refunds = sum of the words' numbers; of delivery = 0. Looks at all words evenly."""

    finder = None

    def __init__(self, numbers: Mapping[str, float], words: tuple[str, ...]) -> None:
        super().__init__()
        values = torch.tensor([[numbers.get(word, 0.0)] for word in words])
        self.vectors = nn.Embedding.from_pretrained(values)

    def embed(self, token_ids: Tensor, word_ids: Tensor, piece_ids: Tensor) -> Tensor:
        return self.vectors(word_ids)[token_ids]  # (B, T, 1)

    def read(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        mask = torch.arange(embedded.shape[1])[None, :] < lengths[:, None]  # (B, T)
        total = (embedded[..., 0] * mask).sum(dim=1)  # (B,)
        logits = torch.stack([torch.zeros_like(total), total], dim=1)  # (B, 2)
        return logits, mask / lengths[:, None], embedded

    def forward(self, *inputs: Tensor) -> Tensor:
        token_ids, lengths, word_ids, piece_ids = inputs
        return self.read(self.embed(token_ids, word_ids, piece_ids), lengths)[0]


def additive_router(numbers: Mapping[str, float]) -> Router:
    words = ("<padding>", "<unknown>", *numbers)
    return make_router(AdditiveModel(numbers, words), words=words)


def make_router(model: nn.Module | BayesModel, *, words: tuple[str, ...] = WORDS) -> Router:
    return Router(
        settings=load_settings(),
        routes=ROUTES,
        reader=WordReader(Vocabulary(words), placeholders=True, max_tokens=600),
        model=model,
    )


def train(model: nn.Module) -> Router:
    router = make_router(model)
    batch = router.reader.token_batch([DELIVERY.split(), REFUNDS.split()])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(40):
        loss = nn.functional.cross_entropy(model(*batch.inputs()), torch.tensor([0, 1]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return router
