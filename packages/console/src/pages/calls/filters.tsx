import type { AppsPage, CallStats, ModelsPage } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { useIsRead, useRead } from '../../data/read.ts';
import { useMay } from '../../data/session.ts';
import { Icon } from '../../parts/icon.tsx';
import { type Option, Picker } from '../../parts/picker.tsx';
import { Segments } from '../../parts/segments.tsx';
import { statusText } from '../../parts/status.tsx';
import { type Change, type Query, times, timeText } from './filter.ts';

interface FiltersProps {
  readonly query: Query;
  readonly stats: CallStats | undefined;
  readonly change: Change;
}

const views = [
  ['', 'Newest'],
  ['cost', 'Most expensive'],
  ['failed', 'Failed'],
] as const;

/** Saved views, and a picker for each filter. */
export function Filters(props: FiltersProps) {
  const { query, change } = props;
  return (
    <search class="filters" aria-label="Filters">
      <Segments
        label="View"
        value={query.failed === 'true' ? 'failed' : (query.order ?? '')}
        options={views}
        set={(view) =>
          change({
            order: view === 'cost' ? 'cost' : undefined,
            failed: view === 'failed' ? 'true' : undefined,
            code: view === 'failed' ? undefined : query.code,
          })
        }
      />
      <TimePicker query={query} change={change} />
      <Pickers {...props} />
    </search>
  );
}

function TimePicker({ query, change }: Pick<FiltersProps, 'query' | 'change'>) {
  const { since = '', until } = query;
  const own = { value: `${since}/${until ?? ''}`, text: timeText(query) ?? '' };
  const isNamed = until === undefined && times.some(([value]) => value === since);
  const options = times.map(([value, text]) => ({ value, text }));
  const chosen = since === '' && until === undefined ? [] : [isNamed ? since : own.value];
  return (
    <Picker
      label="Time"
      none="any"
      isOpen
      options={isNamed || chosen.length === 0 ? options : [own, ...options]}
      chosen={chosen}
      set={([value]) => change({ since: value, until: undefined })}
    />
  );
}

function Pickers({ query, stats, change }: FiltersProps) {
  // The calls are read first.
  const isRead = useIsRead();
  const apps = useRead<AppsPage>(isRead ? '/apps?limit=200' : undefined);
  const models = useRead<ModelsPage>(isRead ? '/models?limit=200' : undefined);
  const maySeeUsers = useMay('users');
  const platforms = models.data?.items.map(({ platform }) => platform) ?? [];
  const optionsOf: Readonly<Record<Field, readonly Option[]>> = {
    app: counted(
      stats?.byApp,
      apps.data?.items.map(({ name }) => name),
    ),
    model: counted(
      stats?.byModel,
      models.data?.items.map(({ id }) => id),
    ),
    code: codes.map((value) => ({ value, text: codeText(value) })),
    platform: [...new Set(platforms)].toSorted().map((value) => ({ value })),
    user: [],
    key: [],
    minUsd: ['0.01', '0.1', '1', '10'].map((value) => ({ value, text: `at least $${value}` })),
    estimated: [{ value: 'true', text: 'estimated' }],
  };
  const [isWhole, setWhole] = useState(false);
  const shown = fields.filter(
    ([name, , , isRare]) =>
      (maySeeUsers || name !== 'user') && (isRare !== true || isWhole || query[name] !== undefined),
  );
  return (
    <>
      {shown.map(([name, label, none]) => (
        <Picker
          key={name}
          {...{ label, none }}
          isOpen={name !== 'estimated'}
          options={optionsOf[name]}
          chosen={query[name] === undefined ? [] : [query[name]]}
          set={([value]) => change({ [name]: value })}
        />
      ))}
      {!isWhole && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          <Icon of="add" />
          Filter
        </button>
      )}
    </>
  );
}

/** Rare fields appear on request, or when set. */
const fields: readonly (readonly [name: Field, label: string, none: string, isRare?: true])[] = [
  ['app', 'App', 'all'],
  ['model', 'Model', 'all'],
  ['code', 'Status', 'all'],
  ['user', 'User', 'any'],
  ['key', 'Key', 'any'],
  ['platform', 'Platform', 'all', true],
  ['minUsd', 'Cost', 'any', true],
  ['estimated', 'Basis', 'any', true],
];
type Field = 'app' | 'model' | 'code' | 'platform' | 'user' | 'key' | 'minUsd' | 'estimated';

const codes = [
  ...['OK', 'TIMEOUT', 'THROTTLED', 'ABORTED', 'TRUNCATED', 'BAD_OUTPUT', 'SERVER', 'AUTH'],
  ...['BAD_REQUEST', 'INTERNAL', 'LOST'],
];

function codeText(code: string): string {
  const text = statusText(code);
  return text === code ? code : `${text} (${code})`;
}

/** Names with calls first, most calls on top. */
function counted(groups: CallStats['byApp'] = [], names: readonly string[] = []): Option[] {
  const known = new Set(groups.map(({ name }) => name));
  return [
    ...groups.map(({ name, calls }) => ({ value: name, count: calls })),
    ...names.filter((name) => !known.has(name)).map((value) => ({ value })),
  ];
}
