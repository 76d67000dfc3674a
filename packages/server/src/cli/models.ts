import type { Command } from 'commander';
import { listedNames } from '../lib/nearest.ts';
import { AdminError } from '../operations/admin-error.ts';
import { modelsCheckLines, modelsLines } from '../operations/models/lines.ts';
import { checkModels, listModels, unpricedForReal } from '../operations/models/models.ts';
import { catalogOf } from './catalog.ts';
import { type CommandContext, type CommonOptions, readParts } from './context.ts';
import { registerModelsImport } from './models-import.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';

interface ListOptions extends CommonOptions {
  readonly all?: boolean;
}

/** `models list|check|import`: the catalog. */
export function registerModels(program: Command, context: CommandContext): void {
  const models = program.command('models').description('the models that calls can be routed to');
  withSharedOptions(models.command('list').description('list the catalog'))
    .option('--all', 'with the models of the simulator that play failures')
    .action((_options: unknown, command: Command) =>
      list(context, command.optsWithGlobals<ListOptions>()),
    );
  withSharedOptions(
    models
      .command('check')
      .description('find models without a price, without a source or out of date'),
  ).action((_options: unknown, command: Command) =>
    check(context, command.optsWithGlobals<CommonOptions>()),
  );
  registerModelsImport(models, context);
}

async function list(context: CommandContext, options: ListOptions) {
  const { catalog } = readParts(context, options, { parts: ['catalog'] });
  const models = listModels(await catalogOf(context, catalog));
  printDocument(context, options, models, (all) => modelsLines(all, options.all === true));
}

async function check(context: CommandContext, options: CommonOptions) {
  const { found, unpriced } = await onApps(
    context,
    options,
    async (admin, { catalog }) => {
      const checked = await checkModels(admin, await catalogOf(context, catalog));
      return { found: checked, unpriced: unpricedForReal(checked, catalog.platforms) };
    },
    { parts: ['catalog'] },
  );
  printDocument(context, options, found, modelsCheckLines);
  if (unpriced.length === 0) return;
  const ids = listedNames(unpriced.map(({ id }) => id));
  throw new AdminError(`models without a price: ${ids}; give them one in models`);
}
