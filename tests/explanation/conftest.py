"""Small routers, trained once."""

import pytest
import torch

from routing.models.bayes import BayesModel
from routing.models.recurrent import RecurrentModel
from routing.models.transformer import TransformerModel
from routing.records import Email
from routing.router import Router
from tests.explanation.routers import REFUNDS, WORDS, make_router, train


@pytest.fixture(scope="session")
def lstm() -> Router:
    torch.manual_seed(0)
    sizes = {"embedding": 6, "hidden": 7, "layers": 2, "dropout": 0.0}
    return train(RecurrentModel(words=len(WORDS), routes=2, **sizes))


@pytest.fixture(scope="session")
def transformer() -> Router:
    torch.manual_seed(0)
    sizes = {"embedding": 24, "heads": 2, "layers": 2, "feedforward": 8, "dropout": 0.0}
    return train(TransformerModel(words=len(WORDS), routes=2, **sizes))


@pytest.fixture(scope="session")
def bayes() -> Router:
    emails = [["parcel", "late", "late"], ["money", "back"], ["money", "parcel"]]
    return make_router(BayesModel().fit(emails, [0, 1, 1]))


@pytest.fixture
def email() -> Email:
    return Email(id="mail-1", text=REFUNDS, body=REFUNDS)
