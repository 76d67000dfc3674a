import type { ProfileNode } from './cpu-profile.ts';

type CallFrame = ProfileNode['callFrame'];

/** A function by its name, file and line: `send packages/server/src/ingress/ingress.ts:75`. */
export function locationOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name} ${shortPath(url)}:${lineNumber + 1}`;
}

/** The owner of a function: a file of this repository, a package, Node, or V8 itself. */
export function moduleOf({ functionName, url }: CallFrame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native functions)';
  const inPackage = /\/node_modules\/(?:\.[^/]+\/)?((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return inPackage ?? shortPath(url);
}

function shortPath(url: string): string {
  const dependency = url.lastIndexOf('/node_modules/');
  if (dependency !== -1) return url.slice(dependency + '/node_modules/'.length);
  return url.replace(/^file:.*?\/(packages|benchmarks)\//, '$1/');
}
