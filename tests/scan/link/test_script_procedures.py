"""Procedures that clients and callers name by the keys of routers."""

from script_cases import ScriptProject

FILES = {
    "server/trpc.ts": (
        'import { initTRPC } from "@trpc/server";\nconst t = initTRPC.create();\n'
        "export const router = t.router;\nexport const mergeRouters = t.mergeRouters;\n"
        "export const createCallerFactory = t.createCallerFactory;\nexport const open = t.procedure;\n"
    ),
    "server/posts.ts": (
        'import { router, open } from "./trpc";\nimport { addPost } from "./add";\n'
        "export const postRouter = router({\n"
        "  byTitle: open.input(1).query(byTitle),\n  add: addPost, plain: notOne,\n"
        "  comments: router({ list: open.query(listComments) }),\n"
        "  health: open.query(health),\n  ...more,\n});\n"
        "const more = { spread: open.query(spread) };\n"
        "function byTitle() {}\nfunction listComments() {}\nfunction health() {}\nfunction spread() {}\nfunction notOne() {}\n"
    ),
    "server/add.ts": (
        'import { open } from "./trpc";\nexport const addPost = open.input(2).mutation(add);\nasync function add() {}\n'
    ),
    "server/root.ts": (
        'import { mergeRouters, router, open, createCallerFactory } from "./trpc";\nimport { postRouter } from "./posts";\n'
        "const extra = router({ ping: open.query(ping) });\nfunction ping() {}\n"
        "const shop = router({ post: postRouter });\n"
        "export const appRouter = mergeRouters(extra, shop);\nexport type AppRouter = typeof appRouter;\n"
        "export const createCaller = createCallerFactory(appRouter);\n"
    ),
    "server/other.ts": (
        'import { router, open } from "./trpc";\nexport const otherRouter = router({ ping: open.query(otherPing) });\n'
        "function otherPing() {}\n"
    ),
    "web/client.ts": (
        'import { createTRPCReact, createTRPCContext, createTRPCClient } from "@trpc/react-query";\n'
        'import type { AppRouter } from "../server/root";\nexport const trpc = createTRPCReact<AppRouter>();\n'
        "export const { useTRPC } = createTRPCContext<AppRouter>();\n"
        "export const plain = createTRPCClient<AppRouter>({});\n"
    ),
}


def edges_of(text, path="web/view.tsx"):
    project = ScriptProject({**FILES, path: text})
    return {
        edge.replace("server/", "").partition(":")[2]
        for edge in project.calls()
        if edge.startswith(f"{path}:")
    }


def test_a_hook_of_a_client_runs_the_procedure_at_its_keys():
    text = (
        'import { trpc, useTRPC, plain } from "./client";\nimport { useQuery } from "@tanstack/react-query";\n'
        "export function List() { return trpc.post.comments.list.useQuery() }\n"
        "export function Ping() { return trpc.ping.useQuery() }\n"
        "export function Spread() { return trpc.post.spread.useQuery() }\n"
        "export function Add() { return trpc.post.add.useMutation() }\n"
        "export function Modern() { const api = useTRPC(); return useQuery(api.post.byTitle.queryOptions({})) }\n"
        "export async function send() { return plain.post.add.mutate({}) }\n"
    )

    assert edges_of(text) == {
        "List -> posts.ts:listComments",
        "Ping -> root.ts:ping",
        "Spread -> posts.ts:spread",
        "Add -> add.ts:add",
        "Modern -> posts.ts:byTitle",
        "send -> add.ts:add",
    }


def test_what_forgets_an_answer_runs_no_procedure_and_what_asks_again_does():
    text = (
        'import { trpc } from "./client";\n'
        "export async function refresh() {\n  const utils = trpc.useUtils();\n"
        "  await utils.post.byTitle.fetch();\n  utils.post.health.invalidate();\n  utils.post.invalidate();\n}\n"
    )

    assert edges_of(text) == {"refresh -> posts.ts:byTitle"}


def test_a_caller_runs_the_procedures_of_the_router_that_it_is_made_of():
    text = (
        'import { createCaller, appRouter } from "./root";\nimport { otherRouter } from "./other";\n'
        "export async function first() { const caller = createCaller({}); await caller.post.add({}) }\n"
        "export async function second() { const two = appRouter.createCaller({}); return two.ping() }\n"
        "export async function third() { return otherRouter.createCaller({}).ping() }\n"
    )

    assert edges_of(text, "server/call.ts") == {
        "first -> add.ts:add",
        "second -> root.ts:ping",
        "third -> other.ts:otherPing",
    }


def test_keys_that_lead_to_no_procedure_and_clients_of_others_run_none():
    text = (
        'import { trpc } from "./client";\nimport { api } from "elsewhere";\n'
        "export function None() { return trpc.post.none.useQuery() }\n"
        "export function Whole() { return trpc.post.useQuery() }\n"
        "export function Deeper() { return trpc.ping.more.useQuery() }\n"
        "export function Other() { return api.ping.useQuery() }\n"
        "export function Own() { const trpc = { ping: { useQuery() {} } }; return trpc.ping.useQuery() }\n"
    )

    assert edges_of(text) == {"Own -> web/view.tsx:Own.useQuery"}
