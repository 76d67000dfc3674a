import { useLocation } from 'preact-iso';
import { withQuery } from '../../data/with-query.ts';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { KeyTable } from './key-table.tsx';

export function KeysView() {
  const { query, route } = useLocation();
  const { find = '', state = '' } = query;
  const set = (name: string) => (value: string) =>
    route(withQuery('/console/keys', { ...query, [name]: value }), true);
  return (
    <>
      <PageHead title="Keys" note="A key is issued on the page of its app" />
      <search class="filters">
        <TextField label="Id, app or person" value={find} set={set('find')} />
        <ChoiceField
          label="State"
          value={state}
          options={[
            ['', 'all'],
            ['works', 'works'],
            ['disabled', 'disabled'],
          ]}
          set={set('state')}
        />
      </search>
      <KeyTable
        path="/keys"
        wanted={({ id, app = '', customerId, enabled }) =>
          [id, app, customerId].some((text) => text.includes(find)) &&
          (state === '' || enabled === (state === 'works'))
        }
      />
    </>
  );
}
