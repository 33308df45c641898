// A comment that is no doc comment.
const express = require("express");
const app = express();

app.use("/api", app);
app.get("/users/:id", async (request, response) => {
  try {
    response.json(await load(process.env.DATABASE_URL, request.params.id));
  } catch (error) {
    console.error(error);
    throw new Error("no user", { cause: error });
  }
});

function load(url, id) {
  return fetch(`${url}/${id}`);
}
