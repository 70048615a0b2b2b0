"""Every setting once: type, default, unit, range and meaning.

The tree is frozen and refuses unknown keys. Values come from the defaults, then a YAML file, then
command-line flags (``--train.epochs 3``), the later winning.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


def _bound(limit: Any) -> str:
    signs = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}
    return ", ".join(
        f"{sign} {getattr(limit, name)}" for name, sign in signs.items() if hasattr(limit, name)
    )


class _Part(BaseModel):
    """A frozen part of the tree that refuses unknown keys; ``--help`` states every range."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        for name, field in cls.model_fields.items():
            bounds = [text for text in map(_bound, field.metadata) if text]
            if bounds and name != "kind":
                field.description = f"{field.description} Range: {', '.join(bounds)}."


class BayesSettings(_Part):
    """TF-IDF and multinomial naive Bayes (counts words, cannot see their order)."""

    kind: Literal["bayes"] = "bayes"
    """Kind of model."""
    ngrams: int = Field(1, ge=1, le=5)
    """Longest run of words counted as one term (1: single words)."""
    smoothing: float = Field(0.1, gt=0)
    """Additive (Lidstone) smoothing of term counts."""
    min_emails: int = Field(1, ge=1)
    """E-mails a term must stand in to be counted."""


class RecurrentSettings(_Part):
    """Recurrent network with additive attention pooling."""

    kind: Literal["recurrent"] = "recurrent"
    """Kind of model."""
    cell: Literal["lstm", "gru", "rnn"] = "lstm"
    """Recurrent cell."""
    embedding: int = Field(128, ge=1)
    """Width of a word vector."""
    hidden: int = Field(128, ge=1)
    """Width of the state, for each direction."""
    layers: int = Field(2, ge=1, le=8)
    """Stacked recurrent layers."""
    bidirectional: bool = True
    """Also read backwards."""
    dropout: float = Field(0.3, ge=0, lt=1)
    """Dropout rate; one mask over all steps (Gal & Ghahramani 2016)."""
    layer_norm: Literal["none", "output", "recurrence"] = "none"
    """Normalize each layer's output, or inside its recurrence (Ba et al. 2016; slow)."""
    pooling: Literal["attention", "attention+max"] = "attention"
    """How the word states become one vector."""
    piece_buckets: int = Field(20_000, ge=0)
    """Rows of the table of hashed character n-grams added to word vectors; 0 turns it off."""
    second_look: float = Field(0.0, ge=0)
    """Lead in logits under which an e-mail is read again with two stretches of its words swapped
    (0: never); learned from pairs of two routes, and left out without them or where it sends no
    more validation pairs right."""


class TransformerSettings(_Part):
    """Small pre-norm transformer encoder."""

    kind: Literal["transformer"] = "transformer"
    """Kind of model."""
    embedding: int = Field(128, ge=2)
    """Width of the residual stream."""
    heads: int = Field(4, ge=1)
    """Attention heads in each layer; must divide ``embedding``."""
    layers: int = Field(3, ge=1, le=48)
    """Transformer blocks."""
    feedforward: int = Field(256, ge=1)
    """Width of the feed-forward part."""
    neighbours: int = Field(5, ge=1, le=31)
    """Words mixed by a convolution in each block (1: none); order is found much sooner."""
    positions: Literal["sinusoidal", "rotary"] = "rotary"
    """Position encoding (Vaswani et al. 2017; Su et al. 2021)."""
    causal: bool = False
    """Let a word attend only to itself and earlier words."""
    pooling: Literal["attention", "attention+max", "mean"] = "attention"
    """How the word states become one vector."""
    dropout: float = Field(0.1, ge=0, lt=1)
    """Dropout rate."""
    piece_buckets: int = Field(20_000, ge=0)
    """Rows of the table of hashed character n-grams added to word vectors; 0 turns it off."""
    second_look: float = Field(0.0, ge=0)
    """Lead in logits under which an e-mail is read again with two stretches of its words swapped
    (0: never); learned from pairs of two routes, and left out without them or where it sends no
    more validation pairs right."""


class PretrainedSettings(_Part):
    """A Hugging Face encoder, fine-tuned (extra ``pretrained``)."""

    kind: Literal["pretrained"] = "pretrained"
    """Kind of model."""
    name: str = "sentence-transformers/all-MiniLM-L6-v2"
    """Hub name or local folder of the encoder."""
    pooling: Literal["mean", "cls", "attention"] = "mean"
    """How the word-piece states become one vector."""
    frozen_layers: int = Field(0, ge=0)
    """Lowest encoder layers that stay as they are (the embeddings too when above 0)."""
    frozen_embeddings: bool = False
    """The encoder's embeddings (all outside its layers) stay as they are: faster by a tenth."""
    layer_decay: float = Field(1.0, gt=0, le=1)
    """Each lower layer learns this many times as fast as the one above."""
    head_learning_rate: float = Field(1e-3, gt=0)
    """Peak learning rate of the new head (the body uses ``train.learning_rate``)."""
    gradient_checkpointing: bool = False
    """Recompute activations backwards: less memory, more time."""
    window_tokens: int = Field(256, ge=16)
    """Word pieces in one window; longer e-mails are read in several windows."""
    dropout: float = Field(0.1, ge=0, lt=1)
    """Dropout rate of the encoder's states and before the head."""
    second_look: float = Field(0.0, ge=0)
    """Lead in logits under which an e-mail is read again with two stretches of its words swapped
    (0: never); learned from pairs of two routes, and left out without them or where it sends no
    more validation pairs right."""


