import { defaultLimits } from '@model-gateway/contract';
import type { Limits } from '../domain/limits.ts';
import type { AdminListen, Listen } from '../domain/listen.ts';
import type { Plan, Plans } from '../domain/plan.ts';
import type { RetryPolicy } from '../lib/retry.ts';
import { type Field, openTable, readList, type Table } from './field.ts';
import { present } from './present.ts';
import { count, milliseconds, port, positiveNumber, textLike, unique } from './scalars.ts';

/** Where the two listeners are when the file does not say. */
export const defaultListen = { host: '127.0.0.1', port: 8787 } as const;
export const defaultAdmin = { host: '127.0.0.1', port: 8788 } as const;

/** Tries within one call, when the file does not say. */
export const defaultRetry = { attempts: 3, baseMs: 250, capMs: 4_000 } as const;

/** Request limits of an API key, when the file does not say. */
export const defaultPlans = {
  user: { ratePerSecond: 50, burst: 100, requestsPerDay: 100_000 },
  admin: { ratePerSecond: 200, burst: 400, requestsPerDay: 1_000_000 },
} as const;

/** Reads `listen`. */
export function readListen(field: Field): Listen {
  return readAddress(openTable(field, ['host', 'port']), defaultListen);
}

/** Reads `admin`. */
export function readAdmin(field: Field): AdminListen {
  const table = openTable(field, ['host', 'port', 'hosts']);
  const hosts = table.read('hosts', (names) => readList(names, unique(hostName)));
  return present({ ...readAddress(table, defaultAdmin), hosts });
}

function readAddress(table: Table<'host' | 'port'>, defaults: Listen): Listen {
  return {
    host: table.read('host', textLike(/^[\w.:%-]+$/, 'no host name or address')) ?? defaults.host,
    port: table.read('port', port) ?? defaults.port,
  };
}

const hostName = textLike(
  /^[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?$/,
  'no name of a host; write it in lower case and without a port, such as gateway.acme.example',
);

/** Reads `limits`. No relation between them is demanded. */
export function readLimits(field: Field): Limits {
  const table = openTable(field, [
    'modelCallMs',
    'gatewayMs',
    'drainMs',
    'stopDelayMs',
    'stopMs',
    'bodyBytes',
    'bodyBytesInFlight',
    'inFlight',
    'idempotencyMs',
  ]);
  const ms = milliseconds(1);
  const size = count(1);
  return {
    modelCallMs: table.read('modelCallMs', ms) ?? defaultLimits.modelCallMs,
    gatewayMs: table.read('gatewayMs', ms) ?? defaultLimits.gatewayMs,
    drainMs: table.read('drainMs', ms) ?? defaultLimits.drainMs,
    stopDelayMs: table.read('stopDelayMs', milliseconds(0)) ?? defaultLimits.stopDelayMs,
    stopMs: table.read('stopMs', ms) ?? defaultLimits.stopMs,
    bodyBytes: table.read('bodyBytes', size) ?? defaultLimits.bodyBytes,
    bodyBytesInFlight: table.read('bodyBytesInFlight', size) ?? defaultLimits.bodyBytesInFlight,
    inFlight: table.read('inFlight', size) ?? defaultLimits.inFlight,
    // No timer waits for it, so it may be longer than a timer can.
    idempotencyMs: table.read('idempotencyMs', size) ?? defaultLimits.idempotencyMs,
  };
}

/** Reads `retry`. */
export function readRetry(field: Field): RetryPolicy {
  const table = openTable(field, ['attempts', 'baseMs', 'capMs']);
  return {
    attempts: table.read('attempts', count(1)) ?? defaultRetry.attempts,
    baseMs: table.read('baseMs', milliseconds(1)) ?? defaultRetry.baseMs,
    capMs: table.read('capMs', milliseconds(1)) ?? defaultRetry.capMs,
  };
}

/** Reads `plans`: keys that a plan does not name are those of `defaults`. */
export function readPlans(field: Field, defaults: Plans): Plans {
  return { ...defaults, ...readSomePlans(field, defaults) };
}

/** Reads the plans that are named, of an app for example. */
export function readSomePlans(field: Field, defaults: Plans): Partial<Plans> {
  const table = openTable(field, ['user', 'admin']);
  const user = table.read('user', (plan) => readPlan(plan, defaults.user));
  const admin = table.read('admin', (plan) => readPlan(plan, defaults.admin));
  return { ...(user && { user }), ...(admin && { admin }) };
}

function readPlan(field: Field, defaults: Plan): Plan {
  const table = openTable(field, ['ratePerSecond', 'burst', 'requestsPerDay']);
  return {
    ratePerSecond: table.read('ratePerSecond', positiveNumber) ?? defaults.ratePerSecond,
    burst: table.read('burst', count(1)) ?? defaults.burst,
    requestsPerDay: table.read('requestsPerDay', count(1)) ?? defaults.requestsPerDay,
  };
}
