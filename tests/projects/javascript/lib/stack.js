'use strict';
/** A stack, the old way. */
const util = require('util');
const { readFile, writeFile: write } = require('fs/promises');
const Emitter = require('events').EventEmitter;
const debug = require('debug')('stack');
var proto = module.exports = Stack;

function Stack(limit) {
  if (!(this instanceof Stack)) return new Stack(limit);
  Emitter.call(this);
  this.items = [];
  this.clear = () => { this.items = []; };
}
util.inherits(Stack, Emitter);

/**
 * Puts one on top.
 */
Stack.prototype.push = function push(item) {
  debug('push %o', item);
  this.items.push(item);
  return this;
};
Stack.create = function () { return new Stack(3); };

exports.peek = (stack) => stack.items[stack.items.length - 1];
module.exports.size = function size(stack) {
  return stack.items.length;
};
Object.assign(module.exports, { drain, fill() { return 1; } });

function drain(stack, callback) {
  while (stack.items.length) {
    callback(stack.items.pop());
  }
  label: for (let i = 0, n = 10; i < n; i++) {
    for (var key in stack) { if (key) continue label; }
  }
}

const handlers = {
  open() { return this.close(); },
  close: function () {},
  'on error': async () => {},
  get count() { return 0; },
  nested: { deep() { return drain; } },
  util,
};

(function boot() {
  process.nextTick(drain.bind(null, handlers));
})();

const load = async (path) => JSON.parse(await readFile(path, 'utf8'));
const lazy = () => import('./lazy.js');
const bound = handlers.open.apply(handlers, [1]);
let total, rest;
[total, ...rest] = [1, 2, 3];
({ total, other: rest = 4 } = handlers);
function outer() {
  function inner() { total = load('x'); }
  return inner;
}
if (require.main === module) outer();
