"""Procedures of tRPC and the calls that lead to them, in one project with every form of router."""

import pytest

from drift.analyses.contracts.contracts import look_at_contracts
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import scan

FILES = {
    "package.json": '{"name": "shop", "dependencies": {"@trpc/server": "11", "@trpc/client": "11"}}',
    "server/trpc.ts": """
import { initTRPC } from "@trpc/server";
import { z } from "zod";
const t = initTRPC.create();
export const router = t.router;
export const mergeRouters = t.mergeRouters;
export const publicProcedure = t.procedure;
export const shopProcedure = t.procedure.input(z.object({ shopId: z.string() }));
""",
    "server/posts.ts": """
import { z } from "zod";
import { router, publicProcedure, shopProcedure } from "./trpc";
import { addPost } from "./add";
const ByTitle = z.object({ title: z.string(), page: z.number().optional() });
export const postRouter = router({
  byTitle: publicProcedure.input(ByTitle).query(({ input }) => input),
  add: addPost,
  comments: router({
    list: shopProcedure.input(z.object({ postId: z.string() })).query(() => []),
  }),
  watch: publicProcedure.subscription(async function* () {}),
});
""",
    "server/add.ts": """
import { z } from "zod";
import { publicProcedure } from "./trpc";
export const addPost = publicProcedure
  .input(z.object({ title: z.string(), text: z.string() }))
  .output(z.object({ id: z.string() }))
  .mutation(async () => ({ id: "1" }));
""",
    "server/users.ts": """
import { publicProcedure } from "./trpc";
export const userRecord = {
  me: publicProcedure.query(() => null),
  unused: publicProcedure.query(() => null),
} satisfies Record<string, unknown>;
""",
    "server/root.ts": """
import { mergeRouters, router, publicProcedure } from "./trpc";
import { postRouter } from "./posts";
import { userRecord } from "./users";
const health = router({ ping: publicProcedure.query(() => "pong") });
const shop = router({ post: postRouter, user: userRecord, db: makeRouter() });
function makeRouter() { return router({ size: publicProcedure.query(() => 1) }); }
export const appRouter = mergeRouters(health, shop);
""",
    "web/client.ts": """
import { createTRPCReact, createTRPCClient } from "@trpc/react-query";
export const trpc = createTRPCReact<AppRouter>();
export const client = createTRPCClient<AppRouter>({ links: [] });
""",
    "web/page.tsx": """
import { trpc, client } from "./client";
export function Page() {
  const utils = trpc.useUtils();
  const posts = trpc.post.byTitle.useQuery({ titel: "a", page: 1 });
  const comments = trpc
    .post.comments.list.useQuery({ postId: "1", shopId: "2" });
  const add = trpc.post.add.useMutation({
    onSuccess: () => { void utils.post.byTitle.invalidate(); utils.post.invalidate(); },
  });
  const save = () => add.mutate({ title: "a", text: "b" });
  const me = client.user.me.query();
  const gone = client.user.gone.query();
  trpc.post.watch.useSubscription();
  return prisma.user.me();
}
export async function load(caller) { return caller.db.size(); }
export const other = () => api.ping();
""",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    root = tmp_path_factory.mktemp("trpc")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root)
    with IndexReader(StateDir(root).index_db) as reader, reader.snapshot():
        return look_at_contracts(reader, root)


def test_procedures_have_the_keys_that_lead_to_them(found):
    told = {(one.method, one.endpoint) for one in found.contracts} | {
        (one.method, one.path) for one in found.endpoints
    }

    assert told == {
        ("QUERY", "/post.byTitle"), ("MUTATION", "/post.add"), ("QUERY", "/post.comments.list"), ("SUBSCRIPTION", "/post.watch"),
        ("QUERY", "/user.me"), ("QUERY", "/user.unused"), ("QUERY", "/db.size"), ("QUERY", "/ping"),
    }  # fmt: skip


def test_calls_lead_to_procedures_whatever_the_client_is_called(found):
    calls = {(one.endpoint, call.line) for one in found.contracts for call in one.frontend}

    assert calls == {
        ("/post.byTitle", 5), ("/post.comments.list", 6), ("/post.add", 8), ("/post.byTitle", 9), ("/user.me", 12),
        ("/post.watch", 14), ("/db.size", 17), ("/ping", 18),
    }  # fmt: skip
    assert [(one.path, one.line) for one in found.calls] == [("/user.gone", 13)]
    assert [one.path for one in found.endpoints] == ["/user.unused"]


def test_what_is_sent_is_held_against_the_schema_of_the_input(found):
    by_path = {one.endpoint: one for one in found.contracts}

    wrong = {
        (one.field, one.severity) for one in by_path["/post.byTitle"].mismatches if one.severity != "info"
    }
    assert ("title", "error") in wrong
    assert by_path["/post.add"].status == "discovered"
    assert by_path["/post.add"].backend.request_fields == 2
    assert by_path["/post.add"].backend.response_fields == 1
