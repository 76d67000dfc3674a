import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { defaultLimits } from '@model-gateway/contract';
import type { Config } from '../domain/config.ts';
import type { StoreTarget } from '../domain/store-target.ts';
import { unpricedPolicies } from '../domain/unpriced-policy.ts';
import { readApps } from './apps.ts';
import type { Environment } from './choose-file.ts';
import { substitute } from './environment.ts';
import { type Field, isBlank, openTable, readList, report, type Table } from './field.ts';
import { hashConfig } from './hash.ts';
import {
  defaultAdmin,
  defaultListen,
  defaultPlans,
  defaultRetry,
  readAdmin,
  readLimits,
  readListen,
  readPlans,
  readRetry,
} from './limits.ts';
import { type PlatformNames, platformName, readModels } from './models.ts';
import { readPlatforms } from './platforms.ts';
import { present } from './present.ts';
import { oneOf, shown, text, textLike, unique, yesOrNo } from './scalars.ts';
import { readStore } from './store.ts';
import { brokenTree, isEmpty, parseTree, type Tree } from './tree.ts';

/** A configuration, or every problem that its file has, one line each. */
export type LoadedConfig = { readonly config: Config } | { readonly problems: readonly string[] };

/** What a configuration is made from. */
export interface ConfigSource {
  readonly file: string;
  readonly environment: Environment;
  readonly readFile: (path: string) => string;
}

const topKeys = [
  'company',
  'adminEmail',
  'listen',
  'admin',
  'trustedProxies',
  'store',
  'limits',
  'retry',
  'platforms',
  'defaultPlatform',
  'plans',
  'unpriced',
  'logPlatformErrors',
  'models',
  'apps',
] as const;

/**
 * Reads, checks and completes the configuration. Every value is read from its text, quoted or not,
 * after variables of the environment have been put in. No problem shows a variable's value.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const file = resolve(source.file);
  const problems: string[] = [];
  const written = readTree({ ...source, file }, problems);
  if (problems.length > 0) return { problems };
  const tree = substitute({ tree: written, path: '', environment: source.environment, problems });
  const table = openTable({ path: '', tree, problems }, topKeys);
  const config = readConfig(table, { ...source, file }, problems);
  if (config === undefined || problems.length > 0) return { problems };
  return { config: { ...config, hash: hashConfig(config, table.field('platforms')?.tree) } };
}

function readTree({ file, readFile }: ConfigSource, problems: string[]): Tree {
  const text = readText({ file, readFile }, problems);
  if (text === undefined) return brokenTree;
  const tree = parseTree(text, problems);
  // A file without a word in it lacks the required keys, and nothing else is wrong with it.
  return isEmpty(tree) ? { kind: 'table', entries: new Map() } : tree;
}

function readText(
  { file, readFile }: Pick<ConfigSource, 'file' | 'readFile'>,
  problems: string[],
): string | undefined {
  try {
    return readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const what =
      code === 'ENOENT'
        ? 'there is no such file; name one with --config FILE or MODEL_GATEWAY_CONFIG'
        : `the configuration cannot be read (${code})`;
    problems.push(`${file}: ${what}`);
    return undefined;
  }
}

/** Reads every section, so that all problems are found; undefined when a required one is wrong. */
function readConfig(
  table: Table<(typeof topKeys)[number]>,
  source: ConfigSource,
  problems: string[],
): Omit<Config, 'hash'> | undefined {
  const section = <T>(key: (typeof topKeys)[number], read: (field: Field) => T): T | undefined => {
    const field = table.field(key);
    // A section whose lines are all commented out is as good as absent.
    return field === undefined || isBlank(field) ? undefined : read(field);
  };
  const company = table.require('company', companyName);
  const names = platformNames(table.field('platforms'));
  const platforms =
    table.require('platforms', (field) => readPlatforms(field, source.environment)) ?? [];
  const plans = section('plans', (field) => readPlans(field, defaultPlans)) ?? defaultPlans;
  const config = {
    file: source.file,
    company: company ?? '',
    adminEmail: table.read('adminEmail', emailAddress),
    listen: section('listen', readListen) ?? defaultListen,
    admin: section('admin', readAdmin) ?? defaultAdmin,
    store: storeOf(table.field('store'), source, problems),
    limits: section('limits', readLimits) ?? defaultLimits,
    retry: section('retry', readRetry) ?? defaultRetry,
    platforms,
    defaultPlatform:
      table.read('defaultPlatform', (field) => platformName(field, names)) ?? platforms[0]?.name,
    plans,
    unpriced: table.read('unpriced', oneOf(unpricedPolicies)) ?? 'dearest',
    logPlatformErrors: table.read('logPlatformErrors', yesOrNo) ?? false,
    models: section('models', (field) => readModels(field, { names, platforms })) ?? [],
    apps: section('apps', (field) => readApps(field, { company: company ?? '', plans })) ?? [],
  };
  const { store, defaultPlatform } = config;
  if (store === undefined || defaultPlatform === undefined) return undefined;
  const trustedProxies = section('trustedProxies', readProxies);
  return { ...config, ...present({ trustedProxies }), store, defaultPlatform };
}

const companyName = textLike(
  /^[a-z0-9][a-z0-9-]{0,62}$/,
  'no name for a company; use a-z, 0-9 and "-", since billing projects are named prod-<company>-core-<app>',
);

function readProxies(field: Field): readonly string[] {
  return readList(field, unique(proxyAddress));
}

/** An address, or the network that an address and its leading bits are. */
function proxyAddress(field: Field): string | undefined {
  const value = text(field);
  if (value === undefined) return undefined;
  const [address = '', bits, ...more] = value.split('/');
  const bitsMax = isIP(address) === 6 ? 128 : 32;
  const isNetwork = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= bitsMax);
  if (isIP(address) !== 0 && isNetwork && more.length === 0) return value;
  const cure = 'write one such as 10.0.0.7 or 10.0.0.0/8';
  return report(field, `${shown(field)} is no address and no network; ${cure}`);
}

const emailAddress = textLike(/^[^\s@:]+@[^\s@:]+$/, 'no e-mail address');

/** Names that may be referred to, of platforms with a problem of their own too. */
function platformNames(field: Field | undefined): PlatformNames {
  return field?.tree.kind === 'table' ? [...field.tree.entries.keys()] : undefined;
}

function storeOf(
  field: Field | undefined,
  { file, environment }: ConfigSource,
  problems: string[],
): StoreTarget | undefined {
  const folder = dirname(file);
  const ofFile = field === undefined ? defaultStore(folder) : readStore(field, folder);
  const text = environment.MODEL_GATEWAY_STORE;
  if (text === undefined || text === '') return ofFile;
  const tree: Tree = { kind: 'scalar', text, written: text, isPlain: false };
  return readStore({ path: 'MODEL_GATEWAY_STORE', tree, problems }, folder);
}

function defaultStore(folder: string): StoreTarget {
  return { kind: 'sqlite', path: resolve(folder, 'data/gateway.db') };
}
