import { isIP } from 'node:net';
import { defaultLimits } from '@model-gateway/contract';
import { defaultIngress } from '../domain/ingress.ts';
import { defaultStreamLimits } from '../domain/limits.ts';
import { appSchema } from './apps.ts';
import { budgetSchema } from './budgets.ts';
import { consoleSchema } from './console.ts';
import {
  adminListen,
  audit,
  defaultAdmin,
  defaultListen,
  defaultPlans,
  defaultRetry,
  ingress,
  limits,
  listen,
  plans,
  retry,
  streams,
  usage,
} from './limits.ts';
import { modelSchema } from './models.ts';
import { webhooksSchema } from './notify.ts';
import { origin } from './origin.ts';
import { platformsSchema } from './platforms.ts';
import { described, type Schema, textSchema } from './reader.ts';
import { parsed, text, textLike, threads, yesOrNo } from './scalars.ts';
import { blankable, key, required, sectionSchema, uniqueList, type ValuesOf } from './section.ts';
import { storeSchema } from './store.ts';
import { tracingSchema } from './tracing.ts';
import { unpricedPolicy } from './unpriced.ts';

const companyName = textLike(
  /^[a-z0-9][a-z0-9-]{0,62}$/,
  'a name of a-z, 0-9 and "-", since billing projects are named prod-<company>-core-<app>',
);

const emailAddress = textLike(/^[^\s@:]+@[^\s@:]+$/, 'an e-mail address');

/** An address, or a network as address and prefix length. */
const proxyAddress = parsed(
  textSchema(String.raw`^[^\s/]+(/\d+)?$`),
  'an address or a network, such as 10.0.0.7 or 10.0.0.0/8',
  (value) => {
    const [address = '', bits, ...more] = value.split('/');
    const bitsMax = isIP(address) === 6 ? 128 : 32;
    const isNetwork = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= bitsMax);
    return isIP(address) !== 0 && isNetwork && more.length === 0 ? value : undefined;
  },
);

export const fileKeys = {
  company: required('Billing projects are named prod-<company>-core-<app>', companyName),
  adminEmail: key('A key issued to this address has the role admin', emailAddress),
  publicUrl: key(
    'Public URL of the service (the proxy in front of listen), used in printed examples',
    origin('https://gateway.acme.example'),
  ),
  listen: blankable('Listener for callers', listen),
  admin: blankable('Listener for operators (metrics and readiness); keep it private', adminListen),
  console: blankable('Console for people, on the admin listener', described(consoleSchema)),
  trustedProxies: blankable(
    'Addresses and networks of trusted proxies that report the client address',
    uniqueList(proxyAddress),
  ),
  store: key('sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE', described(storeSchema)),
  threads: key('Threads that handle requests, each on its own processor', threads),
  limits: blankable('Time and size limits', limits),
  audit: blankable('Time of the daily audit of the ledger', audit),
  tracing: blankable('Export of request spans', described(tracingSchema)),
  usage: blankable('Retention of call records', usage),
  streaming: key('true: enable the streaming routes under /stream', yesOrNo),
  streams: blankable('Limits of streamed calls', streams),
  ingress: blankable('OpenAI- and Anthropic-compatible APIs', ingress),
  retry: blankable('Attempts of one call to the platform', retry),
  platforms: required('Platforms, by a name of your choice', described(platformsSchema)),
  defaultPlatform: key(
    'Platform of models that are not in the catalog; default: the first platform',
    text,
  ),
  plans: blankable('Rate limits of one API key, by the role in its name', plans),
  unpriced: key('How calls to models without a price are counted', unpricedPolicy),
  logPlatformErrors: key('true: log the error messages of platforms', yesOrNo),
  models: blankable(
    'Models in addition to the built-in catalog; a row with the same id replaces a built-in row',
    described({ type: 'array', items: modelSchema }),
  ),
  apps: blankable(
    'Services that are allowed to call',
    described({ type: 'array', items: appSchema }),
  ),
  budgets: blankable(
    'Shared budgets of several apps',
    described({ type: 'array', items: budgetSchema }),
  ),
  notify: blankable('Alert webhooks', described(webhooksSchema)),
};

export type FileValues = ValuesOf<typeof fileKeys>;

export const fileDefaults = {
  listen: defaultListen,
  admin: defaultAdmin,
  threads: 1,
  limits: defaultLimits,
  streaming: false,
  streams: defaultStreamLimits,
  ingress: defaultIngress,
  retry: defaultRetry,
  plans: defaultPlans,
  unpriced: 'dearest',
  logPlatformErrors: false,
} as const;

/**
 * JSON Schema draft-07, which editors support best. The service also rejects faults that JSON
 * Schema cannot express, such as duplicate names.
 */
export function configSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of Model Gateway',
    ...sectionSchema(fileKeys, fileDefaults),
  };
}
