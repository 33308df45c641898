package com.acme.shop.web;

import com.acme.shop.Cart;
import java.util.List;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.servlet.function.RouterFunction;

@RestController
@RequestMapping(path = "/api/orders", produces = {"application/json"})
public class OrderController {
  private final OrderService orders;

  OrderController(OrderService orders) {
    this.orders = orders;
  }

  /** Lists orders. */
  @GetMapping
  public List<Order> list(@RequestParam(defaultValue = "20") int limit) {
    return orders.all(limit);
  }

  @GetMapping({"/{id}", "/by-id/{id}"})
  public Order show(@PathVariable String id) {
    return orders.find(id).orElseThrow(() -> new NotFound(id));
  }

  @RequestMapping(value = "/{id}/lines", method = {RequestMethod.POST, RequestMethod.PUT})
  void addLine(@PathVariable String id, @RequestBody Line line) {}

  @DeleteMapping(Paths.ONE)
  void remove(@PathVariable String id) {}

  RouterFunction<?> routes(Handlers handlers) {
    return route().GET("/health", this::health).POST("/echo", request -> request.body()).build();
  }

  String health(Request request) {
    return System.getenv("HEALTH_TEXT") + System.getenv().getOrDefault("REGION", "eu");
  }
}

@Path("/items")
class ItemResource {
  @GET
  @Path("{id}")
  public String get(String id) {
    return id;
  }

  @POST
  public void create() {}
}

@FeignClient("stock")
interface StockClient {
  @GetMapping("/stock/{id}")
  int stock(String id);
}

@WebServlet("/legacy")
class LegacyServlet extends HttpServlet {
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {}
}
