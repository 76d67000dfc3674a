#!/usr/bin/env node
// Plain JavaScript that any Node can read: it finds a Node that can run the server, and runs it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const nodeMajorMin = 24;
const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '../src/main.ts');
const main = existsSync(source) ? source : join(here, '../dist/main.js');

if (Number(process.versions.node.split('.')[0]) >= nodeMajorMin) {
  const { main: run } = await import(main);
  await run(process.argv.slice(2));
} else {
  runOn(pinnedNode());
}

/** The Node that npm installed for this machine; undefined when there is none. */
function pinnedNode() {
  const require = createRequire(import.meta.url);
  const machine = `${process.platform}-${process.arch}`;
  for (const name of [`node-${machine}`, `node-bin-${machine}`]) {
    try {
      const node = join(dirname(require.resolve(`${name}/package.json`)), 'bin/node');
      if (existsSync(node)) return node;
    } catch {
      // This package is for another machine: the next name may be for ours.
    }
  }
  return undefined;
}

function runOn(node) {
  if (node === undefined) {
    process.stderr.write(
      `model-gateway needs Node ${nodeMajorMin} or later; this is ${process.version}, and npm installed none for ${process.platform}-${process.arch}. Install Node ${nodeMajorMin} and run the command again.\n`,
    );
    process.exitCode = 2;
    return;
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
