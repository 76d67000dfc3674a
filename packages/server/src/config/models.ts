import { carryNames } from '../domain/carry.ts';
import {
  type AliasConfig,
  defaultImageTokensMax,
  type ModelConfig,
  modelKinds,
} from '../domain/model.ts';
import type { PlatformConfig } from '../domain/platform.ts';
import { factsOf, platformKinds } from '../domain/platform-kinds/platform-kinds.ts';
import type { DatedRates } from '../domain/rates.ts';
import { structuredOutputs } from '../domain/structured-output.ts';
import { aliasSchema, isAlias, readAlias } from './aliases.ts';
import { type Field, type Read, readList, report } from './field.ts';
import { modelId } from './model-id.ts';
import { omitUndefined } from './omit-undefined.ts';
import { priceKeys, priceSchema, readPrices } from './prices.ts';
import { readRowFields, rowFieldKeys } from './row-fields.ts';
import { count, notOneOf, oneOf, text, textLike, unique, utcDay, yesOrNo } from './scalars.ts';
import {
  key,
  openSection,
  required,
  type Section,
  sectionSchema,
  uniqueList,
  type ValuesOf,
} from './section.ts';
import { readSpeaks, speaksDependencies, speaksKeys } from './speaks.ts';

const modelKeys = {
  id: required('Model id that callers send', modelId),
  platform: required('Name of the platform that serves it', text),
  upstreamModel: key('Model id sent to the platform; default: the id', text),
  maker: key(
    'Vendor of the model, such as openai; default: by the platform’s kind or the id',
    textLike(/^[a-z0-9-]{1,32}$/, 'a vendor of a-z, 0-9 and "-", such as openai'),
  ),
  kind: key('embeddings: it supports only embeddings', oneOf(modelKinds)),
  ...priceKeys,
  contextTokens: key('Tokens of input and output together', count(1)),
  maxOutputTokens: key('Output limit; a larger maxTokens of a call is lowered to it', count(1)),
  defaultMaxTokens: key(
    'Output limit of a request to /openai or /anthropic that sets none; default: that of the app',
    count(1),
  ),
  structuredOutput: key('How structured output is requested', oneOf(structuredOutputs)),
  images: key('Whether it accepts images', yesOrNo),
  imageTokensMax: key('Maximum tokens of one image', count(1)),
  ...speaksKeys,
  ...rowFieldKeys,
  streamUsage: key('false: it rejects requests for the token counts of a stream', yesOrNo),
  carryFields: key(
    'Accepted fields of its earlier messages, such as reasoning_content; default: by its platform',
    uniqueList(oneOf(carryNames)),
  ),
  retires: key('First UTC day on which its vendor no longer serves it', utcDay),
};

type ModelSection = Section<ValuesOf<typeof modelKeys>>;

const defaults = {
  kind: 'chat',
  structuredOutput: 'json-schema',
  images: false,
  imageTokensMax: defaultImageTokensMax,
} as const;

export const modelSchema = {
  if: { type: 'object', required: ['route'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this
  then: aliasSchema,
  else: sectionSchema(modelKeys, defaults, {
    if: { required: ['kind'], properties: { kind: { const: 'embeddings' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this
    then: priceSchema('embeddings'),
    else: priceSchema(undefined),
    dependencies: speaksDependencies,
  }),
};

export type PlatformNames = readonly string[] | undefined;

/** `names` includes platforms with problems. */
export interface PlatformsOfModels {
  readonly names: PlatformNames;
  readonly platforms: readonly PlatformConfig[];
}

export interface ModelsSection {
  readonly models: readonly ModelConfig[];
  readonly aliases: readonly AliasConfig[];
}

export function readModels(field: Field, platforms: PlatformsOfModels): ModelsSection {
  const newId = unique(modelId);
  const aliases: AliasConfig[] = [];
  const models = readList(
    field,
    (item) => {
      if (!isAlias(item)) return readModel(item, newId, platforms);
      const alias = readAlias(item, newId);
      if (alias !== undefined) aliases.push(alias);
      return undefined;
    },
    { id: 'id' },
  );
  return { models, aliases };
}

function readModel(
  item: Field,
  newId: Read<string>,
  { names, platforms }: PlatformsOfModels,
): ModelConfig | undefined {
  const section = openSection(item, modelKeys);
  const id = section.readWith('id', newId);
  const platform = section.readWith('platform', (entry) => platformName(entry, names));
  if (id === undefined || platform === undefined) return undefined;
  const target = platforms.find(({ name }) => name === platform);
  const kind = readKind(section, target);
  const contextTokens = section.read('contextTokens');
  return omitUndefined({
    ...{ id, platform, kind, speaks: readSpeaks(section, item, target) },
    ...readRowFields(section, target),
    upstreamModel: section.read('upstreamModel') ?? id,
    maker: section.read('maker'),
    prices: readPricesBelow(section, kind, contextTokens),
    contextTokens,
    maxOutputTokens: section.read('maxOutputTokens'),
    defaultMaxTokens: section.read('defaultMaxTokens'),
    structuredOutput: section.read('structuredOutput') ?? defaults.structuredOutput,
    images: section.read('images') ?? defaults.images,
    imageTokensMax: section.read('imageTokensMax') ?? defaults.imageTokensMax,
    streamUsage: section.read('streamUsage'),
    carryFields: section.read('carryFields'),
    retires: section.read('retires'),
  });
}

/** A step that no call can reach is a mistake. */
function readPricesBelow(
  section: ModelSection,
  kind: 'embeddings' | undefined,
  contextTokens = Number.POSITIVE_INFINITY,
): readonly DatedRates[] | undefined {
  const prices = readPrices(section, kind);
  for (const { steps = [] } of prices ?? []) {
    const beyond = steps.find(({ aboveInputTokens }) => aboveInputTokens >= contextTokens);
    const field = section.field('contextTokens');
    if (beyond !== undefined && field !== undefined)
      report(
        field,
        `no call reaches the step above ${beyond.aboveInputTokens} tokens of input; raise contextTokens above it or remove the step`,
      );
  }
  return prices;
}

function readKind(
  section: ModelSection,
  platform: PlatformConfig | undefined,
): 'embeddings' | undefined {
  const kind = section.read('kind');
  if (kind !== 'embeddings') return undefined;
  const field = section.field('kind');
  if (field === undefined || platform === undefined) return kind;
  if (factsOf(platform.kind).hasEmbeddings) return kind;
  const able = platformKinds.filter((each) => factsOf(each).hasEmbeddings);
  const words = able.toSorted().join(', ');
  const problem = `the kind ${platform.kind} of ${platform.name} does not support embeddings; use a platform of the kind ${words}`;
  report(field, problem);
  return kind;
}

export function platformName(field: Field, platforms: PlatformNames): string | undefined {
  const name = text(field);
  if (name === undefined || platforms === undefined || platforms.includes(name)) return name;
  return notOneOf(field, name, platforms, 'the platforms ');
}
