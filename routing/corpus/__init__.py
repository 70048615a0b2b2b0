"""Many e-mails -> splits -> batches."""
