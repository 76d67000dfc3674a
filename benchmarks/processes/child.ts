import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Scope } from './scope.ts';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  readonly url: string;
  /** Ends the process and waits for it. */
  stop(): Promise<void>;
}

/** What is run: by the Node that runs this, unless it says otherwise. */
export interface Command {
  readonly program?: string;
  readonly argv: readonly string[];
  /** Where standard error goes; this process's own when undefined. */
  readonly logFile?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const readyMs = 60_000;
/** After it, a process that was asked to end is killed. */
const stopMs = 15_000;

/** The path of a file beside this folder, for a command line. */
export function scriptPath(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}

/** Starts a server and waits for the line on which it prints its URL. */
export async function startServer(scope: Scope, command: Command): Promise<ServerProcess> {
  const child = spawnNode(command);
  const stop = () => stopChild(child);
  scope.add(stop);
  const ended = once(child, 'exit').then(() => undefined);
  const late = sleep(readyMs, undefined, { ref: false });
  const url = await Promise.race([readUrl(child), ended, late]);
  if (url === undefined || child.pid === undefined) {
    throw new Error(`${command.argv.join(' ')} is not ready ${lastWords(command)}`);
  }
  return { pid: child.pid, url, stop };
}

function lastWords({ logFile }: Command): string {
  return logFile === undefined ? '' : readFileSync(logFile, 'utf8').slice(-2_000);
}

/** Starts a process of this folder; its `message` events and `send` work. */
export function spawnNode(command: Command): ChildProcess {
  const { program = process.execPath, argv, logFile, environment } = command;
  const log = logFile === undefined ? ('inherit' as const) : openSync(logFile, 'a');
  const child = spawn(program, [...argv], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', log, 'ipc'],
  });
  if (typeof log === 'number') closeSync(log);
  return child;
}

/** Asks a process to end, kills it when it does not, and waits for its end. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await ended;
  clearTimeout(killer);
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /https?:\/\/\S+/.exec(line)?.[0];
      if (url !== undefined) resolve(url);
    });
  });
}
