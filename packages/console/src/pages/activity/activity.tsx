import type { LinesPage } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { SearchField } from '../../parts/fields.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Picker } from '../../parts/picker.tsx';
import { Segments } from '../../parts/segments.tsx';
import { actions, actionText } from '../../text/audit-words.ts';
import { AuditLines } from './activity-lines.tsx';

const filters = ['actor', 'action', 'subject', 'app', 'since'] as const;

const ranges = [
  ['', 'All'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;

export function ActivityView() {
  const { query, route } = useLocation();
  const filter = Object.fromEntries(filters.map((name) => [name, query[name] ?? '']));
  const { items = [] } = useRead<LinesPage>(withQuery('/audit-log', filter)).data ?? {};
  const set = (name: string) => (value: string | undefined) =>
    route(withQuery('/console/activity', { ...filter, [name]: value }), true);
  const chosen = (name: string) => (query[name] === undefined ? [] : [query[name]]);
  const names = new Set(items.map(({ actor }) => actor.split(' (', 1)[0] ?? actor));
  const seen = items.map(({ action }) => action);
  return (
    <>
      <PageHead
        title="Activity"
        note="Every change, with its actor, reason, and values before and after"
      />
      <search class="filters">
        <Segments label="Time" value={query.since ?? ''} options={ranges} set={set('since')} />
        <Picker
          label="Actor"
          none="anyone"
          options={[...names].map((value) => ({ value }))}
          chosen={chosen('actor')}
          set={([one]) => set('actor')(one)}
          isOpen
        />
        <Picker
          label="Action"
          none="any"
          options={[...new Set([...seen, ...actions])].map((value) => {
            return { value, text: actionText(value) };
          })}
          chosen={chosen('action')}
          set={([one]) => set('action')(one)}
        />
        <SearchField
          label="App, key, call or wallet"
          value={query.subject ?? ''}
          set={set('subject')}
        />
      </search>
      <AuditLines filter={filter} />
    </>
  );
}
