import type { CallSummary } from '@model-gateway/server/operations/documents';
import { useId } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useJob } from '../../data/jobs.ts';
import { withQuery } from '../../data/with-query.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { JobProgress } from '../../parts/job-progress.tsx';
import { placeByButton } from '../../parts/place-by-button.ts';
import { csvOf } from './csv.ts';
import { filterOf, type Query } from './filter.ts';

interface ExportProps {
  readonly query: Query;
  readonly items: readonly CallSummary[];
}

/** The shown rows, or all calls of whole days with the same filter. */
export function Export({ query, items }: ExportProps) {
  const id = useId();
  return (
    <>
      <button type="button" popovertarget={id}>
        <Icon of="download" />
        Export
      </button>
      <div class="menu" id={id} popover="auto" onToggle={placeByButton}>
        <button
          type="button"
          disabled={items.length === 0}
          onClick={({ currentTarget }) => {
            currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
            save(csvOf(items));
          }}
        >
          <Icon of="download" />
          CSV of the {items.length} calls shown
        </button>
        <AllCalls query={query} />
      </div>
    </>
  );
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: 'calls.csv' });
  link.click();
  URL.revokeObjectURL(url);
}

/** A file of whole days; not available with a filter by amount or basis. */
function AllCalls({ query }: { readonly query: Query }) {
  const { route } = useLocation();
  const { since, until, minUsd, estimated, failed, ...filter } = filterOf(query);
  const running = useJob(query.job, (job) =>
    route(withQuery('/console/calls', { ...query, job }), true),
  );
  if (minUsd !== undefined || estimated !== undefined) return null;
  const [from, to] = daysOf(since, until);
  const { job } = running;
  return (
    <>
      <hr />
      <JobProgress
        running={running}
        label={from === to ? `CSV of all calls on ${from}` : `CSV of all calls, ${from} to ${to}`}
        request={{ kind: 'callsCsv', from, to, ...filter, ...(failed && { failed: true }) }}
      />
      {job?.fileName && (
        <DownloadButton
          path={`/reports/${encodeURIComponent(job.id)}/file`}
          text={`Download ${job.fileName}`}
        />
      )}
    </>
  );
}

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs };

/** The UTC days that a time touches; today without one. */
function daysOf(since = '', until = ''): readonly [from: string, to: string] {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(since) ?? [];
  const now = Date.now();
  const back = count === undefined ? 0 : Number(count) * (unitMs[unit] ?? 0);
  const end = Date.parse(until);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const from = /^\d{4}-/.test(since) ? since.slice(0, 10) : dayOf(now - back);
  return [from, dayOf(Number.isNaN(end) ? now : end - 1)];
}
