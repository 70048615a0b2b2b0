"""Token ids (naive Bayes: tokens) -> logits. Models know no e-mail, file or settings object."""
