import { fileActor } from '../operations/config/declared-apps.ts';
import { hookProblems } from '../operations/hooks/hooks.ts';
import { putPricesInForce } from '../operations/models/price-book.ts';
import { reportUnpriced } from '../operations/models/unpriced-report.ts';
import { CompositionError } from './composition-error.ts';
import type { Instance } from './instance.ts';
import { logPrices } from './log-prices.ts';
import { logTiers } from './log-tiers.ts';
import type { Models } from './models.ts';

/** Only the first thread of a process runs it. Throws a CompositionError. */
export async function beginProcess(
  { config, store, clock, ids, log }: Instance,
  { catalog }: Models,
) {
  const { company } = config;
  const problems = await hookProblems({ store, company }, config.notify);
  if (problems.length > 0) throw new CompositionError(problems);
  const actor = fileActor(config);
  logPrices(log, await putPricesInForce({ store, clock, ids, actor }, catalog));
  logTiers(log, catalog);
  await reportUnpriced({ context: { store, clock, company }, config, catalog, log });
}
