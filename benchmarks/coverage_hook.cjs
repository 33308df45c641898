// Notes for each test which functions it ran, by the counters of Istanbul: a line of JSON for each in $DRIFT_RAN.
//
//   mocha: npx nyc --silent mocha --require .../coverage_hook.cjs test/
//   jest:  npx jest --coverage --setupFilesAfterEnv .../coverage_hook.cjs
//   vitest: `setupFiles` with this file, `globals`, and `--coverage.provider=istanbul`
//
// What runs while a file is loaded, before the first test, is nobody's.
'use strict'

const fs = require('fs')
const path = require('path')

const counters = () => globalThis.__coverage__ || globalThis.__VITEST_COVERAGE__ || {}
const relative = (file) => path.relative(process.cwd(), file)
let before = {}

const maps = new Map()

// Counters of a file that was compiled before stand in lines of what it became.
function written({ path: file, inputSourceMap }, place) {
  if (!inputSourceMap) return place.line
  const { TraceMap, originalPositionFor } = require('@jridgewell/trace-mapping')
  if (!maps.has(file)) maps.set(file, new TraceMap(inputSourceMap))
  return originalPositionFor(maps.get(file), place).line || 0
}

function begin() {
  before = Object.fromEntries(Object.entries(counters()).map(([file, counted]) => [file, { ...counted.f }]))
}

function finish(file, title) {
  const ran = []
  for (const [name, counted] of Object.entries(counters())) {
    for (const [key, times] of Object.entries(counted.f)) {
      const { decl, loc } = counted.fnMap[key]
      if (times > ((before[name] || {})[key] || 0)) {
        ran.push([relative(counted.path), written(counted, decl.start), written(counted, loc.start)])
      }
    }
  }
  const line = JSON.stringify({ file: relative(file), title, ran })
  fs.appendFileSync(process.env.DRIFT_RAN || 'ran.jsonl', line + '\n')
}

if (typeof expect === 'function' && typeof expect.getState === 'function') {
  const now = () => expect.getState()
  beforeEach(begin)
  afterEach(() => finish(now().testPath, now().currentTestName))
} else {
  exports.mochaHooks = {
    beforeEach: begin,
    afterEach() {
      finish(this.currentTest.file, this.currentTest.titlePath().join(' > '))
    },
  }
}
