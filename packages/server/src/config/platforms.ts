import { isAbsolute, resolve } from 'node:path';
import { disconnectPolicies, type PlatformConfig, type RequestTier } from '../domain/platform.ts';
import { type KindFacts, requestTiers } from '../domain/platform-kinds/kind-facts.ts';
import { factsOf, platformKinds } from '../domain/platform-kinds/platform-kinds.ts';
import { type ProxyAddress, parseProxy } from '../lib/proxy-address.ts';
import { mustBe } from '../lib/sentences.ts';
import { factor } from './factor.ts';
import { type Field, fieldsOf, report } from './field.ts';
import { omitUndefined } from './omit-undefined.ts';
import type { IsNeeded } from './parts.ts';
import { plainValue } from './plain-value.ts';
import { type Reader, reader, textSchema } from './reader.ts';
import { oneOf, shown, text, textLike, yesOrNo } from './scalars.ts';
import {
  type Keys,
  key,
  namesOf,
  openSection,
  recordOf,
  required,
  type Section,
  sectionSchema,
} from './section.ts';
import type { Variables } from './variables.ts';

const baseUrl: Reader<string> = reader(textSchema('^[Hh][Tt][Tt][Pp][Ss]?:'), (field) => {
  const value = text(field);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return report(field, mustBe('a URL that starts with http:// or https://', shown(field)));
  }
  if (url.username !== '' || url.password !== '') {
    return report(field, 'must not contain a user or a password; use apiKey');
  }
  if (url.search !== '' || url.hash !== '') {
    return report(field, `${shown(field)} must end with its path, without "?" and "#"`);
  }
  return value.replace(/(?<!\/)\/+$/, '');
});

/** `none` declares that the platform has no key. */
const apiKey: Reader<string> = reader(text.schema, (field) => {
  const value = text(field);
  return value === 'none' ? undefined : value;
});

const packageName = textLike(
  /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/,
  'the name of an npm package',
);

/** No problem shows the address: it might contain a password. */
const proxy: Reader<ProxyAddress | 'none'> = reader(text.schema, (field) => {
  const value = text(field);
  if (value === undefined || value === 'none') return value;
  const parsed = parseProxy(value, field.path);
  return 'problem' in parsed ? report(field, `${parsed.problem}, or none`) : parsed;
});

const anything = reader({}, ({ tree }) => plainValue(tree));
const options = reader({ type: 'object' }, recordOf(anything));

type PlatformValues = Required<Omit<PlatformConfig, 'name' | 'proxies'>>;
type PlatformKey = keyof PlatformValues;

const platformKeys: Keys<PlatformValues> = {
  kind: required('Kind of the platform', oneOf(platformKinds)),
  baseUrl: key('Base URL without a trailing slash', baseUrl),
  apiKey: key('API key, preferably from a variable; none if not needed', apiKey),
  adminApiKey: key('Admin API key, which lists and creates billing projects', apiKey),
  region: key(
    'AWS region; for anthropic: the region named in requests (default: global); for openai: the region of the host',
    textLike(/^[a-z0-9-]{1,32}$/, 'a region such as us-east-1'),
  ),
  tier: key('Service tier named in requests; default: standard', oneOf(requestTiers)),
  priceFactor: key('Factor of a contract for all rates of its models; default: 1', factor),
  package: key('npm package of an AI SDK provider', packageName),
  options: key('Options passed unchanged to the package', options),
  allowInsecure: key('true: allow plain HTTP to another machine', yesOrNo),
  onLeft: key('How a stream is handled after its caller disconnects', oneOf(disconnectPolicies)),
  propagateTrace: key('true: forward trace headers to it', yesOrNo),
  proxy: key(
    'Proxy, preferably from a variable; none: direct connection; default: HTTPS_PROXY and HTTP_PROXY',
    proxy,
  ),
  caFile: key('PEM file of additional trusted certificate authorities', text),
};

const platformName = /^[A-Za-z0-9][\w.-]{0,62}$/;

export const platformsSchema = {
  type: 'object',
  minProperties: 1,
  propertyNames: { pattern: platformName.source },
  additionalProperties: sectionSchema(
    platformKeys,
    {},
    {
      allOf: platformKinds.map((kind) => ruleOf(factsOf(kind))),
    },
  ),
};

