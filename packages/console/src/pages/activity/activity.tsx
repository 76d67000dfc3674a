import { useLocation } from 'preact-iso';
import { withQuery } from '../../data/with-query.ts';
import { TextField } from '../../parts/fields.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { AuditLines } from './activity-lines.tsx';

const filters = [
  ['actor', 'Who'],
  ['action', 'Did'],
  ['subject', 'To'],
  ['since', 'Since'],
] as const;

export function ActivityView() {
  const { query, route } = useLocation();
  const asked = Object.fromEntries(filters.map(([name]) => [name, query[name] ?? '']));
  return (
    <>
      <PageHead title="Activity" note="The audit log" />
      <search class="filters">
        {filters.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            value={asked[name] ?? ''}
            set={(value) =>
              route(withQuery('/console/activity', { ...asked, [name]: value }), true)
            }
          />
        ))}
      </search>
      <AuditLines key={JSON.stringify(asked)} asked={asked} />
    </>
  );
}
