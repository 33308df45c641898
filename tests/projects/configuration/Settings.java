// Reads of the environment and of settings in Java: properties, Spring, MicroProfile.
class Settings {
    @Value("${shop.url:http://localhost}")
    String url;

    @Value("${shop.token}")
    String token;

    @ConfigProperty(name = "shop.limit", defaultValue = "5")
    int limit;

    void read(Environment environment) {
        System.getenv("SHOP_URL");
        System.getProperty("shop.mode", "dev");
        environment.getRequiredProperty("shop.key");
    }
}
