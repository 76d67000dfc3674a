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
import { hooksSchema } from './notify.ts';
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
    'Where callers find the service, for lines to paste: the proxy in front of listen',
    origin('https://gateway.acme.example'),
  ),
  listen: blankable('The listener for callers', listen),
  admin: blankable('The listener for operators: metrics and readiness, never public', adminListen),
  console: blankable('The pages for people, on the admin listener', described(consoleSchema)),
  trustedProxies: blankable(
    'Addresses and networks of proxies in front, which say for which client they ask',
    uniqueList(proxyAddress),
  ),
  store: key('sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE', described(storeSchema)),
  threads: key('Threads that answer requests, each on a processor of its own', threads),
  limits: blankable('Bounds of time and size', limits),
  audit: blankable('When the service audits its own books', audit),
  tracing: blankable('Where spans of requests are sent', described(tracingSchema)),
  usage: blankable('How long records of calls are kept', usage),
  streaming: key('true: the routes under /stream tell answers as they come', yesOrNo),
  streams: blankable('Bounds of streamed calls', streams),
  ingress: blankable('APIs of other makers, for their clients', ingress),
  retry: blankable('Attempts of one call at the platform', retry),
  platforms: required('The platforms, by a name of your choice', described(platformsSchema)),
  defaultPlatform: key('Where a model goes that no row names; default: the first platform', text),
  plans: blankable('Request limits of one API key, by the role in its name', plans),
  unpriced: key('What calls of a model without a price count as', unpricedPolicy),
  logPlatformErrors: key('true: the log has what platforms say in errors', yesOrNo),
  models: blankable(
    'Models beside those that ship; a row of the same id replaces one',
    described({ type: 'array', items: modelSchema }),
  ),
  apps: blankable('The services that may call', described({ type: 'array', items: appSchema })),
  budgets: blankable(
    'Budgets that apps share, beside their own',
    described({ type: 'array', items: budgetSchema }),
  ),
  notify: blankable('Hooks that are told what operators should know', described(hooksSchema)),
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
 * JSON Schema draft-07, which editors support best. The service rejects all that it rejects, and
 * also what JSON Schema cannot express, such as duplicate names.
 */
export function configSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of Model Gateway',
    ...sectionSchema(fileKeys, fileDefaults),
  };
}
