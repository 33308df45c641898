require "spec_helper"

RSpec.describe Shop::Cart do
  subject(:cart) { described_class.new([line]) }

  let(:line) { Shop::Cart::Line.new("tea;3") }

  before { cart << line }

  describe "#find_line" do
    it "finds by name" do
      expect(cart.find_line("tea")).to eq(line)
      check(line)
    end

    it { is_expected.to be_truthy }
  end

  def check(one)
    one.touch
  end
end
