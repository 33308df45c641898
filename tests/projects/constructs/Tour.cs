class Tour
{
    async Task<object> Load(List<Row> rows, string path)
    {
        Connect("shop.db");
        var total = await Sum(rows);
        foreach (var row in rows.Ordered())
        {
            row.Save();
        }
        using (var source = Open(path))
        {
            source.Read();
        }
        lock (this)
        {
            Mark();
        }
        var query = $"SELECT * FROM items WHERE id = {path}";
        var other = "SELECT " + path + " FROM items";
        var third = string.Format("{0} items", total);
        await Save(query);
        return (Row)Make(other, third)!;
    }

    int Guard(Work work)
    {
        try
        {
            work.Run();
        }
        catch (IOException error)
        {
            throw new Problem("lost", error);
        }
        catch (Exception error)
        {
            logger.LogError(error, "failed");
            throw;
        }
        return 1;
    }
}
