// Writes the calls of a TypeScript or JavaScript project as its compiler resolves them; run by truth_typescript.py.
//
//     node truth_typescript.mjs TYPESCRIPT_FOLDER PROJECT OUT.jsonl

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [toolFolder, projectArgument, out] = process.argv.slice(2);
const ts = createRequire(path.join(path.resolve(toolFolder), "package.json"))("typescript");
const project = fs.realpathSync(projectArgument);
const SKIPPED = new Set(["node_modules", "dist", "build", "coverage", "vendor"]);
const SCRIPT = /\.[cm]?[jt]sx?$/;
const MOST_STEPS = 6; // from a name to the function it was given

const scripts = [];
const packages = new Map(); // name -> folder
walk(project);

function walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name) && !entry.name.startsWith(".")) walk(place);
    } else if (entry.name === "package.json") {
      const name = readJson(place).name;
      if (name && !packages.has(name)) packages.set(name, folder);
    } else if (SCRIPT.test(entry.name) && !entry.name.endsWith(".min.js")) scripts.push(place);
  }
}

function readJson(place) {
  return ts.readConfigFile(place, ts.sys.readFile).config ?? {};
}

// Module resolution: as the nearest tsconfig maps it, then packages of the project by their sources, then the tools.

const shared = {
  allowJs: true, checkJs: true, noEmit: true, strict: true, skipLibCheck: true, esModuleInterop: true,
  target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler, moduleDetection: ts.ModuleDetectionKind.Force,
  allowImportingTsExtensions: true, resolveJsonModule: true, experimentalDecorators: true,
  maxNodeModuleJsDepth: 0, types: ["node", "react"],
  typeRoots: [path.join(path.resolve(toolFolder), "node_modules/@types")],
};
const optionsOf = new Map();

function optionsFor(folder) {
  if (optionsOf.has(folder)) return optionsOf.get(folder);
  const config = ["tsconfig.json", "jsconfig.json"].map((name) => path.join(folder, name)).find(ts.sys.fileExists);
  let found = shared;
  if (config) {
    const { options } = ts.parseJsonConfigFileContent(readJson(config), { ...ts.sys, readDirectory: () => [] }, folder);
    found = { ...shared, baseUrl: options.baseUrl, paths: options.paths, pathsBasePath: options.pathsBasePath };
  } else if (folder.startsWith(`${project}/`)) found = optionsFor(path.dirname(folder));
  optionsOf.set(folder, found);
  return found;
}

function resolveModule(name, from) {
  const options = optionsFor(path.dirname(from));
  const found = ts.resolveModuleName(name, from, options, ts.sys).resolvedModule;
  if (found && !found.resolvedFileName.includes("/node_modules/")) return found;
  const parts = name.split("/");
  const packageName = parts.slice(0, name.startsWith("@") ? 2 : 1).join("/");
  const folder = packages.get(packageName);
  if (folder !== undefined && packageName) {
    const inner = parts.slice(packageName.split("/").length).join("/");
    for (const place of inner ? [`src/${inner}`, inner, `${inner}/src/index`] : ["src/index", "index", "lib/index", "."]) {
      const own = ts.resolveModuleName(`./${place}`, path.join(folder, "x.ts"), shared, ts.sys).resolvedModule;
      if (own) return own;
    }
  }
  return found ?? ts.resolveModuleName(name, path.join(path.resolve(toolFolder), "x.ts"), shared, ts.sys).resolvedModule;
}

const host = ts.createCompilerHost(shared, true);
host.resolveModuleNameLiterals = (names, from) => names.map((one) => ({ resolvedModule: resolveModule(one.text, from) }));
const program = ts.createProgram(scripts, shared, host);
const checker = program.getTypeChecker();
const sources = program.getSourceFiles().filter((file) => isOwn(file));

function isOwn(file) {
  return file.fileName.startsWith(`${project}/`) && !file.fileName.includes("/node_modules/");
}

// Declarations

const isFunction = (node) => Boolean(node) && (ts.isFunctionLike(node) && "body" in node && node.body !== undefined);
const followAlias = (symbol) => (symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

function bare(node) {
  while (node && (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node) || ts.isTypeAssertionExpression(node))) node = node.expression;
  return node;
}

const below = new Map(); // symbol of a class or interface -> symbols of the classes and objects below it
for (const file of sources) visitTypes(file);

function visitTypes(node) {
  if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) {
    for (const clause of node.heritageClauses ?? [])
      for (const one of clause.types) noteBelow(checker.getTypeAtLocation(one).symbol, node.symbol);
  } else if (ts.isObjectLiteralExpression(node) && node.properties.length) {
    const wanted = checker.getContextualType(node);
    noteBelow(wanted?.aliasSymbol ?? wanted?.symbol, node.symbol);
    noteBelow(wanted?.symbol, node.symbol);
  }
  ts.forEachChild(node, visitTypes);
}

function noteBelow(parent, child) {
  if (!parent || !child || parent === child) return;
  if (!below.has(parent)) below.set(parent, new Set());
  below.get(parent).add(child);
}

