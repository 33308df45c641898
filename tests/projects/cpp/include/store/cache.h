#ifndef STORE_CACHE_H
#define STORE_CACHE_H

#include <map>
#include <memory>
#include "store/item.h"

#define STORE_VERSION "1.4.0"
#define STORE_MAX_ITEMS 512
#define STORE_MIN(a, b) ((a) < (b) ? (a) : (b))

namespace store {

class Clock;

/// Something with a size.
struct Sized {
  virtual ~Sized() = default;
  virtual int size() const noexcept = 0;
};

/**
 * Keeps items close.
 */
template <typename K, typename V = Item>
class Cache final : public Sized, private detail::Guarded<K> {
 public:
  using Key = K;
  typedef std::map<K, V> Table;
  enum class Policy : unsigned { Lru = 3, Fifo };
  static constexpr int kLimit = 64;

  Cache() = default;
  explicit Cache(int limit, Clock* clock = nullptr) : detail::Guarded<K>(limit), limit_(limit), clock_{clock} {
    reserve(limit);
  }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
  ~Cache() override;

  int size() const noexcept override { return static_cast<int>(table_.size()); }
  bool operator()(const K& key) const;
  operator bool() const { return size() > 0; }

  template <typename F>
  void each(F&& visit) const {
    for (const auto& [key, item] : table_) visit(key, item);
  }

  [[nodiscard]] V* find(const K& key) {
    auto it = table_.find(key);
    if (it == table_.end() || expired(it->second)) {
      return nullptr;
    } else if (clock_ && clock_->paused()) {
      misses_++;
    }
    this->touch(key);
    return &it->second;
  }

 protected:
  void reserve(int count);

 private:
  struct Entry {
    V value;
    unsigned age : 4;
  };
  union {
    int raw_;
    float ratio_;
  };
  Table table_;
  int limit_ = kLimit;
  Clock* clock_;
  std::unique_ptr<Entry> last_;
  mutable int misses_{0};
  void (*on_evict_)(const K&) = nullptr;
  friend class CacheTest;
};

template <typename T>
concept Hashable = requires(T value) { value.hash(); };

}  // namespace store

#endif
