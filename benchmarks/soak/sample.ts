import { readdirSync, readFileSync, statSync } from 'node:fs';

/** The service at one time. */
export interface Sample {
  readonly atMs: number;
  readonly residentMebibytes: number;
  readonly heapMebibytes: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly openHolds: number;
  readonly inFlight: number;
  readonly drains: number;
  readonly runningCalls: number;
  /** The size of a SQLite store; 0 for another store. */
  readonly databaseMebibytes: number;
  readonly walMebibytes: number;
}

const mebibyte = 2 ** 20;

/** Reads a process from the operating system, and its metrics from its admin listener. */
export async function readSample(parts: {
  readonly pid: number;
  readonly adminUrl: string;
  /** The store's file; undefined where there is none. */
  readonly database: string | undefined;
  readonly atMs: number;
}): Promise<Sample> {
  const { pid, adminUrl, database, atMs } = parts;
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    atMs,
    residentMebibytes: numberOf(status, /^VmRSS:\s+(\d+) kB$/m) / 1_024,
    heapMebibytes: sumOf(metrics, 'nodejs_heap_size_used_bytes') / mebibyte,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: numberOf(status, /^Threads:\s+(\d+)$/m),
    openHolds: sumOf(metrics, 'model_gateway_open_holds'),
    inFlight: sumOf(metrics, 'model_gateway_in_flight'),
    drains: sumOf(metrics, 'model_gateway_detached_calls'),
    runningCalls: sumOf(metrics, 'model_gateway_running_calls'),
    databaseMebibytes: sizeOf(database),
    walMebibytes: sizeOf(database === undefined ? undefined : `${database}-wal`),
  };
}

function numberOf(text: string, pattern: RegExp): number {
  const match = pattern.exec(text)?.[1];
  if (match === undefined) throw new Error(`nothing in the process's status is like ${pattern}`);
  return Number(match);
}

/** A metric over all of its labels. */
function sumOf(metrics: string, name: string): number {
  const rows = metrics.split('\n').filter((line) => /^[^ {]+/.exec(line)?.[0] === name);
  if (rows.length === 0) throw new Error(`the service has no metric ${name}`);
  return rows.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

function sizeOf(file: string | undefined): number {
  if (file === undefined) return 0;
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / mebibyte;
}
