Row* load(std::vector<Row>& rows, std::string path) {
  connect("shop.db");
  auto total = sum(rows);
  for (auto& row : shop::ordered(rows)) {
    row.save();
  }
  std::lock_guard<std::mutex> guard(mutex_);
  std::string query = "SELECT " + path + " FROM items";
  snprintf(buffer, 10, "%d items", total);
  Row* row = new Row(total);
  delete row;
  visit([&] { mark(query); });
  return (Row*)shop::make(query);
}

int guard(Work& work) {
  try {
    work.run();
  } catch (const IoError& error) {
    throw Problem("lost", error);
  } catch (std::exception& error) {
    log_error(error);
    throw;
  } catch (...) {
    return 0;
  }
  return 1;
}