class NoteSettings(_Part):
    """Encoder-decoder that writes a case note."""

    kind: Literal["note"] = "note"
    """Kind of model."""
    embedding: int = Field(96, ge=1)
    """Width of a word vector."""
    hidden: int = Field(128, ge=1)
    """Width of the state, for each direction."""
    attention: bool = True
    """Additive attention of the decoder (False shows the one-vector bottleneck)."""
    beam: int = Field(1, ge=1, le=16)
    """Notes kept at each step (1: greedy)."""
    max_note_tokens: int = Field(24, ge=1)
    """Longest note."""
    dropout: float = Field(0.1, ge=0, lt=1)
    """Dropout rate."""
    piece_buckets: int = Field(0, ge=0)
    """Rows of the table of hashed character n-grams added to word vectors; 0 turns it off."""


ModelSettings = Annotated[
    BayesSettings | RecurrentSettings | TransformerSettings | PretrainedSettings | NoteSettings,
    Field(discriminator="kind"),
]


class MailSettings(_Part):
    """Reading of e-mail files."""

    trim: Literal["none", "quotes", "all"] = "all"
    """What is cut before routing: nothing, quoted messages, or signatures and disclaimers too."""


class TextSettings(_Part):
    """From text to tokens."""

    max_tokens: int = Field(1024, ge=8)
    """Longest e-mail in tokens; the rest is left out with a warning."""
    min_count: int = Field(2, ge=1)
    """Times a word must be seen in training to get a vector of its own."""
    max_words: int = Field(50_000, ge=1)
    """Largest vocabulary."""
    placeholders: bool = True
    """Replace order numbers, addresses, phone numbers, amounts … by placeholder tokens."""
    vectors: Path | None = None
    """GloVe or fastText text file of pretrained word vectors (may be ``.gz``); ``cartwise``: those
    of the corpus, learned by an LSTM that began with a fine-tuned encoder's."""


class DataSettings(_Part):
    """Labelled e-mails; without ``train`` the built-in Cartwise corpus is used."""

    train: str | None = None
    """File, folder with one sub-folder per route, or hub data set name."""
    validation: str | None = None
    """The same for validation; cut from ``train`` when missing."""
    test: str | None = None
    """The same for testing; cut from ``train`` when missing."""
    unlabelled: Path | None = None
    """More mail to train on, of any kind, without routes: ``train.teacher`` labels it."""
    text_column: str = "text"
    """Column of the e-mail's text (``body`` is taken where it is missing)."""
    subject_column: str = "subject"
    """Column of the subject."""
    route_column: str = "route"
    """Column of the route."""
    thread_column: str = "thread"
    """Column of the thread, if any: a thread never parts over splits."""
    revision: str | None = None
    """Revision of a hub data set."""
    validation_share: float = Field(0.1, gt=0, lt=1)
    """Share of ``train`` cut off when ``validation`` is missing."""
    test_share: float = Field(0.1, ge=0, lt=1)
    """Share of ``train`` cut off when ``test`` is missing (0: no test split)."""
    min_emails: int = Field(5, ge=1)
    """Fewest e-mails a route should have."""
    checks: Literal["error", "warn"] = "warn"
    """What findings of the data checks do."""


class CorpusSettings(_Part):
    """The built-in Cartwise corpus."""

    pairs: int = Field(4_000, ge=0)
    """Pairs made from the grammar."""
    far_pairs: int = Field(0, ge=0)
    """Further ones, whose deciding words asides set far apart."""
    written: bool = True
    """Take the hand-written pairs as well."""
    written_variants: int = Field(2, ge=0)
    """Times each hand-written pair is told again with other goods."""
    parts: int = Field(1, ge=1)
    """The corpus is dealt into so many parts; each epoch takes the next one."""
    noise: float = Field(0.1, ge=0, le=1)
    """Share of generated e-mails with typing noise."""
    seed: int = 0
    """Seed of the grammar."""


