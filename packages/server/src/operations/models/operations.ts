import { genaiPricesName } from '../../catalog/genai-prices.ts';
import { listedNames } from '../../lib/nearest.ts';
import { visibleApps } from '../context/session.ts';
import { commandOnly, flag, modelIds, optional, text } from '../description/field.ts';
import { type Operation, ofType, operation } from '../description/operation.ts';
import { modelsCheckLines, modelsLines, proposalLines } from './lines.ts';
import { type ModelProposals, proposeModels } from './model-proposals.ts';
import { checkModels, listModels, unpricedForReal } from './models.ts';

const list = operation({
  name: 'models list',
  about: 'list the catalog',
  right: 'look',
  http: ['GET /models'],
  apps: 'none',
  opens: 'file',
  needs: ['catalog'],
  input: { all: commandOnly(flag("include the simulator's models that play failures")) },
  result: async () => (await import('../documents/models.ts')).ModelDocuments,
  run: async ({ catalog }) => listModels(catalog),
  lines: (models, { all }) => modelsLines(models, all === true),
});

const check = operation({
  name: 'models check',
  about: 'find models without a price, without a source or out of date',
  right: 'look',
  http: ['GET /models/check'],
  apps: 'own',
  needs: ['catalog', 'platformFacts'],
  result: async () => (await import('../documents/models.ts')).ModelsCheck,
  async run({ admin, session, catalog }) {
    const { unpriced, ...others } = await checkModels(admin, catalog);
    const visible = unpriced.map((model) => ({ ...model, apps: visibleApps(session, model.apps) }));
    return { unpriced: visible, ...others };
  },
  failure(check, { platformFacts }) {
    const ids = unpricedForReal(check, platformFacts).map(({ id }) => id);
    if (ids.length === 0) return undefined;
    return `models without a price: ${listedNames(ids)}; add prices under models`;
  },
  lines: modelsCheckLines,
});

const importRows = operation({
  name: 'models import',
  about: `print proposed model rows for the configuration, with prices from ${genaiPricesName}`,
  opens: 'file',
  needs: ['catalog', 'platformFacts'],
  input: {
    platform: optional(text('only models of this platform', 'name')),
    provider: optional(
      text('provider in the package, if the platform kind does not determine it', 'id'),
    ),
    models: optional(modelIds('only these models, comma-separated')),
  },
  example: { platform: 'openai' },
  result: ofType<ModelProposals>(),
  run: ({ admin, catalog, platformFacts: platforms }, filter) =>
    proposeModels({ platforms, catalog, filter, nowMs: admin.clock.now() }),
  lines: proposalLines,
});

export const models: readonly Operation[] = [list, check, importRows];
