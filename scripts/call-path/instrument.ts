import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { isNode, parseSource, type SyntaxNode } from '../tidy/source.ts';

// Loaded before the service: every function of its sources then records its entry and its caller,
// however long ago. The whole calls are written when the process ends.

interface Entered {
  readonly name: string;
  readonly caller: Entered | undefined;
}

const sources = 'packages/server/src/';
const current = new AsyncLocalStorage<Entered>();
/** The functions of the running call, and of each whole call before it. */
let entered: string[] | undefined;
const calls: string[][] = [];
let stack: string[] = [];

if (isMainThread) {
  Object.assign(globalThis, { callPath });
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const at = url.indexOf(sources);
      if (at === -1 || !url.endsWith('.ts')) return loaded;
      const text = String(loaded.source);
      return { ...loaded, format: 'module', source: instrumented(url.slice(at), text) };
    },
  });
  subscribe('undici:client:sendHeaders', () => {
    stack = [];
    for (let at = current.getStore(); at !== undefined; at = at.caller) stack.push(at.name);
  });
  process.on('exit', () => {
    writeFileSync(process.env.CALL_PATH_FILE ?? '', JSON.stringify({ calls, stack }));
  });
}

/** Runs a function's body as called by the function that is running. */
function callPath<T>(name: string, isStart: boolean, body: () => T): T {
  if (isStart) {
    if (entered !== undefined) calls.push(entered);
    entered = [];
  }
  entered?.push(name);
  return current.run({ name, caller: isStart ? undefined : current.getStore() }, body);
}

function instrumented(path: string, text: string): string {
  const inserts: { readonly at: number; readonly text: string }[] = [];
  for (const { node, parent } of parseSource({ path, text }).nodes) {
    const { body } = node;
    if (!isFunction(node, parent) || !isNode(body)) continue;
    const name = JSON.stringify(`${path.slice(sources.length)}:${nameOf(node, parent)}`);
    const isStart = name === '"ingress/http/listener.ts:serve"';
    const open = `callPath(${name}, ${isStart}, ${node.async === true ? 'async ' : ''}() => `;
    if (body.type === 'BlockStatement') {
      inserts.push({ at: body.start, text: `{ return ${open}` }, { at: body.end, text: '); }' });
    } else {
      inserts.push({ at: body.start, text: `${open}(` }, { at: body.end, text: '))' });
    }
  }
  let code = text;
  for (const insert of inserts.toSorted((a, b) => b.at - a.at)) {
    code = code.slice(0, insert.at) + insert.text + code.slice(insert.at);
  }
  return stripTypeScriptTypes(code);
}

function isFunction(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (node.generator === true || parent?.kind === 'constructor') return false;
  return /^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type);
}

/** A function's name where it is written; a function without a name is a closure. */
function nameOf(node: SyntaxNode, parent: SyntaxNode | undefined): string {
  const named = [node.id, parent?.type === 'VariableDeclarator' ? parent.id : parent?.key];
  for (const id of named) if (isNode(id) && typeof id.name === 'string') return id.name;
  return '=>';
}
