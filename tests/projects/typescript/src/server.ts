#!/usr/bin/env node
import express, { Router, type Express } from "express";
import { Worker } from "bullmq";
import cron from "node-cron";
import { Command } from "commander";
import yargs from "yargs";
import * as users from "./users";

const app = express();
const router = Router();
const program = new Command();
const { HOST, PORT = "3000" } = process.env;
const secret = process.env.SECRET ?? "none";
const mode = import.meta.env.MODE;

app.use((req, res, next) => next());
app.get("/health", (req, res) => res.send("ok"));
app.post("/orders", authenticate, createOrder);
router.get("/users/:id", users.show);
router.route("/items").get(listItems).post(asyncHandler(addItem));
export function mount(api: Express) {
  api.delete("/orders/:id", (req, res) => res.end());
}
cache.get("/not/a/route", () => 1);

new Worker("mail", async (job) => send(job));
cron.schedule("* * * * *", function sweep() {});
process.on("SIGTERM", shutdown);

program.command("build <target>").description("Build").action(async (target) => build(target));
yargs.command("serve [port]", "Serve", (y) => y, (argv) => serve(argv.port)).parse();

function createOrder(req, res) {
  res.json(process.env["REGION"] || "eu");
}
function listItems() {}
const addItem = async () => {};
function authenticate() {}
async function main() {
  app.listen(Number(PORT));
}
main().catch((error) => process.exit(1));
