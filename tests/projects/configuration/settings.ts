// Reads of the environment and of settings in TypeScript: Node, Vite, Nest.
const url = process.env.SHOP_URL;
const mode = process.env["SHOP_MODE"] ?? "dev";
const base = import.meta.env.VITE_BASE;

export class Shop {
  constructor(private readonly configService: ConfigService) {}

  read() {
    this.configService.get("shop.retries", 3);
    return this.configService.getOrThrow("shop.token");
  }
}
