import type { KeyCounts, KeysPage } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { useMay } from '../../data/session.ts';
import { withQuery } from '../../data/with-query.ts';
import { SearchField } from '../../parts/fields.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Picker } from '../../parts/picker.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Shown } from '../../parts/shown.tsx';
import { IssueKey } from './issue-key.tsx';
import { KeyRows, pageRows } from './key-table.tsx';
import { OpenRotations } from './open-rotations.tsx';

/** 50 a page; the address has the filters, the order and the cursor. */
export function KeysView() {
  const { find, state, app, contact, used, sort, after } = useLocation().query;
  const filter = { limit: pageRows, find, state, app, contact, used, sort, after };
  const read = useRead<KeysPage>(withQuery('/keys', filter));
  const counts = useRead<KeyCounts>('/key-counts');
  const mayKeys = useMay('keys');
  const again = () => {
    read.again();
    counts.again();
  };
  return (
    <>
      <PageHead
        title="Keys"
        note="API keys of your apps. The secret of a key is shown only once, when you issue it."
      >
        {mayKeys && <IssueKey onChanged={again} />}
      </PageHead>
      <Shown of={counts}>
        {(shown) => (
          <>
            <OpenRotations of={shown.openRotations} />
            <Filters counts={shown} />
            <KeyRows read={read} again={again} />
          </>
        )}
      </Shown>
    </>
  );
}

const states = [
  ['', 'All', 'all'],
  ['used', 'In use', 'used'],
  ['rotating', 'Rotating', 'rotating'],
  ['disabled', 'Disabled', 'disabled'],
] as const;

const uses = [
  { value: 'hour', text: 'in the last hour' },
  { value: 'day', text: 'in the last 24 hours' },
  { value: 'idle', text: 'not in the last 30 days' },
  { value: 'never', text: 'never' },
];

function Filters({ counts }: { readonly counts: KeyCounts }) {
  const { query, route } = useLocation();
  const set = (name: string) => (value: string | undefined) =>
    route(withQuery('/console/keys', { ...query, after: undefined, [name]: value }), true);
  const picking = (name: string) => ({
    chosen: query[name] === undefined ? [] : [query[name]],
    set: ([one]: readonly string[]) => set(name)(one),
  });
  return (
    <search class="filters">
      <Segments
        label="State"
        value={query.state ?? ''}
        options={states.map(
          ([state, text, group]) =>
            [state, `${text} ${counts.states[group].toLocaleString('en')}`] as const,
        )}
        set={set('state')}
      />
      <SearchField label="Id, note or contact" value={query.find ?? ''} set={set('find')} />
      <Picker label="App" options={counts.apps} {...picking('app')} />
      <Picker label="Contact" none="any" options={counts.contacts} {...picking('contact')} />
      <Picker label="Last used" none="any" options={uses} {...picking('used')} />
    </search>
  );
}
