class Item { @JsonProperty("n") private String name; @Column(name = "ttl", nullable = false) Optional<String> note; @Nullable Integer x; }
record R(@JsonProperty("z") String a, int b) {}
