// Reads of the environment and of settings in JavaScript.
const config = require("config");

const { SHOP_URL } = process.env;
const port = process.env.PORT || 3000;
const limit = config.get("shop.limit");
