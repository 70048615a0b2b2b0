"""Email -> cleaned text -> tokens (with offsets into the original) -> token ids."""
