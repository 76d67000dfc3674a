import type {
  DearestCalls,
  CallsPage as Found,
  FoundCall,
} from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useRead } from '../data/read.ts';
import { withQuery } from '../data/with-query.ts';
import { DataTable, type Head } from '../parts/data-table.tsx';
import { CheckField, ChoiceField, TextField } from '../parts/fields.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Shown } from '../parts/shown.tsx';
import { Usd, When } from '../parts/values.tsx';
import { en } from '../text/en.ts';
import { Unsearched } from './unsearched.tsx';

const texts = [
  ['app', 'App'],
  ['user', 'User'],
  ['key', 'Key'],
  ['model', 'Model'],
  ['code', 'Code'],
  ['since', 'Since (UTC)'],
  ['until', 'Until (UTC)'],
  ['minUsd', 'At least, USD'],
] as const;

const orders = [
  ['', 'The newest'],
  ['cost', 'The dearest'],
] as const;

/** 50 a page; the URL has the filters. */
export function CallsPage() {
  const { query, route } = useLocation();
  const { after: _after, ...filter } = query;
  const isDearest = query.order === 'cost';
  const set = (name: string) => (value: string) =>
    route(withQuery('/console/calls', { ...filter, [name]: value }));
  return (
    <>
      <PageHead title={en.pages.calls} note="No prompt and no answer is kept" />
      <search class="filters">
        <ChoiceField label="First" value={query.order ?? ''} options={orders} set={set('order')} />
        {texts.map(([name, label]) => (
          <TextField key={name} label={label} value={query[name] ?? ''} set={set(name)} />
        ))}
        <CheckField
          label="Estimated"
          value={query.estimated === 'true'}
          set={(isOnly) => set('estimated')(isOnly ? 'true' : '')}
        />
      </search>
      {isDearest ? <Dearest filter={filter} /> : <Newest query={query} />}
    </>
  );
}

type Query = Readonly<Record<string, string>>;

function Dearest({ filter: { order: _order, ...filter } }: { readonly filter: Query }) {
  const found = useRead<DearestCalls>(withQuery('/dearest-calls', { ...filter, limit: '50' }));
  return (
    <Shown of={found}>
      {({ items, unsearched }) => (
        <>
          <DataTable
            caption="Calls, the dearest first"
            heads={heads}
            rows={items}
            keyOf={({ id }) => id}
            empty={emptyText(unsearched === null)}
          />
          <p>
            <Unsearched of={unsearched} />
          </p>
        </>
      )}
    </Shown>
  );
}

function Newest({ query }: { readonly query: Query }) {
  const { order: _order, ...asked } = query;
  const { after: _after, ...filter } = asked;
  const found = useRead<Found>(withQuery('/calls', { ...asked, limit: '50' }));
  return (
    <Shown of={found}>
      {({ items, after, searchedBackTo }) => (
        <>
          <DataTable
            caption="Calls"
            heads={heads}
            rows={items}
            keyOf={({ id }) => id}
            empty={emptyText(searchedBackTo === null)}
          />
          {searchedBackTo !== null && (
            <p>
              Searched back to <When at={searchedBackTo} />.
            </p>
          )}
          {query.after !== undefined && (
            <p>
              <a href={withQuery('/console/calls', filter)}>Newest calls</a>
            </p>
          )}
          {after !== null && (
            <p>
              <a href={withQuery('/console/calls', { ...filter, after })}>
                {searchedBackTo === null ? 'Older calls' : 'Search on'}
              </a>
            </p>
          )}
        </>
      )}
    </Shown>
  );
}

function emptyText(isWhole: boolean): string {
  return isWhole
    ? 'No call is like this. Calls appear here when they have ended.'
    : 'Nothing was found so far.';
}

const heads: readonly Head<FoundCall>[] = [
  {
    head: 'Call',
    cell: ({ id }) => (
      <a href={`/console/calls/${id}`}>
        <code>{id}</code>
      </a>
    ),
  },
  { head: 'Started', cell: ({ startedAt }) => <When at={startedAt} /> },
  { head: 'App', cell: ({ app }) => app },
  { head: 'User', cell: ({ userId }) => userId ?? '–' },
  { head: 'Model', cell: ({ model }) => model },
  { head: 'Code', cell: ({ code }) => <code>{code}</code> },
  { head: 'Cost', isNumber: true, cell: ({ costUsd }) => <Usd of={costUsd} /> },
  { head: 'Basis', cell: ({ basis }) => basis },
];
