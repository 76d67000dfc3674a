import type { Command } from 'commander';
import { genaiPricesName } from '../catalog/genai-prices.ts';
import { type ModelProposals, proposeModels } from '../operations/models/model-proposals.ts';
import { catalogOf } from './catalog.ts';
import { type CommandContext, type CommonOptions, readParts } from './context.ts';
import { printDocument } from './print.ts';
import { withSharedOptions } from './shared-options.ts';
import { readModels } from './values.ts';

interface ImportOptions extends CommonOptions {
  readonly platform?: string;
  readonly provider?: string;
  readonly models?: string;
}

/** `models import`: rows to paste into the configuration, which it never writes itself. */
export function registerModelsImport(models: Command, context: CommandContext): void {
  withSharedOptions(
    models
      .command('import')
      .description(`propose rows for the configuration from ${genaiPricesName}`)
      .option('--platform <name>', 'only for this platform')
      .option('--provider <id>', "the package's provider, where the platform's kind does not tell")
      .option('--models <ids>', 'only these models, with commas between them'),
  ).action((_options: unknown, command: Command) =>
    propose(context, command.optsWithGlobals<ImportOptions>()),
  );
}

async function propose(context: CommandContext, options: ImportOptions) {
  const { catalog } = readParts(context, options, { parts: ['catalog'] });
  const proposals = await proposeModels({
    platforms: catalog.platforms,
    catalog: await catalogOf(context, catalog),
    wishes: {
      platform: options.platform,
      provider: options.provider,
      models: options.models === undefined ? undefined : readModels('--models', options.models),
    },
    nowMs: context.clock.now(),
  });
  printDocument(context, options, proposals, yamlLines);
}

/** YAML to be pasted into the configuration: a flow of JSON is one. */
function yamlLines(proposals: ModelProposals): readonly string[] {
  const { models, replaced, unchanged, notProposed } = proposals;
  return [
    `# Proposed from ${genaiPricesName}. Compare each price with the platform's own list.`,
    models.length === 0 ? 'models: []' : 'models:',
    ...models.map((model) => `  - ${JSON.stringify(model)}`),
    ...commentLines('Replace a row of the catalog, which has another price:', replaced),
    ...commentLines('In the catalog at this price already:', unchanged),
    ...commentLines('Not proposed:', notProposed),
  ];
}

function commentLines(
  title: string,
  places: readonly { id: string; platform: string; reason?: string }[],
): readonly string[] {
  if (places.length === 0) return [];
  return [
    `# ${title}`,
    ...places.map(({ id, platform, reason }) => {
      const why = reason === undefined ? '' : `: ${reason}`;
      return `#   ${JSON.stringify(id)} on ${platform}${why}`;
    }),
  ];
}
