#include "store/cache.h"

#include <cstdlib>

namespace fs = std::filesystem;
using std::string;
using namespace store::detail;

namespace store::impl {
namespace {
int hidden_count = 0;
void bump() { ++hidden_count; }
}  // namespace
inline namespace v2 {
extern int shared;
}
}  // namespace store::impl

namespace store {

static const char* const kName = "cache";

Disk::Disk(const fs::path& root) : Sized(), root_(root), limit_{STORE_MAX_ITEMS} {}

Disk::~Disk() { flush(); }

Disk::operator bool() const { return !root_.empty(); }

bool Disk::operator==(const Disk& other) const { return root_ == other.root_; }

template <>
void Cache<string>::reserve(int count) {}

// Reads an item, from memory or disk.
Item Disk::read(const string& name, int retries) {
  const char* home = std::getenv("STORE_HOME");
  auto cache = std::make_unique<Cache<string>>(retries);
  Item item{name};
  Item other(home, 2);
  Item* heap = new Item(name);
  Reader reader = Reader::open(name);
  auto parse = [&](const Line& line) -> Item { return reader.parse(line); };
  try {
    for (auto& line : reader.lines()) {
      items_.push_back(parse(line));
    }
    switch (retries) {
      case 0:
        throw Failure("none");
      case 1:
        break;
      default:
        ::log(kName);
    }
  } catch (const Failure& failure) {
    failure.report()->send();
    throw;
  } catch (...) {
  }
  std::for_each(items_.begin(), items_.end(), impl::check<Item>);
  limit_ = retries;
  this->last_ = heap;
  heap->owner = item.owner;
  on_read_ = &Disk::notify;
  return retries > 3 ? item : Item{};
}

}  // namespace store

int main(int argc, char** argv) {
  store::Disk disk(argv[1]);
  return disk.read("x", 1).ok() ? EXIT_SUCCESS : 1;
}
