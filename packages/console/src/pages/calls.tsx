import type { CallsPage as Found, FoundCall } from '@model-gateway/server/console/documents';
import { useLocation } from 'preact-iso';
import { useRead } from '../data/read.ts';
import { withQuery } from '../data/with-query.ts';
import { en } from '../en.ts';
import { DataTable, type Head } from '../parts/data-table.tsx';
import { CheckField, TextField } from '../parts/fields.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Shown } from '../parts/shown.tsx';
import { Usd, When } from '../parts/values.tsx';

/** What calls are found by, as the URL and the API name it. */
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

/** Finished calls, the newest first: 50 a page, by what the URL says. */
export function CallsPage() {
  const { query, route } = useLocation();
  const { after: _after, ...filter } = query;
  const found = useRead<Found>(withQuery('/calls', { ...query, limit: '50' }));
  const set = (name: string) => (value: string) =>
    route(withQuery('/console/calls', { ...filter, [name]: value }));
  return (
    <>
      <PageHead title={en.pages.calls} note="The newest first; no prompt and no answer is kept" />
      <search class="filters">
        {texts.map(([name, label]) => (
          <TextField key={name} label={label} value={query[name] ?? ''} set={set(name)} />
        ))}
        <CheckField
          label="Estimated"
          value={query.estimated === 'true'}
          set={(isOnly) => set('estimated')(isOnly ? 'true' : '')}
        />
      </search>
      <Shown of={found}>
        {({ items, after, searchedBackTo }) => (
          <>
            <DataTable
              caption="Calls"
              heads={heads}
              rows={items}
              keyOf={({ id }) => id}
              empty={emptyText(searchedBackTo)}
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
    </>
  );
}

function emptyText(searchedBackTo: string | null): string {
  return searchedBackTo === null
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
