import {
  type AliasConfig,
  defaultImageTokensMax,
  type ModelConfig,
  modelKinds,
} from '../domain/model.ts';
import type { PlatformConfig, PlatformKind } from '../domain/platform.ts';
import type { Rates } from '../domain/rates.ts';
import { structuredOutputs } from '../domain/structured-output.ts';
import { aliasSchema, isAlias, readAlias } from './aliases.ts';
import { usdPerMillion } from './amounts.ts';
import { type Field, type Read, readList, report } from './field.ts';
import { modelId } from './model-id.ts';
import { omitUndefined } from './omit-undefined.ts';
import { count, oneOf, shown, text, unique, utcDay, yesOrNo } from './scalars.ts';
import {
  key,
  namesOf,
  openSection,
  required,
  type Section,
  sectionSchema,
  type ValuesOf,
} from './section.ts';
import { readSpeaks, speaksDependencies, speaksKeys } from './speaks.ts';

const priceKeys = {
  inputUsdPerMillion: key('USD for a million tokens of input', usdPerMillion),
  cachedInputUsdPerMillion: key('The same for cached input; default: input', usdPerMillion),
  cacheWriteInputUsdPerMillion: key(
    'The same for input that is cached; default: input',
    usdPerMillion,
  ),
  cacheWrite1hInputUsdPerMillion: key(
    'The same for input that is cached for an hour; without it, none can be',
    usdPerMillion,
  ),
  outputUsdPerMillion: key('USD for a million tokens of output', usdPerMillion),
};

/** A price has both; a model with half a price would count as unpriced, and its calls as free. */
const wholePrice = ['inputUsdPerMillion', 'outputUsdPerMillion'] as const;

/** Of embeddings the output costs nothing where the file does not say otherwise. */
const inputAlone = ['inputUsdPerMillion'] as const;

const modelKeys = {
  id: required('What callers write as model', modelId),
  platform: required('Name of the platform that serves it', text),
  upstreamModel: key('What the platform is sent; default: the id', text),
  kind: key('embeddings: it gives those, and nothing else', oneOf(modelKinds)),
  ...priceKeys,
  contextTokens: key('Tokens of input and output together', count(1)),
  maxOutputTokens: key('A larger maxTokens of a call is lowered to it', count(1)),
  defaultMaxTokens: key(
    'Output of a request below /openai or /anthropic that states no limit; default: its app’s',
    count(1),
  ),
  structuredOutput: key('How it is made to answer with an object', oneOf(structuredOutputs)),
  images: key('Whether it takes images', yesOrNo),
  imageTokensMax: key('The most tokens that one image counts', count(1)),
  ...speaksKeys,
  streamUsage: key('false: it refuses to be asked for the counts of a stream', yesOrNo),
  retires: key('First UTC day on which its vendor does not serve it', utcDay),
};

type ModelSection = Section<ValuesOf<typeof modelKeys>>;

const defaults = {
  kind: 'chat',
  structuredOutput: 'json-schema',
  images: false,
  imageTokensMax: defaultImageTokensMax,
} as const;

