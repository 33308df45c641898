using NUnit.Framework;
using Xunit;

namespace Shop.Tests;

[TestFixture]
public class CartTests
{
    private Cart<Entry>? _cart;

    [SetUp]
    public void Open() => _cart = new Cart<Entry>();

    [Test]
    public void AnEmptyCartCostsNothing() => Assert.That(_cart!.Total(), Is.EqualTo(0));

    [TestCase(1)]
    [TestCase(2)]
    public void Counts(int count)
    {
    }

    [Fact(DisplayName = "closes")]
    public void Closes()
    {
    }

    [TestMethod]
    public void Opens()
    {
    }
}
