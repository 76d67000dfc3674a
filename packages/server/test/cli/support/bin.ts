import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The launcher, as npm links it. */
export const bin = fileURLToPath(new URL('../../../bin/model-gateway.js', import.meta.url));

/** What a process came to. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** Runs a command to its end as a process of its own, by this Node or by another. */
export async function runBin(
  commandLine: readonly string[],
  parts: { node?: string; input?: string; cwd?: string; timeoutMs?: number } = {},
): Promise<Ended> {
  const child = spawn(parts.node ?? process.execPath, [bin, ...commandLine], {
    cwd: parts.cwd,
    timeout: parts.timeoutMs ?? 100_000,
  });
  child.stdin.end(parts.input ?? '');
  const [code, out, errors] = await Promise.all([
    exitOf(child),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, errors };
}

/** A command that serves until it is told to stop. */
export interface Running {
  /** The URL of its ready line. */
  readonly url: string;
  /** Every line that it has printed on standard output so far. */
  readonly lines: readonly string[];
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<number | null>;
}

/** Starts a serving command; resolves at its ready line, and fails when it ends before that. */
export async function startBin(
  commandLine: readonly string[],
  parts: { node?: string; cwd?: string; environment?: Readonly<Record<string, string>> } = {},
): Promise<Running> {
  const child = spawn(parts.node ?? process.execPath, [bin, ...commandLine], {
    cwd: parts.cwd,
    env: { ...process.env, ...parts.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = exitOf(child);
  const errors = text(child.stderr);
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      const found = /ready at (http\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    exit.then(async (code) => reject(new Error(`it ended with ${code}: ${await errors}`)), reject);
  });
  return {
    url,
    lines,
    stop() {
      child.kill('SIGTERM');
      return exit;
    },
  };
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // Not at its exit: what it has printed is read by then.
    child.on('close', (code) => resolve(code));
  });
}

/** A Node that npm did not install: the system's; undefined when there is none. */
export function systemNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const outside = folders.filter((folder) => folder !== '' && !folder.includes('node_modules'));
  return outside.map((folder) => join(folder, 'node')).find((path) => existsSync(path));
}
