// Constant lists and tables of Java.
class Roles {
    static final List<String> ROLES = List.of("admin", "editor");
    static final String[] METHODS = {"get", "post"};
    static final Map<String, Integer> STATES = Map.of("open", 1, "closed", 2);
}