/** One entry of `models`. */
export const modelSchema = {
  if: { type: 'object', required: ['route'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema; nothing awaits this
  then: aliasSchema,
  else: sectionSchema(modelKeys, defaults, {
    if: { required: ['kind'], properties: { kind: { const: 'embeddings' } } },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema; nothing awaits this
    then: { dependencies: pricesWith(inputAlone) },
    else: { dependencies: pricesWith(wholePrice) },
    dependencies: speaksDependencies,
  }),
};

function pricesWith(names: readonly string[]) {
  return Object.fromEntries(namesOf(priceKeys).map((name) => [name, names]));
}

/** The configured platforms; undefined when that section is missing or wrong itself. */
export type PlatformNames = readonly string[] | undefined;

/** Where a row may go: `names` has the platforms with a problem of their own as well. */
export interface PlatformsOfModels {
  readonly names: PlatformNames;
  readonly platforms: readonly PlatformConfig[];
}

/** What `models` says. */
export interface ModelsSection {
  readonly models: readonly ModelConfig[];
  readonly aliases: readonly AliasConfig[];
}

/** Reads `models`, whose rows go to the platforms of the file, and whose aliases to rows. */
export function readModels(field: Field, platforms: PlatformsOfModels): ModelsSection {
  const newId = unique(modelId);
  const aliases: AliasConfig[] = [];
  const models = readList(field, (item) => {
    if (!isAlias(item)) return readModel(item, newId, platforms);
    const alias = readAlias(item, newId);
    if (alias !== undefined) aliases.push(alias);
    return undefined;
  });
  return { models, aliases };
}

function readModel(
  item: Field,
  newId: Read<string>,
  { names, platforms }: PlatformsOfModels,
): ModelConfig | undefined {
  const section = openSection(item, modelKeys);
  const id = section.readWith('id', newId);
  const platform = section.readWith('platform', (found) => platformName(found, names));
  if (id === undefined || platform === undefined) return undefined;
  const target = platforms.find(({ name }) => name === platform);
  const kind = readKind(section, target);
  return omitUndefined({
    ...{ id, platform, kind, speaks: readSpeaks(section, item, target) },
    upstreamModel: section.read('upstreamModel') ?? id,
    rates: readRates(section, kind),
    contextTokens: section.read('contextTokens'),
    maxOutputTokens: section.read('maxOutputTokens'),
    defaultMaxTokens: section.read('defaultMaxTokens'),
    structuredOutput: section.read('structuredOutput') ?? defaults.structuredOutput,
    images: section.read('images') ?? defaults.images,
    imageTokensMax: section.read('imageTokensMax') ?? defaults.imageTokensMax,
    streamUsage: section.read('streamUsage'),
    retires: section.read('retires'),
  });
}

/** The kinds of platforms that speak embeddings. */
const embeddingKinds: readonly PlatformKind[] = ['openai', 'openai-compatible', 'simulator'];

/** Undefined for a model of conversations, which most are. */
function readKind(
  section: ModelSection,
  platform: PlatformConfig | undefined,
): 'embeddings' | undefined {
  const kind = section.read('kind');
  if (kind !== 'embeddings') return undefined;
  const field = section.field('kind');
  if (field === undefined || platform === undefined) return kind;
  if (embeddingKinds.includes(platform.kind)) return kind;
  const words = embeddingKinds.join(', ');
  const problem = `the kind ${platform.kind} of ${platform.name} gives no embeddings; use a platform of the kind ${words}`;
  report(field, problem);
  return kind;
}

/** Undefined for an unpriced model: one of which the file names neither input nor output price. */
function readRates(section: ModelSection, kind: 'embeddings' | undefined): Rates | undefined {
  const input = section.read('inputUsdPerMillion');
  const cachedInput = section.read('cachedInputUsdPerMillion');
  const cacheWriteInput = section.read('cacheWriteInputUsdPerMillion');
  const cacheWrite1hInput = section.read('cacheWrite1hInputUsdPerMillion');
  // Embeddings write nothing.
  const isInputAlone = kind === 'embeddings' && section.field('outputUsdPerMillion') === undefined;
  const output = isInputAlone ? 0n : section.read('outputUsdPerMillion');
  reportHalfPrice(section, kind === 'embeddings' ? inputAlone : wholePrice);
  if (input === undefined || output === undefined) return undefined;
  return {
    inputPicoUsd: input,
    cachedInputPicoUsd: cachedInput ?? input,
    cacheWriteInputPicoUsd: cacheWriteInput ?? input,
    ...(cacheWrite1hInput !== undefined && { cacheWrite1hInputPicoUsd: cacheWrite1hInput }),
    outputPicoUsd: output,
  };
}

function reportHalfPrice(section: ModelSection, needed: readonly (keyof typeof priceKeys)[]): void {
  const [first] = namesOf(priceKeys).flatMap((name) => section.field(name) ?? []);
  if (first === undefined) return;
  for (const name of needed) {
    if (section.field(name) === undefined) report(first, `a price needs ${name} as well`);
  }
}

/** The name of a configured platform. */
export function platformName(field: Field, platforms: PlatformNames): string | undefined {
  const name = text(field);
  if (name === undefined || platforms === undefined || platforms.includes(name)) return name;
  return report(field, `${shown(field)} is none of the platforms ${platforms.join(', ')}`);
}
