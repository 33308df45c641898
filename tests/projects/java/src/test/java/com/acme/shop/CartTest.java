package com.acme.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.*;

class CartTest {
  private Cart<Cart.Entry> cart;

  @BeforeEach
  void open() {
    cart = Carts.empty();
  }

  @Test
  @DisplayName("an empty cart costs nothing")
  void anEmptyCartCostsNothing() {
    assertEquals(0, cart.total());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void counts(int count) {}

  @Nested
  class WhenFull {
    @org.junit.jupiter.api.Test
    void isFull() {}
  }
}

class OldTest extends TestCase {
  public void testOld() {}
}
