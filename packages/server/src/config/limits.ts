import { defaultLimits } from '@model-gateway/contract';
import {
  defaultIngress,
  type IngressConfig,
  serverToolsPolicies,
  unboundedInputPolicies,
  unknownFieldsPolicies,
} from '../domain/ingress.ts';
import { defaultStreamLimits, type StreamLimits } from '../domain/limits.ts';
import type { AdminListenAddress, ListenAddress } from '../domain/listen.ts';
import type { Plan, Plans } from '../domain/plan.ts';
import type { RetryPolicy } from '../lib/retry.ts';
import { type Reader, reader, textSchema } from './reader.ts';
import {
  count,
  milliseconds,
  oneOf,
  parsed,
  port,
  positiveNumber,
  textLike,
  yesOrNo,
} from './scalars.ts';
import { type Keys, key, openSection, section, sectionSchema, uniqueList } from './section.ts';

export const defaultListen = { host: '127.0.0.1', port: 8787 } as const;
export const defaultAdmin = { host: '127.0.0.1', port: 8788 } as const;

export const defaultRetry = { attempts: 3, baseMs: 250, capMs: 4_000 } as const;

export const defaultPlans = {
  user: { ratePerSecond: 50, burst: 100, requestsPerDay: 100_000 },
  admin: { ratePerSecond: 200, burst: 400, requestsPerDay: 1_000_000 },
} as const;

const addressKeys: Keys<ListenAddress> = {
  host: key(
    'Address or host name to listen on',
    textLike(/^[\w.:%-]+$/, 'a host name or an address'),
  ),
  port: key('TCP port; 0 picks a free one', port),
};

const hostName = textLike(
  /^[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?$/,
  'the name of a host in lower case and without a port, such as gateway.acme.example',
);

export const listen = section(addressKeys, defaultListen);

const adminKeys: Keys<Required<AdminListenAddress>> = {
  ...addressKeys,
  hosts: key('Additional host names of the admin listener', uniqueList(hostName)),
};

export const adminListen: Reader<AdminListenAddress> = section(adminKeys, defaultAdmin);

const ms = milliseconds(1);
const size = count(1);

export const limits = section(
  {
    modelCallMs: key('Time limit of a model call; then 504 TIMEOUT', ms),
    gatewayMs: key('Time limit of a request; then 504 of the gateway', ms),
    drainMs: key('How long a call continues after its caller disconnects', ms),
    stopDelayMs: key(
      'How long /health reports draining before the listener closes',
      milliseconds(0),
    ),
    stopMs: key('Shutdown time limit for running calls', ms),
    bodyBytes: key('Maximum size of a request body; then 413', size),
    bodyBytesInFlight: key('Maximum bytes of all bodies in memory; then 429 of the gateway', size),
    inFlight: key('Maximum concurrent requests; then 429 of the gateway', size),
    // No timer waits for it, so it may exceed the maximum of a timer.
    idempotencyMs: key('Retention of idempotency keys and their responses', size),
  },
  defaultLimits,
);

const streamKeys: Keys<StreamLimits> = {
  firstMs: key('Time from admission to the first delta; then 504 TIMEOUT', ms),
  idleMs: key('Time from one event of the platform to the next', ms),
  totalMs: key('Time from admission to the end', ms),
  stallMs: key('Total time that a caller can stop reading; then it counts as disconnected', ms),
  inFlight: key('Maximum concurrent streams; then 429 of the gateway', size),
  aheadBytes: key(
    'Maximum unread bytes of a stream; above it, reading from the platform pauses',
    size,
  ),
};

export const streams = section(streamKeys, defaultStreamLimits);

const ingressKeys: Keys<IngressConfig> = {
  openai: key('true: serve the OpenAI API under /openai', yesOrNo),
  anthropic: key('true: serve the Anthropic API under /anthropic', yesOrNo),
  defaultMaxTokens: key('Output limit of a request there that sets none', size),
  unknownFields: key('How unknown fields are handled', oneOf(unknownFieldsPolicies)),
  serverTools: key('How tools that run on the platform are handled', oneOf(serverToolsPolicies)),
  unboundedInput: key(
    'Input whose size does not limit its cost: rejected, or reserved as the whole context',
    oneOf(unboundedInputPolicies),
  ),
};

export const ingress = section(ingressKeys, defaultIngress);

const retryKeys: Keys<RetryPolicy> = {
  attempts: key('Attempts of one call to the platform, including the first', count(1)),
  baseMs: key('Maximum wait before the second attempt', ms),
  capMs: key('Maximum wait before any attempt', ms),
};

export const retry = section(retryKeys, defaultRetry);

const planKeys: Keys<Plan> = {
  ratePerSecond: key('Average requests per second', positiveNumber),
  burst: key('Requests at once after a pause (burst)', size),
  requestsPerDay: key('Requests per UTC day', size),
};

export function plansKeys(defaults: Plans): Keys<Plans> {
  return {
    user: key('Rate limits of keys with the role user', section(planKeys, defaults.user)),
    admin: key('Rate limits of keys with the role admin', section(planKeys, defaults.admin)),
  };
}

export const plans = section(plansKeys(defaultPlans), defaultPlans);

const usageKeys: Keys<{ readonly retentionDays: number }> = {
  retentionDays: key('Days after which call records are pruned, by whole months', count(1)),
};

/** Milliseconds since midnight UTC. */
const timeOfDay = parsed(
  textSchema('^([01]\\d|2[0-3]):[0-5]\\d$'),
  'a time of a UTC day, such as "03:00"',
  (value) => {
    const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) ?? [];
    return minutes === undefined ? undefined : (Number(hours) * 60 + Number(minutes)) * 60_000;
  },
);

const auditKeys = {
  dailyAt: key('UTC time of the daily audit of the ledger, such as "03:00"', timeOfDay),
};

export const audit: Reader<{ readonly dailyAtMs: number } | undefined> = reader(
  sectionSchema(auditKeys, {}),
  (field) => {
    const dailyAtMs = openSection(field, auditKeys).read('dailyAt');
    return dailyAtMs === undefined ? undefined : { dailyAtMs };
  },
);

export const usage = section(usageKeys, {});
