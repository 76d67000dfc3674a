import type { ReadSources } from '../../invoices/read-invoice.ts';
import { CostsError } from '../../platforms/billing/cost-api.ts';
import type { Platform } from '../../platforms/model/port.ts';
import type { DayRange } from '../../store/queries/invoices.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';
import type { ImportedInvoice } from '../documents/reconcile.ts';
import { importInvoice } from './reconcile-import.ts';

/**
 * UTC days, both included. Throws an AdminError where the platform does not support fetching costs
 * or returns an error.
 */
export async function fetchInvoice(
  context: AdminContext,
  { name, costs }: Pick<Platform, 'name' | 'costs'>,
  range: DayRange,
  read: ReadSources,
): Promise<ImportedInvoice> {
  const days = (Date.parse(range.to) - Date.parse(range.from)) / 86_400_000 + 1;
  if (days < 1 || days > fetchDaysMax) {
    throw new AdminError(
      `from ${range.from} to ${range.to} is not a valid range; use 1 to ${fetchDaysMax} days, from the first to the last`,
      { isBadValue: true, field: 'from' },
    );
  }
  if (costs === undefined) {
    throw new AdminError(
      `${name} does not support fetching costs (only openai and anthropic with an adminApiKey); import its files instead`,
      { isBadValue: true, field: 'platform' },
    );
  }
  const pages = await costs.fetch(range.from, range.to).catch((error: unknown) => {
    if (!(error instanceof CostsError)) throw error;
    throw new AdminError(`nothing was changed: ${name} returned ${error.message}`);
  });
  const sources = pages.map((page) => ({ name: page.name, chunks: bytesOf(page.text) }));
  return importInvoice(context, { platform: name, read: () => read(sources), range });
}

const fetchDaysMax = 366;

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
