import { dirname, resolve } from 'node:path';
import { defaultLimits } from '@model-gateway/contract';
import type { Config } from '../domain/config.ts';
import { defaultIngress } from '../domain/ingress.ts';
import { defaultStreamLimits } from '../domain/limits.ts';
import type { StoreTarget } from '../domain/store-target.ts';
import { createKeyRing, type KeyRing, parseKeyRing } from '../lib/key-ring.ts';
import { readApps } from './apps.ts';
import { readBudgets } from './budgets.ts';
import { textVariable } from './choose-file.ts';
import { readConsole } from './console.ts';
import { substitute } from './environment.ts';
import type { Field } from './field.ts';
import { type FileValues, fileDefaults, fileKeys } from './file-keys.ts';
import { hashConfig } from './hash.ts';
import { defaultAdmin, defaultListen, defaultPlans, defaultRetry } from './limits.ts';
import { type PlatformNames, platformName, readModels } from './models.ts';
import { readWebhooks } from './notify.ts';
import { omitUndefined } from './omit-undefined.ts';
import {
  type IsNeeded,
  type Needs,
  neededBy,
  needsAll,
  type Part,
  type PartConfig,
  takeParts,
} from './parts.ts';
import { readPlatforms } from './platforms.ts';
import { withProxies } from './proxies.ts';
import { openSection, type Section } from './section.ts';
import { readStore } from './store.ts';
import { readTracing } from './tracing.ts';
import { brokenTree, isEmpty, parseTree, type Tree } from './tree.ts';
import { createVariables, type Environment, type Variables } from './variables.ts';

export type LoadedConfig = { readonly config: Config } | { readonly problems: readonly string[] };

export interface ConfigSource {
  readonly file: string;
  /** Text without a file: `file` is only a label, and paths must be absolute. */
  readonly text?: string | undefined;
  readonly environment: Environment;
  readonly readFile: (path: string) => string;
}

/**
 * Reads every value from its text, after substitution of variables. No problem shows a variable's
 * value.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const loaded = read(source, needsAll);
  if ('problems' in loaded) return loaded;
  const { config, platforms } = loaded;
  return { config: { ...config, hash: hashConfig(config, platforms) } };
}

/**
 * Checks the whole file. Variables outside the command's parts need not be set; their values are
 * then absent.
 */
export function loadParts<P extends Part>(
  source: ConfigSource,
  needs: Needs<P>,
): { readonly config: PartConfig<P> } | { readonly problems: readonly string[] } {
  const loaded = read(source, neededBy(needs));
  if ('problems' in loaded) return loaded;
  const { config, platforms, isWhole } = loaded;
  const hash = isWhole ? hashConfig(config, platforms) : undefined;
  return { config: takeParts({ ...config, hash }, needs) };
}

interface ReadFile {
  readonly config: Omit<Config, 'hash'>;
  readonly platforms: Tree | undefined;
  /** False if an unneeded variable could not be read. */
  readonly isWhole: boolean;
}

function read(
  source: ConfigSource,
  isNeeded: IsNeeded,
): ReadFile | { readonly problems: readonly string[] } {
  const isText = source.text !== undefined;
  const file = isText ? source.file : resolve(source.file);
  const problems: string[] = [];
  const written = readTree({ ...source, file }, problems);
  if (problems.length > 0) return { problems };
  const variables = createVariables(source);
  // The environment's store replaces the file's store.
  const hasStore = variables('MODEL_GATEWAY_STORE').text !== undefined;
  const { tree, isWhole, ...substituted } = substitute(written, variables, (keys) => {
    return isNeeded(keys) && !(hasStore && keys[0] === 'store');
  });
  // A spread could exceed the limit of arguments.
  for (const problem of substituted.problems) problems.push(problem);
  const section = openSection({ path: '', tree, problems }, fileKeys);
  const folder = isText ? undefined : dirname(file);
  const config = readConfig(section, { file, folder, variables, isNeeded, problems });
  if (config === undefined || problems.length > 0) return { problems };
  return { config, platforms: section.field('platforms')?.tree, isWhole };
}

function readTree(source: ConfigSource, problems: string[]): Tree {
  const text = source.text ?? readText(source, problems);
  if (text === undefined) return brokenTree;
  const tree = parseTree(text, problems);
  // An empty file lacks the required keys, and has no other fault.
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
        ? 'the file does not exist; use --config FILE or MODEL_GATEWAY_CONFIG, or create one with "model-gateway init"'
        : `the configuration cannot be read (${code})`;
    problems.push(`${file}: ${what}`);
    return undefined;
  }
}

