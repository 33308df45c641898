// Guards of Koa.
const Router = require("@koa/router");
const router = new Router();

router.use(session());
router.get("/cart", signedIn, cart);

module.exports = router;
