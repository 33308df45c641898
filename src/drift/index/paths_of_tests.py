"""Where texts of test files stand that may be paths of requests: at whoever says them, and at whoever uses what says them."""

from typing import Final

_PATH_TEXTS: Final = """
    FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    {more}
    WHERE files.role = 'test' AND constants.kind = 'string'
        AND (constants.value GLOB '/*' OR constants.value GLOB '#/*' OR constants.value GLOB 'http*://*' OR constants.value GLOB '{{*}}/*'
            OR constants.value GLOB '${{*}}/*')
"""
PATHS_IN_TESTS: Final = f"SELECT constants.symbol_id, constants.value, constants.line, constants.times {_PATH_TEXTS.format(more='')}"
# get("/"), which is too short for a text that is kept by itself.
SHORT_PATHS_IN_TESTS: Final = """
    SELECT calls.caller_id, call_details.literal, calls.line, 1
    FROM files CROSS JOIN calls ON calls.id BETWEEN files.id << 20 AND (files.id << 20) + 1048575
    CROSS JOIN call_details ON call_details.id = calls.id
    WHERE files.role = 'test' AND call_details.literal GLOB '/*' AND length(call_details.literal) < ?
"""
# self.url = "/orders/": who uses a field that a method of its class, its set-up say, gives a text in the same line.
STORED_IN_FIELD: Final = """
        CROSS JOIN symbols AS saying ON saying.id = constants.symbol_id AND saying.kind IN ('method', 'constructor')
        CROSS JOIN symbols ON symbols.parent_id = saying.parent_id AND symbols.kind = 'field'
            AND constants.line BETWEEN symbols.line AND symbols.end_line
"""
USERS_OF_FIELD: Final = f"""{STORED_IN_FIELD}
        CROSS JOIN refs ON refs.target_symbol_id = symbols.id AND refs.symbol_id <> constants.symbol_id
"""
# api_routes.order(3), api_routes.ORDERS: who uses a function or a variable that says a path.
PATHS_NAMED_IN_TESTS: Final = f"""
    SELECT edges.caller_id, constants.value, edges.line, constants.symbol_id
    {_PATH_TEXTS.format(more="CROSS JOIN edges ON edges.callee_id = constants.symbol_id")}
    UNION ALL
    SELECT refs.symbol_id, constants.value, refs.line, constants.symbol_id
    {
    _PATH_TEXTS.format(
        more="CROSS JOIN symbols ON symbols.parent_id = constants.symbol_id AND symbols.name = constants.name"
        " CROSS JOIN refs ON refs.target_symbol_id = symbols.id"
    )
}
    UNION ALL
    SELECT refs.symbol_id, constants.value, refs.line, constants.symbol_id
    {
    _PATH_TEXTS.format(
        more="CROSS JOIN symbols ON symbols.id = constants.symbol_id AND symbols.kind = 'property'"
        " CROSS JOIN refs ON refs.target_symbol_id = symbols.id"
    )
}
    UNION ALL
    SELECT refs.symbol_id, constants.value, refs.line, constants.symbol_id
    {_PATH_TEXTS.format(more=USERS_OF_FIELD)}
"""
# expect(page).toHaveURL(/\\/orders\\/[^/]+/), and who names a constant that is such an expression.
PATTERNS_IN_TESTS: Final = """
    SELECT constants.symbol_id, constants.value, constants.line, constants.times FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'test' AND constants.kind = 'page-pattern' AND constants.name IS NULL
    UNION ALL
    SELECT refs.symbol_id, constants.value, refs.line, 1 FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    CROSS JOIN symbols ON symbols.parent_id = constants.symbol_id AND symbols.name = constants.name
    CROSS JOIN refs ON refs.target_symbol_id = symbols.id
    WHERE files.role = 'test' AND constants.kind = 'page-pattern'
"""
# page.waitForURL(`/orders/${TABS[tab]}`)
KEYED_PATHS_IN_TESTS: Final = """
    SELECT constants.symbol_id, constants.value, constants.line, constants.times FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'test' AND constants.kind = 'string' AND constants.value GLOB '/*${[A-Za-z_]*[[]*]}*'
"""
BARE_PATHS_IN_TESTS: Final = """
    SELECT constants.symbol_id, constants.value, constants.line, constants.times
    FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'test' AND files.language IN (SELECT value FROM json_each(?)) AND constants.kind = 'string'
        AND constants.value GLOB '[a-z]*' AND constants.value NOT GLOB '*[ ;]*'
"""