/** The accepted and required keys of a kind, as JSON Schema. */
export function ruleOf(facts: KindFacts) {
  const { name: kind, needs, tiers } = facts;
  const acceptedKeys = acceptedKeysOf(facts);
  const others = namesOf(platformKeys).filter((name) => !acceptedKeys.includes(name));
  const values = tiers === undefined ? {} : { tier: { enum: tiers } };
  return {
    if: { required: ['kind'], properties: { kind: { const: kind } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      required: needs,
      properties: { ...values, ...Object.fromEntries(others.map((name) => [name, false])) },
    },
  };
}

interface KeySource {
  readonly variables: Variables;
  readonly isNeeded: IsNeeded;
  /** The base of relative paths; undefined without a file. */
  readonly folder: string | undefined;
}

/** In file order. A key can come from the environment. */
export function readPlatforms(field: Field, from: KeySource): readonly PlatformConfig[] {
  const empty = 'requires at least one platform, such as sandbox: { kind: simulator }';
  return [...(fieldsOf(field, { empty }) ?? [])].flatMap(([name, entry]) => {
    const config = readPlatform(name, entry, from);
    return config === undefined ? [] : [withKeyOfVariable(config, entry, from)];
  });
}

function readPlatform(
  name: string,
  field: Field,
  { folder }: KeySource,
): PlatformConfig | undefined {
  if (!platformName.test(name)) {
    report(field, 'must be a name of letters, digits, "-", "_" and "."');
  }
  const section = openSection(field, platformKeys);
  const kind = section.read('kind');
  if (kind === undefined) return undefined;
  const facts = factsOf(kind);
  checkKeys(section, facts, field);
  return omitUndefined({
    name,
    kind,
    baseUrl: section.read('baseUrl'),
    apiKey: section.read('apiKey'),
    adminApiKey: section.read('adminApiKey'),
    region: section.read('region'),
    tier: section.readWith('tier', (entry) => readTier(entry, facts)),
    priceFactor: section.read('priceFactor'),
    package: section.read('package'),
    options: section.read('options'),
    allowInsecure: section.read('allowInsecure'),
    onLeft: section.read('onLeft'),
    propagateTrace: section.read('propagateTrace'),
    proxy: section.read('proxy'),
    caFile: section.readWith('caFile', (entry) => readPath(entry, folder)),
  });
}

function readPath(field: Field, folder: string | undefined): string | undefined {
  const path = text(field);
  if (path === undefined) return undefined;
  if (folder !== undefined) return resolve(folder, path);
  return isAbsolute(path)
    ? path
    : report(field, 'must be an absolute path, because the configuration has no folder');
}

function readTier(field: Field, { tiers }: KindFacts): RequestTier | undefined {
  return tiers === undefined ? platformKeys.tier.read(field) : oneOf(tiers)(field);
}

/** The file's key takes precedence. */
function withKeyOfVariable(
  config: PlatformConfig,
  field: Field,
  { variables, isNeeded }: KeySource,
): PlatformConfig {
  const { keyVariable } = factsOf(config.kind);
  if (keyVariable === undefined) return config;
  if (field.tree.kind === 'table' && field.tree.entries.has('apiKey')) return config;
  const variable = variables(keyVariable);
  if (variable.text !== undefined) return { ...config, apiKey: variable.text };
  if (variable.isSet && isNeeded(['platforms', config.name, 'apiKey']))
    report(field, variable.problem);
  return config;
}

function acceptedKeysOf({ takes, isPackage }: KindFacts): readonly PlatformKey[] {
  const ownKeys = ['kind', 'baseUrl', ...takes] as const;
  const shared = [
    ...ownKeys,
    ...(['priceFactor', 'allowInsecure', 'onLeft', 'proxy', 'caFile'] as const),
  ];
  // A package sends its requests itself.
  return isPackage ? shared : [...shared, 'propagateTrace'];
}

function checkKeys(section: Section<PlatformValues>, facts: KindFacts, field: Field): void {
  const { name: kind, takes, needs } = facts;
  const acceptedKeys = acceptedKeysOf(facts);
  for (const name of namesOf(platformKeys)) {
    const entry = section.field(name);
    if (entry !== undefined && !acceptedKeys.includes(name)) {
      report(
        entry,
        `the kind ${kind} does not support ${name}; supported: ${['baseUrl', ...takes].join(', ')}`,
      );
    }
    if (entry === undefined && needs.some((each) => each === name)) {
      const none = name === 'apiKey' ? '; set none if the platform needs no key' : '';
      report({ ...field, path: `${field.path}.${name}` }, `is required${none}`);
    }
  }
}
