import type { LineDocument, LinesPage } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { Card } from '../../parts/card.tsx';
import { changesText } from '../../parts/changed.tsx';
import type { Column } from '../../parts/column.ts';
import { Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Name, When } from '../../parts/values.tsx';
import { deedOf, pageOf } from '../../text/audit-words.ts';
import { LineDrawer } from './line-drawer.tsx';

export function AuditLines({ filter }: { readonly filter: Readonly<Record<string, string>> }) {
  const { path, query, route } = useLocation();
  const { after, line } = query;
  const read = useRead<LinesPage>(withQuery('/audit-log', { ...filter, after }));
  const to = (other: Readonly<Record<string, string | undefined>>) =>
    withQuery(path, { ...query, ...other });
  const opened = read.data?.items.find(({ id }) => id === line);
  return (
    <Shown of={read}>
      {({ items, after: next }) => (
        <Card
          title="Changes"
          isFlush
          footer={
            <nav class="row" aria-label="Pages of changes">
              {after !== undefined && (
                <a class="button small" href={to({ after: undefined, line: undefined })}>
                  Newest
                </a>
              )}
              {next !== null && (
                <a class="button small" href={to({ after: next, line: undefined })}>
                  Older
                </a>
              )}
            </nav>
          }
        >
          <Table
            caption="Audit log"
            columns={columns(to)}
            rows={items}
            keyOf={({ id }) => id}
            selected={line}
            empty={
              <Empty icon="activity" title="No changes">
                <p>Every change appears here with its actor, time and reason.</p>
              </Empty>
            }
          />
          {opened !== undefined && (
            <LineDrawer line={opened} onClose={() => route(to({ line: undefined }), true)} />
          )}
        </Card>
      )}
    </Shown>
  );
}

type To = (other: Readonly<Record<string, string>>) => string;

const columns = (to: To): readonly Column<LineDocument>[] => [
  {
    ...{ id: 'change', head: 'Change', isFill: true, narrow: 1 },
    cell: (line) => <Sentence of={line} />,
  },
  {
    ...{ id: 'reason', head: 'Reason' },
    cell: ({ reason, reference }) => {
      const text = [reason, reference].filter(Boolean).join(' · ');
      return (
        <span class="cut" title={text}>
          {text || '–'}
        </span>
      );
    },
  },
  {
    ...{ id: 'who', head: 'Actor', narrow: 3 },
    cell: ({ actor }) => (
      <span class="cut" title={actor}>
        {actor}
      </span>
    ),
  },
  {
    ...{ id: 'at', head: 'Time (UTC)', narrow: 5 },
    cell: ({ id, at }) => (
      <a href={to({ line: id })}>
        <When at={at} isBare />
        <span class="narrow"> UTC</span>
      </a>
    ),
  },
];

function Sentence({ of }: { readonly of: LineDocument }) {
  const { action, subject } = of;
  const page = pageOf(action, subject);
  const changed = changesText(of);
  return (
    <>
      <span class="cut" title={`${deedOf(action)} ${subject}`}>
        {deedOf(action)}{' '}
        {page === undefined ? (
          <Name of={subject} />
        ) : (
          <a class="go" href={page}>
            <Name of={subject} />
          </a>
        )}
      </span>
      {changed !== '' && (
        <span class="cut note" title={changed}>
          {changed}
        </span>
      )}
    </>
  );
}