function implementations(member) {
  const seen = new Set();
  const found = new Set();
  const pending = [member.parent];
  while (pending.length) {
    for (const one of below.get(pending.pop()) ?? []) {
      if (seen.has(one)) continue;
      seen.add(one);
      pending.push(one);
      const own = one.members?.get(member.escapedName)?.declarations ?? [];
      own.map(functionOf).filter(Boolean).forEach((each) => found.add(each));
    }
  }
  return [...found];
}

// The function a declaration is, or is given for good.
function functionOf(declaration, steps = MOST_STEPS) {
  if (!declaration || !steps) return undefined;
  if (isFunction(declaration)) return declaration;
  if (ts.isVariableDeclaration(declaration) && !(ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const)) return undefined;
  if (ts.isShorthandPropertyAssignment(declaration))
    return functionOf(checker.getShorthandAssignmentValueSymbol(declaration)?.valueDeclaration, steps - 1);
  const value = bare(declaration.initializer);
  if (isFunction(value)) return value;
  return value && (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)) ? named(value, steps - 1) : undefined;
}

function named(node, steps = MOST_STEPS) {
  const symbol = followAlias(checker.getSymbolAtLocation(node));
  return functionOf(symbol?.valueDeclaration, steps);
}

const OUTSIDE = Symbol("outside");
const UNKNOWN = Symbol("unknown");

// What runs for a signature: a function or class with code, OUTSIDE, or UNKNOWN.
function codeOf(signature, expression) {
  const declaration = signature?.declaration;
  if (!declaration || signature.compositeSignatures?.length > 1) return UNKNOWN; // of a union it is the first
  if (isFunction(declaration)) return isOwn(declaration.getSourceFile()) ? declaration : OUTSIDE;
  const given = expression && named(bare(expression));
  if (given && isOwn(given.getSourceFile())) return given;
  if (declaration.getSourceFile().isDeclarationFile && isOwn(declaration.getSourceFile())) return UNKNOWN;
  if (!isOwn(declaration.getSourceFile())) {
    const isHeld = ts.isFunctionTypeNode(declaration) || ts.isCallSignatureDeclaration(declaration);
    return isHeld ? UNKNOWN : OUTSIDE;
  }
  const isOfProperty = ts.isFunctionTypeNode(declaration) && ts.isPropertySignature(declaration.parent);
  const member = isOfProperty ? declaration.parent.symbol : declaration.symbol;
  const bodies = (member?.declarations ?? []).filter(isFunction);
  const found = bodies.length || !member?.parent ? bodies : implementations(member);
  return found.length === 1 ? found[0] : UNKNOWN;
}

function classOf(expression) {
  const symbol = checker.getTypeAtLocation(expression).symbol;
  return symbol?.flags & ts.SymbolFlags.Class ? symbol.declarations?.find(ts.isClassLike) : undefined;
}

