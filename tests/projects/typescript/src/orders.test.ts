import { describe, expect, it, beforeEach, vi } from "vitest";
import { Order } from "./orders";

describe("Order", () => {
  let order: Order;
  beforeEach(() => {
    order = new Order();
  });

  describe("price", () => {
    it("adds lines", async () => {
      expect(order.price()).toBe(3);
    });
    it.each([1, 2])("takes rate %d", (rate) => {
      expect(order.price(rate)).toBeDefined();
    });
    test.skip("is skipped", function () {});
  });
});
