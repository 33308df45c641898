#include <gtest/gtest.h>

class CacheTest : public ::testing::Test {
 protected:
  void SetUp() override { cache_.clear(); }
  Cache cache_;
};

TEST(Cache, StartsEmpty) { EXPECT_EQ(0, Cache().size()); }

TEST_F(CacheTest, Finds) { ASSERT_TRUE(cache_.find("x")); }

BOOST_AUTO_TEST_CASE(evicts) { check(); }

TEST_CASE("keeps order", "[cache]") {
  Cache cache;
  SECTION("when full") { cache.fill(); }
}

SCENARIO("readers wait") { wait(); }
