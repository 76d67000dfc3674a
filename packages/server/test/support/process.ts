import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { until } from '../../../../harness/until.ts';

/** The launcher of this repository. */
export const ownLauncher = fileURLToPath(new URL('../../bin/model-gateway.js', import.meta.url));

/** A running `model-gateway serve` (or `simulator`), in a process of its own. */
export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  /** What it wrote to standard error so far: its log. */
  readonly log: () => string;
  /** Sends a signal and waits for the end; answers exit code or signal. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** Where a command runs, and which launcher starts it: this repository's unless told. */
export interface ServedOptions {
  readonly cwd: string;
  readonly environment?: Record<string, string>;
  readonly launcher?: string;
  /** Descriptors that the process may have at most; what the machine grants unless told. */
  readonly openFilesMax?: number;
  /** An open file that is its standard error, where the test does not read its log. */
  readonly errors?: number;
}

/** Starts a command that prints a ready line with its URL, and waits for that line. */
export async function startServed(
  commandLine: readonly string[],
  options: ServedOptions,
): Promise<Served> {
  const { launcher = ownLauncher, openFilesMax } = options;
  const whole = [process.execPath, launcher, ...commandLine];
  const limited = ['bash', '-c', 'ulimit -n "$0" && exec "$@"', String(openFilesMax), ...whole];
  const [file = '', ...values] = openFilesMax === undefined ? whole : limited;
  const child = spawn(file, values, {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', options.errors ?? 'pipe'],
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([readyUrl(child), ended.then(() => undefined)]);
  if (url === undefined) throw new Error(`model-gateway ${commandLine.join(' ')} ended: ${log}`);
  return {
    url,
    process: child,
    log: () => log,
    async end(signal) {
      child.kill(signal);
      const [code, by] = await ended;
      return code ?? by;
    },
  };
}

/** Waits until a service knows a key that was issued beside it: now and then it looks for them. */
export async function untilKnown({ url }: Served, apiKey: string): Promise<void> {
  const headers = { 'x-api-key': apiKey };
  await until(async () => (await fetch(`${url}/v1/models`, { headers })).status === 200);
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /https?:\/\/\S+/.exec(line)?.[0];
      if (url !== undefined) resolve(url);
    });
  });
}
