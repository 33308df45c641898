class Item { [JsonPropertyName("n")] public string Name { get; set; } public string? Note { get; set; } [Column("ttl")] public required int X { get; init; } }
record R(string A, int? B);
