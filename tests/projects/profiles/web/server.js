const express = require("express");
const app = express();

app.get("/health", (request, response) => response.send("ok"));
