import type { PriceUsd } from '@model-gateway/contract';
import { genaiPricesName } from '../../catalog/genai-prices.ts';
import { tableLines } from '../description/text-lines.ts';
import type { ModelDocument, ModelsCheck } from '../documents/models.ts';
import type { ModelProposals } from './model-proposals.ts';

/** Without `isAll`, models that simulate failures are only counted. */
export function modelsLines(models: readonly ModelDocument[], isAll: boolean): readonly string[] {
  const shown = isAll ? models : models.filter(({ isForTests }) => isForTests !== true);
  const hidden = models.length - shown.length;
  const table = modelsTable(shown);
  if (hidden === 0) return table;
  return [
    ...table,
    '',
    `${hidden} more models play failures and special cases; "models list --all" shows them`,
  ];
}

function modelsTable(models: readonly ModelDocument[]): readonly string[] {
  return tableLines(
    [
      ...['model', 'platform', 'input', 'cached', 'cache write', 'output', 'large input'],
      ...['max output', 'images'],
    ],
    models.map((model) => [
      model.id,
      model.route?.join(', ') ?? model.platform,
      ...priceCells(model.price),
      stepsCell(model.price),
      model.maxOutputTokens === undefined ? '-' : String(model.maxOutputTokens),
      model.images ? 'yes' : 'no',
    ]),
    'The catalog is empty. Add models to the configuration.',
  );
}

/** USD per million tokens. */
function priceCells(price: PriceUsd | null): readonly string[] {
  if (price === null) return ['unpriced', '-', '-', '-'];
  return [
    `$${price.inputUsdPerMillion}`,
    `$${price.cachedInputUsdPerMillion}`,
    `$${price.cacheWriteInputUsdPerMillion}`,
    `$${price.outputUsdPerMillion}`,
  ];
}

function stepsCell(price: PriceUsd | null): string {
  const steps = price?.steps ?? [];
  const cells = steps.map(({ aboveInputTokens, inputUsdPerMillion, outputUsdPerMillion }) => {
    return `above ${aboveInputTokens}: $${inputUsdPerMillion} in, $${outputUsdPerMillion} out`;
  });
  return cells.join('; ') || '-';
}

function estimatedLines(models: NonNullable<ModelsCheck['streamsEstimated']>): readonly string[] {
  const rows = models.map(({ id, platform }) => [id, platform]);
  return [
    'Models that stream without token counts (`streamUsage: false`); each stream is booked as an estimate:',
    ...tableLines(['model', 'platform'], rows, 'none'),
  ];
}

export function modelsCheckLines(check: ModelsCheck): readonly string[] {
  const { unpriced, withoutSource, streamsEstimated = [] } = check;
  return [
    'Models without a price (until models has one, `unpriced` decides how calls are booked):',
    ...tableLines(
      ['model', 'platform', 'in the catalog', 'allowlisted for'],
      unpriced.map(({ id, platform, listed, apps }) => [
        id,
        platform,
        listed ? 'yes' : 'no',
        apps.join(', ') || '-',
      ]),
      'none',
    ),
    '',
    "Prices without a source (set in the configuration; compare them with the platform's list):",
    ...tableLines(
      ['model', 'platform', 'input', 'cached', 'cache write', 'output'],
      withoutSource.map(({ id, platform, price }) => [id, platform, ...priceCells(price)]),
      'none',
    ),
    ...(streamsEstimated.length === 0 ? [] : ['', ...estimatedLines(streamsEstimated)]),
    ...rowLines(check),
  ];
}

/** Empty where no row is out of date. */
function rowLines({
  retired,
  retiring,
  stale,
  mismatched,
  withoutTier,
}: ModelsCheck): readonly string[] {
  return [
    ...retirementLines('Retired models that their vendor no longer serves:', retired),
    ...retirementLines('Models that their vendor retires within 30 days:', retiring),
    ...sectionLines(
      'Prices last read more than 180 days ago (upgrade, or compare them yourself):',
      ['model', 'platform', 'read on'],
      stale?.map(({ id, platform, readOn }) => [id, platform, readOn]),
    ),
    ...sectionLines(
      'Models of the configuration whose price differs from the built-in price:',
      ['model', 'platform', 'price of', 'input', 'cached', 'cache write', 'output', 'large input'],
      mismatched?.flatMap(({ id, platform, price, shipped }) => [
        [id, platform, 'yours', ...priceCells(price), stepsCell(price)],
        ['', '', 'built-in', ...priceCells(shipped.price), stepsCell(shipped.price)],
      ]),
    ),
    ...sectionLines(
      'Built-in models called in the standard tier (they have no price in the tier of their platform):',
      ['model', 'platform', 'platform tier'],
      withoutTier?.map(({ id, platform, tier }) => [id, platform, tier]),
    ),
  ];
}

function retirementLines(title: string, models: ModelsCheck['retired']) {
  const rows = models?.map(({ id, platform, retires }) => [id, platform, retires]);
  return sectionLines(title, ['model', 'platform', 'retires on'], rows);
}

function sectionLines(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[] | undefined,
): readonly string[] {
  return rows === undefined ? [] : ['', title, ...tableLines(heads, rows, 'none')];
}

/** YAML for the configuration; a JSON flow is valid YAML. */
export function proposalLines(proposals: ModelProposals): readonly string[] {
  const { models, replaced, unchanged, notProposed } = proposals;
  return [
    `# Proposed from ${genaiPricesName}. Compare each price with the platform's own list.`,
    models.length === 0 ? 'models: []' : 'models:',
    ...models.map((model) => `  - ${JSON.stringify(model)}`),
    ...commentLines('Replaces a catalog model with a different price:', replaced),
    ...commentLines('Already in the catalog at this price:', unchanged),
    ...commentLines('Not proposed:', notProposed),
  ];
}

function commentLines(
  title: string,
  models: readonly { id: string; platform: string; reason?: string }[],
): readonly string[] {
  if (models.length === 0) return [];
  return [
    `# ${title}`,
    ...models.map(({ id, platform, reason }) => {
      const why = reason === undefined ? '' : `: ${reason}`;
      return `#   ${JSON.stringify(id)} on ${platform}${why}`;
    }),
  ];
}
