import { expect, test } from 'vitest';
import { readInvoice } from '../../src/invoices/read-invoice.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { type AdminContext, createAdminContext } from '../../src/operations/context/context.ts';
import { bindProject, deleteBindings } from '../../src/operations/projects/bindings.ts';
import { importInvoice } from '../../src/operations/reconcile/reconcile-import.ts';
import type { Store } from '../../src/store/port/port.ts';
import {
  selectInvoiceDays,
  selectInvoiceLines,
  selectProjectSpans,
} from '../../src/store/queries/invoices.ts';
import { costReport } from '../invoices/read.ts';
import { noonMs } from './operations.ts';

const range = { from: '2026-06-01', to: '2026-06-30' };

/** A new invoice replaces whole days, and a project's app is known for any time. */
export function testInvoices(storeOf: () => Store) {
  test('a day is replaced as a whole, with more lines than one statement accepts', async () => {
    const admin = adminAt(storeOf(), noonMs);
    const models = (count: number) => Array.from({ length: count }, (_none, n) => `model-${n}`);
    const first = await importing(admin, reportOf(models(120)));
    expect(first).toMatchObject({ lines: 120, changedDays: ['2026-06-14'], isRepeated: false });
    expect(await importing(admin, reportOf(models(120)))).toMatchObject({ isRepeated: true });
    const second = await importing(admin, reportOf(models(51)));
    expect(second).toMatchObject({ lines: 51, isRepeated: false });
    const lines = await storeOf().read(selectInvoiceLines('claude', range));
    expect(lines).toHaveLength(51);
    expect(lines[0]).toEqual({
      ...{ platform: 'claude', day: '2026-06-14', project: 'wrkspc_1', app: '', kind: 'tokens' },
      ...{ model: 'model-0', tokenType: 'output_tokens', quantity: undefined },
      ...{ amount: 10_000_000_000n, tolerance: 0n },
    });
  });

  test('an unchanged fetch reports so, and nothing else', async () => {
    const text = costReport({ amount: '3' });
    const fetched = (at: number) => importing(adminAt(storeOf(), at), text, range);
    expect(await fetched(noonMs)).toMatchObject({ changedDays: ['2026-06-14'] });
    expect(await fetched(noonMs + 60_000)).toMatchObject({ changedDays: [], isRepeated: false });
    const [day] = await storeOf().read(selectInvoiceDays('claude', range));
    expect(day).toMatchObject({ changedAt: noonMs, seenAt: noonMs + 60_000, isClosed: false });
  });

  test('a day that was not requested changes nothing', async () => {
    const before = await storeOf().read(selectInvoiceLines('claude', range));
    const other = { from: '2026-06-15', to: '2026-06-15' };
    const work = importing(adminAt(storeOf(), noonMs), costReport({ amount: '9' }), other);
    await expect(work).rejects.toThrow("the platform's response also contains 2026-06-14");
    expect(await storeOf().read(selectInvoiceLines('claude', range))).toEqual(before);
  });

  test('bindings leave a history', async () => {
    const bind = (projectId: string, at: number) =>
      bindProject(adminAt(storeOf(), at), { app: 'search', platform: 'claude', projectId });
    await bind('wrkspc_a', 1_000);
    await bind('wrkspc_a', 2_000);
    await bind('wrkspc_b', 3_000);
    await deleteBindings(adminAt(storeOf(), 4_000));
    const span = { app: 'search', platform: 'claude' };
    expect(await storeOf().read(selectProjectSpans)).toEqual([
      { ...span, projectId: 'wrkspc_a', since: 0, until: 3_000 },
      { ...span, projectId: 'wrkspc_b', since: 3_000, until: 4_000 },
    ]);
  });
}

function importing(admin: AdminContext, text: string, days?: typeof range) {
  const sources = [{ name: 'page', chunks: bytesOf(text) }];
  const read = () => readInvoice(sources);
  return importInvoice(admin, { platform: 'claude', read, ...(days && { range: days }) });
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function reportOf(models: readonly string[]): string {
  const page = JSON.parse(costReport());
  const [row] = page.data[0].results;
  page.data[0].results = models.map((model) => ({ ...row, model }));
  return JSON.stringify(page);
}

/** An operator whose clock does not move. */
function adminAt(store: Store, at: number): AdminContext {
  const clock = { ...systemClock, now: () => at };
  const { clock: _server, ...still } = store;
  return createAdminContext({
    ...{ store: still, clock, ids: createIds(systemClock), company: 'acme' },
    ...{ adminEmail: undefined, actor: 'test' },
  });
}
