import { Body, Controller, Get, Post, Query, Inject } from "@nestjs/common";
import { Cron } from "@nestjs/schedule";
import { EventPattern } from "@nestjs/microservices";
import { OrdersService } from "./orders.service";

@Controller("orders")
export class OrdersController {
  @Inject(CONFIG) private config: Config;

  constructor(private readonly orders: OrdersService) {}

  /** One order. */
  @Get(":id")
  @UseGuards(AuthGuard)
  one(@Query("expand") expand: string) {
    return this.orders.one(expand);
  }

  @Post()
  async create(@Body() body: CreateOrder) {
    return this.orders.create(body);
  }

  @Cron("0 * * * *")
  sweep() {
    this.orders.sweep();
  }

  @EventPattern("order.paid")
  paid() {}
}
