import type { PriceUsd } from '@model-gateway/contract';
import type { Command } from 'commander';
import { AdminError } from '../admin/admin-error.ts';
import {
  checkModels,
  listModels,
  type ModelDocument,
  type ModelsCheck,
  unpricedForReal,
} from '../admin/models.ts';
import { catalogOf } from './catalog.ts';
import { type CommandContext, type CommonOptions, readConfig, withApps } from './context.ts';
import { registerModelsImport } from './models-import.ts';
import { printDocument, tableLines } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

/** `models list|check|import`: the catalog. */
export function registerModels(program: Command, context: CommandContext): void {
  const models = program.command('models').description('the models that calls can be routed to');
  withSharedOptions(models.command('list').description('list the catalog')).action(
    (_options: unknown, command: Command) =>
      list(context, command.optsWithGlobals<CommonOptions>()),
  );
  withSharedOptions(
    models.command('check').description('find models without a price, and prices without a source'),
  ).action((_options: unknown, command: Command) =>
    check(context, command.optsWithGlobals<CommonOptions>()),
  );
  registerModelsImport(models, context);
}

async function list(context: CommandContext, options: CommonOptions) {
  const config = readConfig(context, options);
  printDocument(context, options, listModels(await catalogOf(context, config)), modelsLines);
}

async function check(context: CommandContext, options: CommonOptions) {
  const config = readConfig(context, options);
  const catalog = await catalogOf(context, config);
  const found = await withApps(context, config, (admin) => checkModels(admin, catalog));
  printDocument(context, options, found, checkLines);
  const unpriced = unpricedForReal(found, config.platforms);
  if (unpriced.length === 0) return;
  const ids = unpriced.map(({ id }) => id).join(', ');
  throw new AdminError(`models without a price: ${ids}; give them one in models`);
}

function modelsLines(models: readonly ModelDocument[]): readonly string[] {
  return tableLines(
    [
      ...['model', 'platform', 'input', 'cached', 'cache write', 'output', 'large input'],
      ...['most output', 'images'],
    ],
    models.map((model) => [
      model.id,
      model.platform,
      ...priceCells(model.price),
      longContextCell(model.price),
      model.maxOutputTokens === undefined ? '-' : String(model.maxOutputTokens),
      model.images ? 'yes' : 'no',
    ]),
    'The catalog is empty: add rows to models in the configuration.',
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

function longContextCell(price: PriceUsd | null): string {
  const long = price?.longContext;
  if (long === undefined) return '-';
  return `from ${long.fromInputTokens}: $${long.inputUsdPerMillion} in, $${long.outputUsdPerMillion} out`;
}

function checkLines({ unpriced, withoutSource }: ModelsCheck): readonly string[] {
  return [
    'Models without a price (until they have one in models, `unpriced` says what happens):',
    ...tableLines(
      ['model', 'platform', 'in the catalog', 'allowed by name to'],
      unpriced.map(({ id, platform, listed, apps }) => [
        id,
        platform,
        listed ? 'yes' : 'no',
        apps.join(', ') || '-',
      ]),
      'none',
    ),
    '',
    'Prices without a source (they are of the configuration; compare them with the platform):',
    ...tableLines(
      ['model', 'platform', 'input', 'cached', 'cache write', 'output'],
      withoutSource.map(({ id, platform, price }) => [id, platform, ...priceCells(price)]),
      'none',
    ),
  ];
}