class TrainSettings(_Part):
    """Optimization."""

    epochs: int = Field(10, ge=1)
    """Passes over the training e-mails (of the Cartwise corpus: over a part, ``corpus.parts``)."""
    batch_emails: int = Field(64, ge=1)
    """E-mails in one batch, over all devices (pairs stay together)."""
    threads: int = Field(1, ge=1)
    """Threads of a CPU that share a batch, each with e-mails of its own: on long e-mails faster
    than sharing every product, where there is a core for each. With ``model.dropout`` one, whose
    chance repeats."""
    learning_rate: float = Field(2e-3, gt=0)
    """Peak learning rate of AdamW."""
    weight_decay: float = Field(0.01, ge=0)
    """Decoupled weight decay."""
    schedule: Literal["cosine", "linear", "plateau", "constant"] = "cosine"
    """Course of the learning rate after warm-up."""
    warmup_share: float = Field(0.06, ge=0, lt=1)
    """Share of all steps in which the learning rate rises from 0."""
    clip_norm: float = Field(1.0, ge=0)
    """Largest gradient norm (0: no clipping)."""
    patience: int = Field(5, ge=1)
    """Epochs without a better validation macro-F1 before training stops."""
    margin: float = Field(1.0, ge=0)
    """Weight of the pair-margin loss."""
    swap: float = Field(0.25, ge=0)
    """Weight of the swap loss: which two stretches of an e-mail to swap to get the other member of
    its pair (with ``model.second_look``)."""
    label_smoothing: float = Field(0.0, ge=0, lt=1)
    """Label smoothing (Szegedy et al. 2016)."""
    class_weights: Literal["none", "balanced", "effective"] = "none"
    """Weights of routes in the loss."""
    word_dropout: float = Field(0.05, ge=0, lt=1)
    """Share of training tokens replaced by the unknown word."""
    truncate_steps: int = Field(0, ge=0)
    """Back-propagate at most this many steps in time (0: all); recurrent models only."""
    curriculum_epochs: float = Field(0.0, ge=0)
    """Short e-mails first: epochs until the longest ones are taken too (0: all at once)."""
    teacher: Path | None = None
    """Run whose probabilities are learned as well (Hinton et al. 2015)."""
    encoder: Path | None = None
    """Run of a bidirectional LSTM of one layer: a writer of notes (``model.kind note``) starts with
    its words, their vectors and its recurrent layer."""
    seed: int = 0
    """Seed of weights, order and dropout."""
    checkpoint_steps: int = Field(500, ge=1)
    """Steps between checkpoints to resume from."""


class TrainerSettings(_Part):
    """Passed to Lightning's Trainer."""

    devices: int | str = 1
    """Number of devices, or ``auto``."""
    accelerator: str = "auto"
    """``cpu``, ``gpu``, ``auto`` …."""
    strategy: str = "auto"
    """``ddp``, ``fsdp``, ``auto`` …."""
    num_nodes: int = Field(1, ge=1)
    """Machines."""
    precision: str = "32-true"
    """``32-true``, ``bf16-mixed``, ``16-mixed`` …; ``auto``: bf16-mixed where the device
    multiplies bfloat16 faster, else 32-true."""
    accumulate_grad_batches: int = Field(1, ge=1)
    """Batches whose gradients are added before a step."""
    deterministic: bool = True
    """Only repeatable algorithms."""
    logger: str = "none"
    """Loggers beside history.csv: ``csv``, ``tensorboard`` or any of Lightning's by name
    (``WandbLogger``), joined by ``+``; ``none`` for history.csv alone."""


class HandoverSettings(_Part):
    """When a person decides."""

    max_misrouted: float = Field(0.05, gt=0, lt=1)
    """Largest share of automatic decisions that may be wrong (on validation mail)."""
    per_route: bool = False
    """Choose a threshold for each route on its own."""
    ambiguity_margin: float = Field(0.05, ge=0, lt=1)
    """Least lead of the best route over the second."""
    max_unknown_share: float = Field(0.5, gt=0, le=1)
    """Largest share of unknown words."""
    max_gibberish_share: float = Field(0.4, gt=0, le=1)
    """Largest share of words that look like no language (1: not asked)."""
    other_languages: bool = False
    """Decide e-mails in languages that training mail was not in."""
    familiar_share: float = Field(1.0, gt=0, le=1)
    """Share of validation e-mails that count as like training; what is less like it than the
    others is reviewed (1: not asked; 0.95 finds most e-mails that belong to no route)."""
    min_words: int = Field(2, ge=0)
    """Fewest words an e-mail needs."""


class ExplanationSettings(_Part):
    """How far the explanations of a run may be believed."""

    checked_emails: int = Field(10, ge=0)
    """Validation e-mails on which a fit checks every method (0: none); kept in the run."""


class Settings(_Part):
    """The whole tree."""

    model: ModelSettings = RecurrentSettings()
    """The model."""
    mail: MailSettings = MailSettings()
    """Reading of e-mail files."""
    text: TextSettings = TextSettings()
    """From text to tokens."""
    data: DataSettings = DataSettings()
    """Labelled e-mails."""
    corpus: CorpusSettings = CorpusSettings()
    """The built-in Cartwise corpus."""
    train: TrainSettings = TrainSettings()
    """Optimization."""
    trainer: TrainerSettings = TrainerSettings()
    """Lightning's Trainer."""
    handover: HandoverSettings = HandoverSettings()
    """When a person decides."""
    explanation: ExplanationSettings = ExplanationSettings()
    """How far the explanations of a run may be believed."""
