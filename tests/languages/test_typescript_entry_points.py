"""What the outside world calls in TypeScript: routes, commands, jobs, events, tests, components."""

import pytest
from extraction_checks import check_facts

from drift.languages.facts import FileFacts, Symbol
from drift.languages.typescript import extract


def read(source: str, path: str = "file.ts") -> FileFacts:
    facts = extract(source.encode(), path)
    check_facts(facts, source.encode())
    return facts


def symbol(facts: FileFacts, name: str) -> Symbol:
    return next(found for found in facts.symbols[1:] if found.name == name)


def test_a_component_and_a_hook_are_known_by_name_and_markup():
    facts = read("const Box = () => <p/>; const useBox = () => 1; const low = () => <p/>;", "file.tsx")

    assert symbol(facts, "Box").modifiers == ("arrow", "component")
    assert symbol(facts, "useBox").modifiers == ("arrow", "hook")
    assert symbol(facts, "low").modifiers == ("arrow",)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("const app = new Hono(); app.get('/a', f).post('/b', g)", ["GET /a", "POST /b"]),
        ("fastify.route({ method: 'PUT', url: '/a', handler: f })", ["PUT /a"]),
        ("class A { s() { this.router.patch('/a', this.m) } m() {} }", ["PATCH /a"]),
        ("const r = express.Router(); r.all('/a', guard, (q, s) => s)", ["ALL /a"]),
        ("axios.get('/a', config)", []),
        ("app.get('setting')", []),
        ("new Map().get('/a', f)", []),
        ("@Resolver() class A { @Query(() => B) users() {} }", ["QUERY users"]),
        ("class A { @Query() users() {} }", []),
        ("@Controller({ path: 'a' }) class A { @Get() all() {} }", ["GET /a"]),
    ],
)
def test_routes_are_told_from_other_calls(source, expected):
    assert [entry.detail for entry in read(source).entry_points if entry.kind == "http"] == expected


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("web/app/(shop)/items/[id]/page.tsx", "export default function Page() {}", ["GET /items/[id]"]),
        ("pages/api/users/[id].ts", "export default handler; function handler() {}", ["ALL /api/users/[id]"]),
        ("apps/web/src/app/app/users/page.tsx", "export default function Page() {}", ["GET /app/users"]),
        ("pages/api/index.ts", "export default () => 1", ["ALL /api"]),
        ("web/src/components/pages/api/carts.ts", "export default () => 1", []),
        ("pages/api/carts.api.ts", "export default () => 1", ["ALL /api/carts"]),
        (
            "src/pages/login.tsx",
            "import View from './view'; export { getServerSideProps } from '../props'; export default View",
            ["GET /login", "GET /login"],
        ),
        ("app/items/route.ts", "export { GET, POST as PUT } from './handlers'", ["GET /items", "PUT /items"]),
        ("app/items/page.tsx", "export { default } from './list'", ["GET /items"]),
        (
            "app/items/route.ts",
            "const handler = () => 1; function POST() {}; export { handler as GET, POST, handler as helper }",
            ["GET /items", "POST /items"],
        ),
        ("app/items/route.ts", "export const { GET, POST } = handlers", ["GET /items", "POST /items"]),
        ("app/items/page.client.tsx", "export default () => 1", []),
        ("app/items/page.page.tsx", "export default () => 1", ["GET /items"]),
        ("app/items/route.test.ts", "export const GET = () => 1", []),
        ("app/sitemap.ts", "import type { A } from 'next'; export default () => []", ["GET /sitemap.xml"]),
        ("app/shop/robots.ts", "export default () => []", []),
        (
            "src/app/(a)/shop/icon.tsx",
            "import { ImageResponse } from 'next/og'; export default function Icon() {}; export const size = 1",
            ["GET /shop/icon"],
        ),
        ("src/routes/items/+server.ts", "export const PUT = () => 1", ["PUT /items"]),
        ("lib/items/route.ts", "export const PUT = () => 1", []),
        ("pages/api/auth/[...rest].ts", "export default () => 1", ["ALL /api/auth/[...rest]"]),
        (
            "web/pages/items/[id].tsx",
            "import { useRouter } from 'next/router'; export const getStaticProps = () => 1; export default () => 1",
            ["GET /items/[id]", "GET /items/[id]"],
        ),
        (
            "web/pages/index.tsx",
            "import Head from 'next/head'; const Page = () => 1; export default Page",
            ["GET /"],
        ),
        ("web/pages/_app.tsx", "import Head from 'next/head'; export default () => 1", []),
        ("src/pages/Login.tsx", "import x from 'react'; export default function Login() {}", []),
        ("src/routes/a/(b)/+page.server.ts", "export const load = () => 1", ["GET /a"]),
        (
            "app/routes/_auth.items_.$id.tsx",
            "import { json } from '@remix-run/node'; export async function loader() {}; export const action = () => 1; export default () => 2",
            ["GET /items/$id", "POST /items/$id", "GET /items/$id"],
        ),
        ("app/routes/items.tsx", "import x from 'react'; export const loader = () => 1", []),
        (
            "apps/web/app/routes/_auth+/admin+/items._index.tsx",
            "import { Link } from 'react-router'; export default function Items() {}",
            ["GET /admin/items"],
        ),
        (
            "app/routes/items.$id.tsx",
            "import type { Route } from './+types/items.$id'; export default function Item() {}",
            ["GET /items/$id"],
        ),
        (
            "app/routes/_auth+/_layout.tsx",
            "import { Outlet } from 'react-router'; export const loader = () => 1; export default () => 2",
            [],
        ),
        ("src/components/routes/list.tsx", "import { Link } from 'react-router'; export default () => 2", []),
    ],
)
def test_routes_by_file_name_are_found(path, source, expected):
    assert [entry.detail for entry in read(source, path).entry_points if entry.kind == "http"] == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("yargs.command({ command: 'up', handler: (a) => a })", [("cli", "command up")]),
        ("const c = program.command('up'); c.option('-x').action(run)", [("cli", "command up")]),
        ("new Command('up').action(run)", [("cli", "command up")]),
        ("store.action(run)", []),
        ("new CronJob('* * *', () => 1)", [("job", "* * *")]),
        ("new Worker('./file.js')", []),
        ("mailQueue.process(async (job) => job)", [("job", "mailQueue.process")]),
        (
            "import { Handler } from 'aws-lambda'; export const handler = () => 1",
            [("event", "lambda handler")],
        ),
        ("bus.once('saved', this.onSaved)", [("event", "saved")]),
        ("bus.on('saved')", []),
        ("it('is told', done)", [("test", "is told")]),
        ("test.beforeEach(() => 1)", []),
        ("test.each`a`('rows', () => 1)", [("test", "rows")]),
        ("Deno.test(function adds() {})", [("test", "adds")]),
    ],
)
def test_commands_jobs_events_and_tests_are_found(source, expected):
    assert [(entry.kind, entry.detail) for entry in read(source).entry_points] == expected
