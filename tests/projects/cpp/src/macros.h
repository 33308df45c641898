#pragma once
#if STORE_HAS_INCLUDE(<span>) && \
    STORE_CPLUSPLUS > 201703L
#  include <span>
#endif

STORE_BEGIN_NAMESPACE

class STORE_EXPORT Shelf : public Sized {
 public:
  STORE_CONSTEXPR Shelf(int width)
      : width_(width) {}
  STORE_NODISCARD auto width() const -> int { return width_; }

 private:
  int width_;
};

STORE_API void arrange(Shelf& shelf);

template <typename T, STORE_ENABLE_IF(!std::is_integral<T>::value)>
void place(Shelf& shelf, T thing) { shelf.put(thing); }

STORE_END_NAMESPACE
