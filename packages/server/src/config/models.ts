import { bodyLimits } from '@model-gateway/contract';
import { defaultImageTokensMax, type ModelConfig } from '../domain/model.ts';
import { type PathFamily, pathFamilies } from '../domain/path-family.ts';
import type { PlatformConfig, PlatformKind } from '../domain/platform.ts';
import type { Rates } from '../domain/rates.ts';
import { structuredOutputs } from '../domain/structured-output.ts';
import { usdPerMillion } from './amounts.ts';
import { type Field, openTable, readList, report, type Table } from './field.ts';
import { present } from './present.ts';
import { count, oneOf, shortText, shown, text, unique, yesOrNo } from './scalars.ts';

const priceKeys = [
  'inputUsdPerMillion',
  'cachedInputUsdPerMillion',
  'cacheWriteInputUsdPerMillion',
  'outputUsdPerMillion',
] as const;

const modelKeys = [
  'id',
  'platform',
  'upstreamModel',
  ...priceKeys,
  'contextTokens',
  'maxOutputTokens',
  'structuredOutput',
  'images',
  'imageTokensMax',
  'pathFamily',
] as const;

type ModelTable = Table<(typeof modelKeys)[number]>;

/** The configured platforms; undefined when that section is missing or wrong itself. */
export type PlatformNames = readonly string[] | undefined;

/** A model's id, in a row or in an allow-list. */
export const modelId = shortText(bodyLimits.modelCharactersMax);

/** Where a row may go: `names` has the platforms with a problem of their own as well. */
export interface PlatformsOfModels {
  readonly names: PlatformNames;
  readonly platforms: readonly PlatformConfig[];
}

/** Reads `models`, whose rows go to the platforms of the file. */
export function readModels(
  field: Field,
  { names, platforms }: PlatformsOfModels,
): readonly ModelConfig[] {
  const newId = unique(modelId);
  return readList(field, (item) => {
    const table = openTable(item, modelKeys);
    const id = table.require('id', newId);
    const platform = table.require('platform', (of) => platformName(of, names));
    if (id === undefined || platform === undefined) return undefined;
    const place = platforms.find(({ name }) => name === platform);
    const pathFamily = readPathFamily(table, item, place);
    return readModel(table, { id, platform, pathFamily });
  });
}

interface ModelPlace {
  readonly id: string;
  readonly platform: string;
  readonly pathFamily: PathFamily | undefined;
}

function readModel(table: ModelTable, place: ModelPlace): ModelConfig {
  return present({
    ...place,
    upstreamModel: table.read('upstreamModel', text) ?? place.id,
    rates: readRates(table),
    contextTokens: table.read('contextTokens', count(1)),
    maxOutputTokens: table.read('maxOutputTokens', count(1)),
    structuredOutput: table.read('structuredOutput', oneOf(structuredOutputs)) ?? 'json-schema',
    images: table.read('images', yesOrNo) ?? false,
    imageTokensMax: table.read('imageTokensMax', count(1)) ?? defaultImageTokensMax,
  });
}

/** The path families of each kind that has any. */
const familiesOf: Partial<Record<PlatformKind, readonly PathFamily[]>> = {
  'bedrock-mantle': pathFamilies,
  // The simulator has mantle's paths.
  simulator: pathFamilies,
  openai: ['v1-chat', 'v1-responses'],
};

/** A model of mantle cannot be called without its path family, and few others have paths. */
function readPathFamily(
  table: ModelTable,
  row: Field,
  platform: PlatformConfig | undefined,
): PathFamily | undefined {
  const field = table.field('pathFamily');
  if (field === undefined) {
    if (platform?.kind !== 'bedrock-mantle') return undefined;
    const path = `${row.path}.pathFamily`;
    const words = pathFamilies.join(', ');
    return report({ ...row, path }, `is required on ${platform.name}; write one of ${words}`);
  }
  if (platform === undefined) return oneOf(pathFamilies)(field);
  const families = familiesOf[platform.kind];
  if (families !== undefined) return oneOf(families)(field);
  return report(field, `the kind ${platform.kind} of ${platform.name} takes no pathFamily`);
}

/** Undefined for an unpriced model: one of which the file names neither input nor output price. */
function readRates(table: ModelTable): Rates | undefined {
  const input = table.read('inputUsdPerMillion', usdPerMillion);
  const cachedInput = table.read('cachedInputUsdPerMillion', usdPerMillion);
  const cacheWriteInput = table.read('cacheWriteInputUsdPerMillion', usdPerMillion);
  const output = table.read('outputUsdPerMillion', usdPerMillion);
  reportHalfPrice(table);
  if (input === undefined || output === undefined) return undefined;
  return {
    inputPicoUsd: input,
    cachedInputPicoUsd: cachedInput ?? input,
    cacheWriteInputPicoUsd: cacheWriteInput ?? input,
    outputPicoUsd: output,
  };
}

/** A model with half a price would count as unpriced, and its calls as free. */
function reportHalfPrice(table: ModelTable): void {
  const named = priceKeys.flatMap((key) => table.field(key) ?? []);
  const [first] = named;
  if (first === undefined) return;
  for (const key of ['inputUsdPerMillion', 'outputUsdPerMillion'] as const) {
    if (table.field(key) === undefined) report(first, `a price needs ${key} as well`);
  }
}

/** The name of a configured platform. */
export function platformName(field: Field, platforms: PlatformNames): string | undefined {
  const name = text(field);
  if (name === undefined || platforms === undefined || platforms.includes(name)) return name;
  return report(field, `${shown(field)} is none of the platforms ${platforms.join(', ')}`);
}