interface ReadContext {
  readonly file: string;
  readonly folder: string | undefined;
  readonly variables: Variables;
  readonly isNeeded: IsNeeded;
  readonly problems: string[];
}

/** Reads every section to find all problems. Undefined if a required one is wrong. */
function readConfig(
  section: Section<FileValues>,
  context: ReadContext,
): Omit<Config, 'hash'> | undefined {
  const { file, variables, problems } = context;
  const company = section.read('company') ?? '';
  const names = platformNames(section.field('platforms'));
  const platforms = section.readWith('platforms', (field) => readPlatforms(field, context)) ?? [];
  const plans = section.read('plans') ?? defaultPlans;
  const admin = section.read('admin') ?? defaultAdmin;
  const config = {
    ...{ file, company, platforms, plans },
    adminEmail: section.read('adminEmail'),
    listen: section.read('listen') ?? defaultListen,
    admin,
    console:
      section.readWith('console', (field) => readConsole(field, admin)) ??
      readConsole(undefined, admin),
    store: storeOf(section.field('store'), context),
    threads: section.read('threads') ?? fileDefaults.threads,
    limits: {
      ...(section.read('limits') ?? defaultLimits),
      streams: section.read('streams') ?? defaultStreamLimits,
    },
    streaming: section.read('streaming') ?? fileDefaults.streaming,
    ingress: section.read('ingress') ?? defaultIngress,
    retry: section.read('retry') ?? defaultRetry,
    defaultPlatform:
      section.readWith('defaultPlatform', (field) => platformName(field, names)) ??
      platforms[0]?.name ??
      names?.[0],
    unpriced: section.read('unpriced') ?? fileDefaults.unpriced,
    logPlatformErrors: section.read('logPlatformErrors') ?? fileDefaults.logPlatformErrors,
    ...(section.readWith('models', (field) => readModels(field, { names, platforms })) ?? noModels),
    apps:
      section.readWith('apps', (field) => readApps(field, { company, plans, platforms, names })) ??
      [],
    budgets: section.readWith('budgets', readBudgets) ?? [],
    notify: section.readWith('notify', readWebhooks) ?? [],
  };
  const { store, defaultPlatform } = config;
  if (store === undefined || defaultPlatform === undefined) return undefined;
  const publicUrl = section.read('publicUrl');
  const trustedProxies = section.read('trustedProxies');
  const usage = section.read('usage');
  const audit = section.read('audit');
  const tracing = section.readWith('tracing', (field) => readTracing(field, context));
  const more = omitUndefined({
    publicUrl,
    trustedProxies,
    tracing: tracing ?? (section.field('tracing') ? undefined : readTracing(undefined, context)),
    audit,
    usage,
    keyRing: keyRingOf(variables, problems),
  });
  return withProxies({ ...config, ...more, store, defaultPlatform }, context);
}

const noModels = { models: [], aliases: [] } as const;

function platformNames(field: Field | undefined): PlatformNames {
  return field?.tree.kind === 'table' ? [...field.tree.entries.keys()] : undefined;
}

function storeOf(
  field: Field | undefined,
  { folder, variables, problems }: ReadContext,
): StoreTarget | undefined {
  const variable = variables('MODEL_GATEWAY_STORE');
  if (variable.text === undefined && variable.isSet) problems.push(variable.problem);
  if (variable.text !== undefined) {
    const { text } = variable;
    // A wrong store in the file is a problem even if it is not used.
    if (field !== undefined) readStore(field, folder);
    const tree: Tree = { kind: 'scalar', text, written: text, isPlain: false };
    return readStore({ path: 'MODEL_GATEWAY_STORE', tree, problems }, folder);
  }
  if (field !== undefined) return readStore(field, folder);
  if (folder !== undefined) return { kind: 'sqlite', path: resolve(folder, 'data/gateway.db') };
  problems.push(
    `store: required with ${textVariable}, which has no folder for a default; use for example sqlite:/var/lib/model-gateway/gateway.db or postgres://user:password@host:5432/database`,
  );
  return undefined;
}

/** Undefined if no key is set. No problem shows a part of it. */
function keyRingOf(variables: Variables, problems: string[]): KeyRing | undefined {
  const variable = variables('MODEL_GATEWAY_KEYS');
  if (variable.text === undefined) {
    if (variable.isSet) problems.push(variable.problem);
    return undefined;
  }
  const read = parseKeyRing(variable.text);
  if ('keys' in read) return createKeyRing(read.keys);
  problems.push(`${variable.from}: ${read.problem}`);
  return undefined;
}