// The class whose constructor runs: the nearest upward that has one.
function constructed(made) {
  for (let [here, steps] = [made, MOST_STEPS]; here && steps; steps--) {
    if (!isOwn(here.getSourceFile())) break;
    if (here.getSourceFile().isDeclarationFile) return UNKNOWN;
    if (here.members.some(ts.isConstructorDeclaration)) return here;
    const parent = here.heritageClauses?.find((one) => one.token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    if (parent && checker.getTypeAtLocation(parent.expression).flags & ts.TypeFlags.Any) return UNKNOWN;
    here = parent && classOf(parent.expression);
  }
  return isOwn(made.getSourceFile()) ? made : OUTSIDE;
}

function madeBy(node, expression) {
  const made = classOf(expression);
  if (made) return constructed(made);
  return codeOf(checker.getResolvedSignature(node), expression);
}

function calledBy(node) {
  const callee = bare(node.expression);
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return OUTSIDE;
  if (ts.isIdentifier(callee) && callee.text === "require") return OUTSIDE;
  if (callee.kind === ts.SyntaxKind.SuperKeyword) {
    const parent = ts.getContainingClass(node)?.heritageClauses?.find((one) => one.token === ts.SyntaxKind.ExtendsKeyword);
    return parent ? madeBy(node, parent.types[0].expression) : UNKNOWN;
  }
  const found = codeOf(checker.getResolvedSignature(node), callee);
  const isInvoked = ts.isPropertyAccessExpression(callee) && (callee.name.text === "call" || callee.name.text === "apply");
  if (!isInvoked || (typeof found === "object")) return found;
  const signatures = checker.getTypeAtLocation(callee.expression).getCallSignatures();
  return signatures.length ? codeOf(signatures[0], callee.expression) : UNKNOWN;
}

// A component, also one that is passed through `memo`, `forwardRef` and their like.
function rendered(node) {
  const tag = node.tagName;
  if (ts.isJsxNamespacedName(tag) || (ts.isIdentifier(tag) && /^[a-z]/.test(tag.text))) return OUTSIDE;
  const made = classOf(tag);
  if (made) return constructed(made);
  const declaration = followAlias(checker.getSymbolAtLocation(tag))?.valueDeclaration;
  const own = functionOf(declaration) ?? wrapped(declaration);
  if (own) return isOwn(own.getSourceFile()) ? own : OUTSIDE;
  return codeOf(checker.getResolvedSignature(node), tag);
}

function wrapped(declaration) {
  let value = bare(declaration?.initializer ?? declaration?.expression);
  for (let steps = MOST_STEPS; steps && value && ts.isCallExpression(value); steps--) value = bare(value.arguments[0]);
  if (isFunction(value) && value.body.getText().startsWith("import(")) return loaded(bare(value.body));
  if (isFunction(value) || (value && ts.isClassLike(value))) return value;
  return value && ts.isIdentifier(value) ? named(value) : undefined;
}

// The component that a module has as its default, of `lazy(() => import("./it"))`.
function loaded(call) {
  if (!ts.isCallExpression(call) || call.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined;
  const module = checker.getSymbolAtLocation(call.arguments[0]);
  const declaration = followAlias(module?.exports?.get("default"))?.declarations?.[0];
  if (!declaration) return undefined;
  if (ts.isClassLike(declaration) || isFunction(declaration)) return declaration;
  const value = bare(declaration.expression ?? declaration.initializer);
  return (value && ts.isIdentifier(value) ? named(value) : undefined) ?? wrapped(declaration);
}

function accessed(node) {
  const name = ts.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
  const symbol = checker.getSymbolAtLocation(name);
  if (!symbol) return checker.getTypeAtLocation(node.expression).flags & ts.TypeFlags.Any ? UNKNOWN : OUTSIDE;
  if (!(symbol.flags & ts.SymbolFlags.Accessor)) return OUTSIDE;
  const isSet = ts.isBinaryExpression(node.parent) && node.parent.left === node &&
    node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  const found = symbol.declarations?.find(isSet ? ts.isSetAccessor : ts.isGetAccessor);
  return found && isFunction(found) && isOwn(found.getSourceFile()) ? found : OUTSIDE;
}

function targetOf(node) {
  if (ts.isCallExpression(node)) return calledBy(node);
  if (ts.isNewExpression(node)) return madeBy(node, node.expression);
  if (ts.isTaggedTemplateExpression(node)) return codeOf(checker.getResolvedSignature(node), node.tag);
  if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) return rendered(node);
  if (ts.isDecorator(node) && !ts.isCallExpression(node.expression))
    return codeOf(checker.getResolvedSignature(node), node.expression);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return accessed(node);
  return OUTSIDE;
}

// Output

function placeOf(node, position) {
  const file = node.getSourceFile();
  const line = file.getLineAndCharacterOfPosition(position).line + 1;
  return [path.relative(project, file.fileName), line, Buffer.byteLength(file.text.slice(0, position))];
}

// A place that is of a function or class, and of nothing around or inside it.
function innerOf(node) {
  if (ts.isArrowFunction(node)) return node.equalsGreaterThanToken.getStart();
  if (node.name) return node.name.getStart();
  return ts.isClassLike(node) ? node.members.pos - 1 : node.body.getStart();
}

// A byte that is of the function a node stands in, and of none around or inside it.
function callerOf(node) {
  let [inner, here] = [node, node.parent];
  for (; here && !ts.isSourceFile(here); [inner, here] = [here, here.parent]) {
    if (ts.isDecorator(inner)) {
      if (ts.isClassElement(here)) return placeOf(here, here.parent.members.pos - 1); // the class runs them
      continue;
    }
    if (ts.isPropertyDeclaration(here) && inner !== here.name) return placeOf(here, here.name.getStart());
    if (isFunction(here)) return placeOf(here, ts.isArrowFunction(here) ? innerOf(here) : here.body.getStart());
    if (ts.isClassStaticBlockDeclaration(here)) return placeOf(here, here.getStart());
  }
  return [path.relative(project, node.getSourceFile().fileName), 1, -1];
}

function nameOf(declaration) {
  if (ts.isConstructorDeclaration(declaration)) return declaration.parent.name?.text ?? null;
  const holder = declaration.name ? declaration : declaration.parent;
  const name = holder?.name ?? holder?.left?.name;
  return name?.text ?? null;
}

const lines = [];
function visit(node) {
  let target = OUTSIDE;
  try {
    target = targetOf(node);
  } catch (error) {
    target = UNKNOWN; // the checker does not survive every program
    console.error(`${placeOf(node, node.getStart())}: ${error.message}`);
  }
  if (target !== OUTSIDE) {
    const callee = ts.isCallExpression(node) ? node.expression : node;
    const last = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    const line = placeOf(node, last.getStart())[1];
    const known = target !== UNKNOWN && {
      callee: placeOf(target, innerOf(target)), name: nameOf(target),
    };
    lines.push(JSON.stringify({ caller: callerOf(node), callee: null, ...known, line }));
  }
  ts.forEachChild(node, visit);
}
sources.filter((file) => !file.isDeclarationFile).forEach((file) => visit(file));
fs.writeFileSync(out, `${lines.join("\n")}\n`);
const unknown = lines.filter((line) => line.includes('"callee":null')).length;
console.log(`${sources.length} files, ${lines.length - unknown} calls of known code, ${unknown} unknown`);
