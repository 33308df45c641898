class Tour {
    Object load(java.util.List<Row> rows, String path) throws Exception {
        connect("shop.db");
        var total = sum(rows);
        for (Row row : rows.ordered()) {
            row.save();
        }
        rows.forEach(row -> row.close());
        try (var source = open(path)) {
            source.read();
        }
        synchronized (this) {
            mark();
        }
        String query = "SELECT " + path + " FROM items";
        String other = String.format("%s items", total);
        return (Row) make(query, other);
    }

    int guard(Work work) {
        try {
            work.run();
        } catch (java.io.IOException error) {
            throw new IllegalStateException("lost", error);
        } catch (RuntimeException error) {
            log.warn("failed", error);
            throw error;
        } catch (Exception ignored) {
            return 0;
        }
        return 1;
    }
}
