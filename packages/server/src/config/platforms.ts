import { type PlatformConfig, type PlatformKind, platformKinds } from '../domain/platform.ts';
import type { Environment } from './choose-file.ts';
import { type Field, namedFields, openTable, report, type Table } from './field.ts';
import { plainValue } from './plain-value.ts';
import { present } from './present.ts';
import { oneOf, shown, text, textLike, yesOrNo } from './scalars.ts';

const platformKeys = [
  'kind',
  'baseUrl',
  'apiKey',
  'adminApiKey',
  'region',
  'package',
  'options',
  'allowInsecure',
] as const;

type PlatformKey = (typeof platformKeys)[number];

/** What each kind takes beside `kind` and `baseUrl`, and what it cannot do without. */
const keysByKind: Record<PlatformKind, { takes: PlatformKey[]; needs: PlatformKey[] }> = {
  simulator: { takes: [], needs: [] },
  'openai-compatible': { takes: ['apiKey'], needs: ['baseUrl'] },
  openai: { takes: ['apiKey', 'adminApiKey'], needs: ['apiKey'] },
  anthropic: { takes: ['apiKey', 'adminApiKey'], needs: ['apiKey'] },
  // Without a key here: AWS_BEARER_TOKEN_BEDROCK, else the AWS credential chain.
  'bedrock-mantle': { takes: ['apiKey', 'region'], needs: ['region'] },
  'ai-sdk': { takes: ['package', 'options'], needs: ['package'] },
};

/** Reads `platforms`, in the order of the file; a key may come from the environment instead. */
export function readPlatforms(field: Field, environment: Environment): readonly PlatformConfig[] {
  const entries = namedFields(field);
  if (entries.length === 0 && field.tree.kind === 'table') {
    report(field, 'needs at least one platform, such as sandbox: { kind: simulator }');
  }
  return entries.flatMap((entry) => {
    const config = readPlatform(entry.key, entry.field);
    return config === undefined ? [] : [withBedrockKey(config, entry.field, environment)];
  });
}

function readPlatform(name: string, field: Field): PlatformConfig | undefined {
  if (!/^[A-Za-z0-9][\w.-]{0,62}$/.test(name)) {
    report(field, 'is no name for a platform; use letters, digits, "-", "_" and "."');
  }
  const table = openTable(field, platformKeys);
  const kind = table.require('kind', oneOf(platformKinds));
  if (kind === undefined) return undefined;
  checkKeys(table, kind, field);
  return present({
    name,
    kind,
    baseUrl: table.read('baseUrl', baseUrl),
    apiKey: table.read('apiKey', apiKey),
    adminApiKey: table.read('adminApiKey', apiKey),
    region: table.read('region', textLike(/^[a-z0-9-]+$/, 'no region, such as us-east-1')),
    package: table.read('package', textLike(packageName, 'no name of an npm package')),
    options: table.read('options', options),
    allowInsecure: table.read('allowInsecure', yesOrNo),
  });
}

/** The variable that Amazon's own tools take a Bedrock API key from; the file's word goes first. */
function withBedrockKey(
  config: PlatformConfig,
  field: Field,
  { AWS_BEARER_TOKEN_BEDROCK: apiKey }: Environment,
): PlatformConfig {
  if (config.kind !== 'bedrock-mantle' || apiKey === undefined || apiKey === '') return config;
  const isNamed = field.tree.kind === 'table' && field.tree.entries.has('apiKey');
  return isNamed ? config : { ...config, apiKey };
}

function checkKeys(table: Table<PlatformKey>, kind: PlatformKind, field: Field): void {
  const { takes, needs } = keysByKind[kind];
  const taken: readonly PlatformKey[] = ['kind', 'baseUrl', ...takes, 'allowInsecure'];
  for (const key of platformKeys) {
    const found = table.field(key);
    if (found !== undefined && !taken.includes(key)) {
      report(
        found,
        `the kind ${kind} takes no ${key}; it takes ${['baseUrl', ...takes].join(', ')}`,
      );
    }
    if (found === undefined && needs.includes(key)) {
      const none = key === 'apiKey' ? '; write none where the platform wants no key' : '';
      report({ ...field, path: `${field.path}.${key}` }, `is required${none}`);
    }
  }
}

function baseUrl(field: Field): string | undefined {
  const value = text(field);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return report(field, `${shown(field)} is no URL that starts with http:// or https://`);
  }
  if (url.username !== '' || url.password !== '') {
    return report(field, 'must not hold a user or a password; use apiKey');
  }
  if (url.search !== '' || url.hash !== '') {
    return report(field, `${shown(field)} must end with its path, without "?" and "#"`);
  }
  return value.replace(/\/+$/, '');
}

/** `none` is the absence of a key, said aloud. */
function apiKey(field: Field): string | undefined {
  const value = text(field);
  return value === 'none' ? undefined : value;
}

const packageName = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

function options(field: Field): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    namedFields(field).map((entry) => [entry.key, plainValue(entry.field.tree)]),
  );
}
