require "test_helper"

class ShopTest < Minitest::Test
  def setup
    @cart = Shop::Cart.new
  end

  def test_total
    assert_equal 0, @cart.total
  end

  test "is empty" do
    assert @cart.empty?
  end
end
