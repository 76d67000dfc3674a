import { defaultLimits } from '@model-gateway/contract';
import {
  defaultIngress,
  type IngressConfig,
  serverToolsPolicies,
  unboundedInputPolicies,
  unknownFieldsPolicies,
} from '../domain/ingress.ts';
import { defaultStreamLimits, type StreamLimits } from '../domain/limits.ts';
import type { AdminListen, Listen } from '../domain/listen.ts';
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

const addressKeys: Keys<Listen> = {
  host: key(
    'Address or host name to listen on',
    textLike(/^[\w.:%-]+$/, 'a host name or an address'),
  ),
  port: key('TCP port; 0 takes a free one', port),
};

const hostName = textLike(
  /^[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?$/,
  'the name of a host in lower case and without a port, such as gateway.acme.example',
);

export const listen = section(addressKeys, defaultListen);

const adminKeys: Keys<Required<AdminListen>> = {
  ...addressKeys,
  hosts: key('Further host names by which the admin listener is asked', uniqueList(hostName)),
};

export const adminListen: Reader<AdminListen> = section(adminKeys, defaultAdmin);

const ms = milliseconds(1);
const size = count(1);

export const limits = section(
  {
    modelCallMs: key('Time for a model call; then 504 TIMEOUT', ms),
    gatewayMs: key('Time for a request; then 504 of the gateway', ms),
    drainMs: key('How long a call goes on after its caller has gone', ms),
    stopDelayMs: key('How long /health says draining before the listener closes', milliseconds(0)),
    stopMs: key('Time that a stop leaves to running calls', ms),
    bodyBytes: key('Largest body of a request; then 413', size),
    bodyBytesInFlight: key('Bytes of all bodies in memory; then 429 of the gateway', size),
    inFlight: key('Requests at the same time; then 429 of the gateway', size),
    // No timer waits for it, so it may be longer than a timer can.
    idempotencyMs: key('How long idempotency keys and their answers are kept', size),
  },
  defaultLimits,
);

const streamKeys: Keys<StreamLimits> = {
  firstMs: key('Time from admission to the first delta; then 504 TIMEOUT', ms),
  idleMs: key('Time from one event of the platform to the next', ms),
  totalMs: key('Time from admission to the end', ms),
  stallMs: key('How long a caller may read nothing, in all; then it counts as left', ms),
  inFlight: key('Streams at the same time; then 429 of the gateway', size),
  aheadBytes: key(
    'Bytes of a stream that wait for its caller at the most: its platform is held back',
    size,
  ),
};

export const streams = section(streamKeys, defaultStreamLimits);

const ingressKeys: Keys<IngressConfig> = {
  openai: key('true: OpenAI’s API is spoken below /openai', yesOrNo),
  anthropic: key('true: Anthropic’s API is spoken below /anthropic', yesOrNo),
  defaultMaxTokens: key('Output of a request there that states no limit', size),
  unknownFields: key(
    'What becomes of a field that is not known there',
    oneOf(unknownFieldsPolicies),
  ),
  serverTools: key(
    'What becomes of a tool that would run at the platform',
    oneOf(serverToolsPolicies),
  ),
  unboundedInput: key(
    'Input that its bytes do not bound: rejected, or reserved as the whole context',
    oneOf(unboundedInputPolicies),
  ),
};

export const ingress = section(ingressKeys, defaultIngress);

const retryKeys: Keys<RetryPolicy> = {
  attempts: key('Attempts of one call at the platform, the first included', count(1)),
  baseMs: key('The wait before the second attempt, at most', ms),
  capMs: key('The wait before any attempt, at most', ms),
};

export const retry = section(retryKeys, defaultRetry);

const planKeys: Keys<Plan> = {
  ratePerSecond: key('Requests a second, on average', positiveNumber),
  burst: key('Requests at once after a pause', size),
  requestsPerDay: key('Requests in a UTC day', size),
};

export function plansKeys(defaults: Plans): Keys<Plans> {
  return {
    user: key('Plan of keys with the role user', section(planKeys, defaults.user)),
    admin: key('Plan of keys with the role admin', section(planKeys, defaults.admin)),
  };
}

export const plans = section(plansKeys(defaultPlans), defaultPlans);

const usageKeys: Keys<{ readonly retentionDays: number }> = {
  retentionDays: key('Records of calls are pruned after so many days, by whole months', count(1)),
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
  dailyAt: key('When the service audits its own books each day, in UTC: "03:00"', timeOfDay),
};

export const audit: Reader<{ readonly dailyAtMs: number } | undefined> = reader(
  sectionSchema(auditKeys, {}),
  (field) => {
    const dailyAtMs = openSection(field, auditKeys).read('dailyAt');
    return dailyAtMs === undefined ? undefined : { dailyAtMs };
  },
);

export const usage = section(usageKeys, {});
