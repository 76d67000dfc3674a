import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { start } from '../../../../harness/process.ts';
import { readyUrl } from '../../../../harness/server.ts';
import { until } from '../../../../harness/until.ts';

/** The launcher of this repository. */
export const ownLauncher = fileURLToPath(new URL('../../bin/model-gateway.js', import.meta.url));

/** A running `model-gateway serve` (or `simulator`), in its own process. */
export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  /** Its standard error so far: its log. */
  readonly log: () => string;
  /** Every line that it has printed so far. */
  readonly lines: () => readonly string[];
  /** Sends a signal and waits for the end; returns exit code or signal. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

/** The folder of a command, and its launcher: this repository's by default. */
export interface ServedOptions {
  readonly cwd?: string;
  readonly environment?: Record<string, string>;
  /** The Node that runs it: this one by default. */
  readonly node?: string;
  readonly launcher?: string;
  /** The maximum number of descriptors of the process; the machine's limit by default. */
  readonly openFilesMax?: number;
  /** An open file that is its standard error, if the test does not read its log. */
  readonly errors?: number;
}

/** Starts a command that prints a ready line with its URL, and waits for that line. */
export async function startServed(
  commandLine: readonly string[],
  options: ServedOptions = {},
): Promise<Served> {
  const {
    launcher = ownLauncher,
    node = process.execPath,
    openFilesMax,
    errors,
    ...place
  } = options;
  const whole = [node, launcher, ...commandLine];
  const limited = ['bash', '-c', 'ulimit -n "$0" && exec "$@"', String(openFilesMax), ...whole];
  const [file = '', ...values] = openFilesMax === undefined ? whole : limited;
  const started = start(file, values, { ...place, stdio: ['ignore', 'pipe', errors ?? 'pipe'] });
  const { child, stderr, end } = started;
  const lines = () => started.stdout().trimEnd().split('\n');
  return { url: await readyUrl(started), process: child, log: stderr, lines, end };
}

/**
 * Waits until a service has loaded a key that another process issued: it polls for them. Each
 * thread polls separately: this number of connections at once reaches all of them.
 */
export async function untilKnown({ url }: Served, apiKey: string, connections = 1): Promise<void> {
  const headers = { 'x-api-key': apiKey };
  const fetchStatus = async () => (await fetch(`${url}/v1/models`, { headers })).status;
  await until(async () => {
    const statuses = await Promise.all(Array.from({ length: connections }, fetchStatus));
    return statuses.every((status) => status === 200);
  });
}
