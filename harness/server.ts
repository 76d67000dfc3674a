import { closeSync, openSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { freePort } from './free-port.ts';
import { type Started, start } from './process.ts';
import type { Scope } from './scope.ts';
import { until } from './until.ts';

/** A server in its own process. */
export interface ServerProcess {
  readonly pid: number;
  readonly url: string;
  /** Ends the process and waits for it. */
  stop(): Promise<unknown>;
}

/** The command; by default for the Node of this process. */
export interface Command {
  readonly program?: string;
  readonly argv: readonly string[];
  /** The file for standard error; this process's own standard error when undefined. */
  readonly logFile?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a process that ends with the scope; its `message` events and `send` work. */
export function startCommand(
  scope: Scope,
  command: Command,
  stdout: 'pipe' | 'ignore' = 'pipe',
): Started {
  const { program = process.execPath, argv, logFile, environment = {} } = command;
  const log = logFile === undefined ? ('inherit' as const) : openSync(logFile, 'a');
  const started = start(program, argv, { environment, stdio: ['ignore', stdout, log, 'ipc'] });
  if (typeof log === 'number') closeSync(log);
  scope.add(() => started.end());
  return started;
}

/** The URL of a ready line. */
export async function readyUrl(started: Started): Promise<string> {
  const [, url = ''] = await started.printed(/ready at (http\S+)\n/);
  return url;
}

/** Starts a server and waits for the line on which it prints its URL. */
export function startServer(scope: Scope, command: Command): Promise<ServerProcess> {
  return untilReady(startCommand(scope, command), command, readyUrl);
}

/** Starts a server that needs its port as an argument, and waits until it responds on a path. */
export async function startOnPort(
  scope: Scope,
  parts: { readonly command: (port: number) => Command; readonly readyPath: string },
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const command = parts.command(port);
  // Its output is unused, and would fill the memory.
  return untilReady(startCommand(scope, command, 'ignore'), command, (started) =>
    until(async () => {
      if (!started.isRunning()) throw new Error(`it ended: ${started.stderr()}`);
      return (await isReady(`${url}${parts.readyPath}`)) && url;
    }),
  );
}

async function untilReady(
  started: Started,
  command: Command,
  ready: (started: Started) => Promise<string>,
): Promise<ServerProcess> {
  const url = await ready(started).catch((error: unknown) => {
    const { argv, logFile } = command;
    const words = logFile === undefined ? '' : readFileSync(logFile, 'utf8').slice(-2_000);
    throw new Error(`${argv.join(' ')} is not ready ${words}`, { cause: error });
  });
  const { pid = 0 } = started.child;
  return { pid, url, stop: () => started.end() };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // Nobody listens yet.
    return false;
  }
}
