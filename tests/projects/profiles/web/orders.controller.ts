import { Controller, Get, Injectable, Post, UseGuards } from "@nestjs/common";
import { AuthGuard } from "./auth.guard";

@Injectable()
export class Orders {
  async store(order: string) {
    if (!order) {
      throw new Error("empty");
    }
    return order;
  }
}

@Controller("orders")
export class OrdersController {
  constructor(private readonly orders: Orders) {}

  @Get(":id")
  @UseGuards(AuthGuard)
  show() {
    try {
      return this.orders.store("1");
    } catch (error) {}
  }

  @Post()
  add() {
    this.orders.store("2");
  }
}
