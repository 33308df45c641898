// Guards of Express and Fastify: arguments, options, what a router uses, wrappers.
import express, { Router } from "express";

const app = express();
const users = Router();

app.use(helmet());
app.use("/admin", onlyAdmins);
users.use(authenticate);

users.get("/", list);
users.post("/", validate(schema), [limit, audit], asyncHandler(create));
users.route("/:id").get(cached, show);
users.delete("/:id", guarded((request, response) => remove(request, response)));
app.get("/admin/stats", stats);
app.get("/health", health);
app.use("/users", tenant, users);

export async function plugin(fastify: FastifyInstance) {
  fastify.addHook("onRequest", verify);
  fastify.get("/me", { preHandler: [fastify.signedIn, fastify.active] }, async () => 1);
  fastify.route({ method: "GET", url: "/you", onRequest: fastify.signedIn, handler: you });
}

users.use(late);
