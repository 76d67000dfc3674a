import type { Catalog } from '../../catalog/catalog.ts';
import { type ComparedRow, compare, type LineOwner } from '../../invoices/compare.ts';
import type { InvoiceLine } from '../../invoices/invoice-line.ts';
import { formatUsd } from '../../lib/money.ts';
import {
  type DayRange,
  selectInvoiceDays,
  selectInvoiceLines,
  selectInvoicePlatforms,
  selectProjectSpans,
} from '../../store/queries/invoices.ts';
import { type AppRow, selectApps, selectBindings } from '../../store/queries/registry.ts';
import type { ProjectSpan } from '../../store/schema/invoice-tables.ts';
import { selectPruneHorizon } from '../../store/sums/prune-calls.ts';
import { bookedSums } from '../calls/booked-sums.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';
import type { ReconciledDocument } from '../documents/reconcile.ts';

export interface Reconciling extends DayRange {
  /** Undefined: every platform with an import. */
  readonly platform?: string | undefined;
  /** Undefined: all apps, and amounts without an app. */
  readonly app?: string | undefined;
}

/** Throws an AdminError for days with pruned calls. */
export async function reconcile(
  context: AdminContext,
  catalog: Catalog,
  reconciling: Reconciling,
): Promise<readonly ReconciledDocument[]> {
  const { platform, app } = reconciling;
  const imported = await context.store.read(selectInvoicePlatforms);
  const platforms = platform === undefined ? imported : [platform];
  const compared = await compareDays(context, catalog, { ...reconciling, platforms });
  return compared.flatMap(({ rows, ...of }) =>
    rows.filter((row) => app === undefined || row.app === app).map((row) => documentOf(of, row)),
  );
}

export async function compareDays(
  context: AdminContext,
  catalog: Catalog,
  { platforms, ...range }: DayRange & { readonly platforms: readonly string[] },
): Promise<readonly { readonly platform: string; readonly rows: readonly ComparedRow[] }[]> {
  const { store } = context;
  const horizon = await store.read(selectPruneHorizon);
  if (horizon !== undefined && range.from < horizon) {
    throw new AdminError(`calls before ${horizon} were pruned; earlier days cannot be compared`, {
      isBadValue: true,
      field: 'day',
    });
  }
  const apps = await store.read(selectApps(context.company));
  const spans = await projectSpansOf(context);
  const booked = await bookedSums({ store, catalog }, range);
  const compared = [];
  for (const platform of platforms) {
    const days = await store.read(selectInvoiceDays(platform, range));
    const finality = new Map(days.map((day) => [day.day, isFinalDay(day)]));
    const ofPlatform = spans.filter((span) => span.platform === platform);
    const rows = compare({
      booked: booked.get(platform) ?? [],
      lines: await store.read(selectInvoiceLines(platform, range)),
      ownerOf: createOwners(apps, ofPlatform),
      isFinal: (day) => finality.get(day),
    });
    compared.push({ platform, rows });
  }
  return compared;
}

/** An older version may have bound a project without recording the time. */
async function projectSpansOf({ store }: AdminContext): Promise<readonly ProjectSpan[]> {
  const spans = await store.read(selectProjectSpans);
  const bound = await store.read(selectBindings);
  const known = new Set(
    spans.map(({ app, platform, projectId }) => [app, platform, projectId].join('\n')),
  );
  const unknown = bound.filter(
    ({ app, platform, projectId }) => !known.has([app, platform, projectId].join('\n')),
  );
  return [...spans, ...unknown.map((binding) => ({ ...binding, since: 0, until: undefined }))];
}

/** Finds the owner by tags, or by the project bound on that day. */
function createOwners(apps: readonly AppRow[], spans: readonly ProjectSpan[]) {
  const names = new Set(apps.map(({ name }) => name));
  const ofName = new Map(apps.map(({ name, project }) => [project.trim(), name]));
  const ofId = Map.groupBy(spans, ({ projectId }) => projectId);
  return ({ app, project, day }: InvoiceLine): LineOwner => {
    if (app === '' && project === '') return { kind: 'untagged' };
    if (names.has(app)) return { kind: 'app', app };
    const starts = Date.parse(day);
    const span = ofId.get(project)?.findLast(({ since, until = Number.POSITIVE_INFINITY }) => {
      return since < starts + 86_400_000 && until > starts;
    });
    const owner = span?.app ?? ofName.get(project.trim());
    return owner === undefined ? { kind: 'foreign' } : { kind: 'app', app: owner };
  };
}

function documentOf(
  { platform }: { readonly platform: string },
  row: ComparedRow,
): ReconciledDocument {
  const { day, app, projects, model, exact, estimated, band, invoice, verdict, isFinal } = row;
  return {
    ...{ platform, day, app: app ?? null, projects, model: model ?? null },
    exactUsd: formatUsd(exact),
    estimatedUsd: formatUsd(estimated),
    bandUsd: formatUsd(band),
    invoiceUsd: formatUsd(invoice),
    differenceUsd: formatUsd(invoice - exact - estimated),
    verdict,
    isFinal,
  };
}

/** A figure that has not changed for this long counts as final. */
const finalAfterMs = 48 * 3_600_000;

export function isFinalDay(day: {
  readonly changedAt: number;
  readonly seenAt: number;
  readonly isClosed: boolean;
}): boolean {
  return day.isClosed || day.seenAt - day.changedAt >= finalAfterMs;
}
