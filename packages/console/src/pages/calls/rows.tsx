import type {
  CallSummary,
  MostExpensiveCalls,
  RunningCalls,
} from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { type Read, useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { Card } from '../../parts/card.tsx';
import { ColumnChooser, useColumns } from '../../parts/column-chooser.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/values.tsx';
import { columnsOf, isRunning, type Row } from './columns.tsx';
import { addressOf, filterOf, type Query } from './filter.ts';
import { Unsearched } from './unsearched.tsx';

/** A page of calls in either order. */
export interface Listed {
  readonly items: readonly CallSummary[];
  readonly after?: string | null;
  readonly searchedBackTo?: string | null;
  readonly unsearched?: MostExpensiveCalls['unsearched'];
}

export function useListed(query: Query): Read<Listed> {
  const { after } = query;
  const isByCost = query.order === 'cost';
  const view = isByCost ? { order: 'cost' } : { after };
  const path = withQuery('/calls', { ...filterOf(query), ...view, limit: '50' });
  return useRead<Listed>(path, runningOf(query)?.topic);
}

interface RowsProps {
  readonly of: Read<Listed>;
  readonly query: Query;
}

export function CallRows({ of, query }: RowsProps) {
  const { call: open } = query;
  const { path, topic } = runningOf(query) ?? {};
  const runningRead = useRead<RunningCalls>(path, topic);
  const running = runningRead.data;
  const all = columnsOf(query);
  const chosen = useColumns('calls', all);
  const title = query.order === 'cost' ? 'Most expensive first' : 'Newest first';
  return (
    <Shown of={of} after={[runningRead]} rows={16}>
      {(listed) => (
        <Card
          title={title}
          isFlush
          aside={<ColumnChooser all={all} chosen={chosen} />}
          footer={<Foot listed={listed} running={running} query={query} />}
        >
          <Table<Row>
            caption={`Calls, ${title.toLowerCase()}`}
            columns={chosen.columns}
            rows={rowsOf(listed, running)}
            keyOf={({ id }) => id}
            classOf={(row) => (!isRunning(row) && row.code === 'OK' ? 'quiet-ok' : undefined)}
            sort={useOrder(query)}
            selected={open}
            isLong
            empty={<None listed={listed} query={query} />}
          />
        </Card>
      )}
    </Shown>
  );
}

/** Above this, a number below the rows replaces them. */
const runningMax = 20;

/** Running calls are above the newest calls, unless a filter excludes them. */
function runningOf(query: Query): { readonly path: string; readonly topic: string } | undefined {
  const { app, model, ...others } = filterOf(query);
  const isNewest = query.order !== 'cost' && query.after === undefined;
  if (!isNewest || Object.keys(others).length > 0) return undefined;
  const path = withQuery('/holds', { app, model, limit: String(runningMax) });
  return { path, topic: app === undefined ? 'overview' : `app:${app}` };
}

/** A call that ended between the two reads is in both. */
function rowsOf({ items }: Listed, running: RunningCalls | undefined): readonly Row[] {
  const ended = new Set(items.map(({ id }) => id));
  return [...(running?.items ?? []).filter(({ id }) => !ended.has(id)), ...items];
}

function useOrder(query: Query) {
  const { route } = useLocation();
  return {
    by: query.order === 'cost' ? 'cost' : 'time',
    isDescending: true,
    change: (by: string) => route(addressOf(query, { order: by === 'cost' ? 'cost' : undefined })),
  };
}

interface ListedProps {
  readonly listed: Listed;
  readonly query: Query;
}

interface FootProps extends ListedProps {
  readonly running: RunningCalls | undefined;
}

function Foot({ listed, running, query }: FootProps) {
  const { items, after, searchedBackTo, unsearched = null } = listed;
  return (
    <>
      <span>
        {items.length === 1 ? '1 call' : `${items.length} calls`}
        {running !== undefined && running.count > 0 && `, ${runningText(running)}`}
        {searchedBackTo && (
          <>
            , searched back to <When at={searchedBackTo} />
          </>
        )}{' '}
        <Unsearched of={unsearched} />
      </span>
      <span class="row">
        {query.after !== undefined && (
          <a class="button small" href={addressOf(query, {})}>
            Newest calls
          </a>
        )}
        {after && (
          <a class="button small" href={addressOf(query, { after })}>
            {searchedBackTo ? 'Continue search' : 'Older calls'}
          </a>
        )}
      </span>
    </>
  );
}

/** `20 of 1,203 running calls` */
function runningText({ items, count }: RunningCalls): string {
  const all = `${count.toLocaleString('en')} running ${count === 1 ? 'call' : 'calls'}`;
  return items.length < count ? `${items.length} of ${all}` : all;
}

function None({ listed, query }: ListedProps) {
  const { searchedBackTo, after } = listed;
  const isFiltered = Object.keys(filterOf(query)).length > 0;
  if (searchedBackTo && after) {
    return (
      <Empty icon="search" title="No matches so far">
        <p>
          Searched back to <When at={searchedBackTo} />. Older calls might match.
        </p>
      </Empty>
    );
  }
  return (
    <Empty icon="calls" title={isFiltered ? 'No matching calls' : 'No calls yet'}>
      <p>Calls appear here after they finish.</p>
      {isFiltered && (
        <a class="button" href="/console/calls">
          Clear filters
        </a>
      )}
    </Empty>
  );
}
