// Guards of Javalin and of Spring's router functions.
package shop;

import io.javalin.Javalin;
import org.springframework.web.servlet.function.RouterFunction;

class Server {
    void serve(Javalin app) {
        app.before(Auth::check);
        app.get("/orders", Server::list);
    }

    RouterFunction<ServerResponse> routes() {
        return route().filter(signedIn).GET("/items", Server::items).build();
    }

    static void list(Context context) {}

    static ServerResponse items(ServerRequest request) { return null; }
}
