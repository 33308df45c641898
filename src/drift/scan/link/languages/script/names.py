"""The names every script has, and the modules that come with Node."""

from typing import Final

# `Function` is left out on purpose: as a declared type it says nothing of what a call runs.
_LANGUAGE: Final = """
AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error
EvalError FinalizationRegistry Float32Array Float64Array Infinity Int16Array Int32Array Int8Array Intl
Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
SharedArrayBuffer String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array
Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI
encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape
ArrayLike AsyncGenerator AsyncIterable AsyncIterator Generator Iterable IterableIterator PromiseLike
ReadonlyArray ReadonlyMap ReadonlySet TemplateStringsArray
"""
_NODE: Final = """
Buffer NodeJS __dirname __filename clearImmediate exports global module process require setImmediate
"""
_WEB: Final = """
AbortController AbortSignal Audio Blob BroadcastChannel CSS CSSStyleDeclaration CSSStyleSheet Cache CloseEvent
Clipboard CompressionStream Crypto CryptoKey CustomEvent DOMException DOMParser DOMRect DataTransfer
DecompressionStream Document DocumentFragment DragEvent Element ErrorEvent Event EventSource EventTarget
File FileList FileReader FocusEvent FormData HTMLAnchorElement HTMLButtonElement HTMLCanvasElement
HTMLDivElement HTMLElement HTMLFormElement HTMLIFrameElement HTMLImageElement HTMLInputElement
HTMLSelectElement HTMLSpanElement HTMLTextAreaElement HTMLVideoElement Headers History IDBDatabase Image
IntersectionObserver KeyboardEvent Location MediaQueryList MediaStream MessageChannel MessageEvent
MessagePort MouseEvent MutationObserver Navigator Node NodeList Notification Path2D Performance
PerformanceObserver PointerEvent PopStateEvent Range ReadableStream Request ResizeObserver Response
SVGElement Selection ShadowRoot Storage StorageEvent SubmitEvent SubtleCrypto Text TextDecoder TextEncoder
TouchEvent TransformStream UIEvent URL URLSearchParams WebSocket WheelEvent Window Worker WritableStream
XMLHttpRequest XMLSerializer addEventListener alert atob btoa caches cancelAnimationFrame clearInterval
clearTimeout confirm console crypto customElements dispatchEvent document fetch getComputedStyle
getSelection history indexedDB localStorage location matchMedia navigator performance postMessage prompt
queueMicrotask removeEventListener reportError requestAnimationFrame requestIdleCallback screen self
sessionStorage setInterval setTimeout structuredClone window
"""
_TESTS: Final = """
after afterAll afterEach assert before beforeAll beforeEach context cy describe expect expectTypeOf fdescribe
fit it jest sinon specify suite test vi xdescribe xit
"""
_OTHERS: Final = "Bun Deno JSX React chrome browser $ jQuery"
_RUNES: Final = (
    "$state $derived $props $bindable $effect $inspect $host"  # Svelte's own, in sight without an import
)

GLOBALS: Final = frozenset(f"{_LANGUAGE} {_NODE} {_WEB} {_TESTS} {_OTHERS} {_RUNES}".split())

ROOT_MEMBERS: Final = frozenset(
    {
        "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString",
        "valueOf",
        # A promise is read as what it gives, so what it has itself is here.
        "catch", "finally", "then",
        "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
    }
)  # fmt: skip

# Of strings, arrays, numbers, dates, promises and functions. Those of maps and sets are too short to be theirs alone.
_BUILTIN_METHODS: Final = """
apply at bind call catch charAt charCodeAt codePointAt concat copyWithin endsWith every fill filter finally find
findIndex findLast findLastIndex flat flatMap forEach getDate getDay getFullYear getHours getMilliseconds getMinutes
getMonth getSeconds getTime getTimezoneOffset getUTCDate getUTCFullYear getUTCHours getUTCMonth hasOwnProperty
includes indexOf join lastIndexOf localeCompare map match matchAll normalize padEnd padStart pop push reduce
reduceRight repeat replace replaceAll reverse shift slice some sort splice split startsWith substr substring then
toExponential toFixed toISOString toLocaleDateString toLocaleLowerCase toLocaleString toLocaleTimeString
toLocaleUpperCase toLowerCase toPrecision toReversed toSorted toSpliced toString toUTCString toUpperCase trim
trimEnd trimStart unshift valueOf
"""
BUILTIN_METHODS: Final = frozenset(_BUILTIN_METHODS.split())

# Newer ones are known only with `node:` before them, and need no list.
_NODE_MODULES: Final = """
assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib
"""
NODE_MODULES: Final = frozenset(_NODE_MODULES.split())
