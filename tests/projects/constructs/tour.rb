class Tour
  def load(path)
    connect("shop.db", mode: "ro")
    total = sum(path)
    rows.each do |row|
      row.save
      row.touch
    end
    File.open(path) do |source|
      source.read
    end
    @lock.synchronize { mark(path) }
    query = "SELECT * FROM items WHERE id = #{path}"
    joined = "SELECT " + path + " FROM items"
    shown = format("%d items", total)
    value = Integer(path) rescue nil
    return pick(value)
  end

  def guard
    work
  rescue IOError => error
    raise Problem, "lost"
  rescue StandardError => error
    logger.error("failed")
    raise error
  end
end
