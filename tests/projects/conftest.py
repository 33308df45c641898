"""The projects below are data: their tests are read by extractors, never run."""

collect_ignore_glob = ["*"]
