#!/usr/bin/env node
// Plain JavaScript that any Node can read: it finds a Node that can run the server, and runs it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { availableParallelism, constants } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const nodeMajorMin = 24;
const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '../src/main.ts');
const main = existsSync(source) ? source : join(here, '../dist/main.js');
const commandLine = process.argv.slice(2);

/** Marks a process that a launcher started, so it can watch its parent. */
const launched = 'MODEL_GATEWAY_LAUNCHED';
const parentCheckMs = 200;

if (commandLine.length === 1 && ['--version', '-V'].includes(commandLine[0])) {
  const manifest = JSON.parse(readFileSync(join(here, '../package.json'), 'utf8'));
  const commit = commitOf(manifest);
  process.stdout.write(`${manifest.version}${commit === undefined ? '' : ` (${commit})`}\n`);
} else if (Number(process.versions.node.split('.')[0]) >= nodeMajorMin) {
  endWithParent(() => process.kill(process.pid, 'SIGTERM'));
  // Without a handler, this signal opens a debugger to every process of the machine.
  process.on('SIGUSR1', () => undefined);
  // On one core the collector's threads would compete with the thread of calls. ADR 0113.
  if (availableParallelism() === 1) setFlagsFromString('--no-concurrent-marking');
  // Caches the compiled sources. Without a writable cache, each start compiles them again.
  if (main === source) {
    const cache = join(here, '../../../node_modules/.cache/node');
    // The call configures this thread; threads that it starts, such as the store's, read the
    // variable.
    process.env.NODE_COMPILE_CACHE ??= cache;
    nodeModule.enableCompileCache(cache);
  }
  const { main: run } = await import(main);
  await run(commandLine);
} else {
  runOn(pinnedNode());
}

/**
 * Npm runs a command in a shell and forwards signals only to the shell. The shell ends, but its
 * child would survive with the port and the store. A process that npm or another launcher started
 * ends with its parent. A service that a person put into the background outlives the person's
 * shell.
 */
function endWithParent(end) {
  const { npm_command: npmCommand, [launched]: wasLaunched } = process.env;
  if (process.platform === 'win32') return;
  if (npmCommand === undefined && wasLaunched === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, parentCheckMs);
  timer.unref();
}

/** The packed or checked-out commit; undefined where neither is available. */
function commitOf({ gitHead }) {
  const git = join(here, '../../../.git');
  const read = (name) => readFileSync(join(git, name), 'utf8').trim();
  try {
    const head = gitHead ?? (main === source ? read('HEAD') : '');
    const [, branch] = /^ref: (\S+)$/.exec(head) ?? [];
    const commit = branch === undefined ? head : commitOfBranch(read, branch);
    return /^[0-9a-f]{40}$/.exec(commit)?.[0].slice(0, 12);
  } catch {
    // Not a clone, or its git folder is elsewhere.
    return undefined;
  }
}

function commitOfBranch(read, branch) {
  try {
    return read(branch);
  } catch {
    return read('packed-refs')
      .split('\n')
      .find((line) => line.endsWith(` ${branch}`))
      .split(' ')[0];
  }
}

/** The Node that npm installed for this machine; undefined if there is none. */
function pinnedNode() {
  const require = createRequire(import.meta.url);
  const machine = `${process.platform}-${process.arch}`;
  for (const name of [`node-${machine}`, `node-bin-${machine}`]) {
    try {
      const node = join(dirname(require.resolve(`${name}/package.json`)), 'bin/node');
      if (existsSync(node)) return node;
    } catch {
      // This package is for another machine: the next name may be for this machine.
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
  const child = spawn(node, ['--disable-sigusr1', fileURLToPath(import.meta.url), ...commandLine], {
    stdio: 'inherit',
    env: { ...process.env, [launched]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  endWithParent(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
