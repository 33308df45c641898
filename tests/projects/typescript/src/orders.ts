/**
 * Orders: what customers buy.
 */
import defaultClient, { Logger as Log, type Money } from "./client";
import * as pricing from "./pricing";
import type { Customer } from "./customer";
import "./polyfill";
import legacy = require("./legacy");

export { pricing as prices };
export * from "./shipping";
export * as taxes from "./taxes";
export { default as Cart, type Line } from "./cart";

/** How many orders one page holds. */
export const PAGE_SIZE = 50;
const TABLE = "orders";
let counter = 0;

export enum Status {
  Open = "open",
  Paid = "paid",
}

export interface Repository<T> extends Iterable<T> {
  find(id: string): Promise<T>;
  readonly size: number;
}

export type OrderView = { id: string; total(): Money };
type Id = Order["id"] | undefined;

/** Something that can be priced. */
export abstract class Priced<T extends Money> {
  protected constructor(protected readonly amount: T) {}
  abstract price(rate?: number): T;
}

export class Order extends Priced<Money> implements OrderView, pricing.Taxed {
  static #count = 0;
  readonly id: string = createId();
  private lines: Line[] = [];
  onPaid = async (by: Customer) => {
    await this.notify(by);
  };

  constructor(
    amount: Money,
    private readonly repository: Repository<Order>,
    public customer?: Customer,
  ) {
    super(amount);
    Order.#count += 1;
    this.status = Status.Open;
  }

  status: Status;

  get isPaid(): boolean {
    return this.status === Status.Paid;
  }

  set isPaid(value: boolean) {
    this.status = value ? Status.Paid : Status.Open;
  }

  price(): Money;
  price(rate: number): Money;
  price(rate = 1): Money {
    return pricing.total(this.lines.map((line) => line.amount * rate));
  }

  static async load(id: string): Promise<Order> {
    const { data, meta: { page = 1 } } = await defaultClient.get<Order>(`/orders/${id}`);
    return data as Order;
  }

  total() {
    return this.repository.find(this.id).then((order) => order!.price());
  }

  private async notify({ email, name: [first] }: Customer, ...others: Customer[]) {
    for (const other of others) other.greet?.(first);
    return new Log(email).info?.["write"](first);
  }

  *pages() {
    yield* this.lines;
  }
}

function createId(): string {
  counter++;
  return legacy.uuid().slice(0, 8);
}

export async function checkout(order: Order, log = new Log()): Promise<Money> {
  const { applyDiscount } = await import("./discounts");
  try {
    if (order.isPaid && order.customer) {
      throw new Error("paid twice");
    } else if (PAGE_SIZE > 10 || !order.id) {
      return applyDiscount(order.price());
    }
  } catch (error) {
    // nothing can be done
  } finally {
    log.close();
  }
  return order.price(2) satisfies Money;
}

export namespace Units {
  export const cents = (value: number) => value * 100;
}

declare module "express" {
  interface Request {
    order?: Order;
  }
  function external(): void;
}

export default checkout;
