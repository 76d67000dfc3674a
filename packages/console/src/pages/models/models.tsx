import type {
  AppsPage,
  ModelDocument,
  ModelsCheck,
  ModelsPage,
  Spend,
} from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { dayAfter, dayOf } from '../../data/days.ts';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { Card } from '../../parts/card.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Picker } from '../../parts/picker.tsx';
import { ReadFailure, Shown } from '../../parts/shown.tsx';
import { Stat, Stats } from '../../parts/stat.tsx';
import { Alert, Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { sorted, useSort } from '../../parts/use-sort.ts';
import { Count, Usd } from '../../parts/values.tsx';
import { shownParts, sumUsd } from '../../text/money.ts';
import { CheckedPrices, findingsOf } from './check.tsx';
import { type Listed, modelColumns } from './columns.tsx';

export function ModelsView() {
  const models = useRead<ModelsPage>('/models');
  const apps = useRead<AppsPage>('/apps');
  const check = useRead<ModelsCheck>('/models/check');
  const today = dayOf(Date.now());
  const range = { from: dayAfter(today, -29), to: today };
  const spend = useRead<Spend>(withQuery('/spend', { ...range, by: 'model' }));
  return (
    <>
      <PageHead
        title="Models"
        note="Prices in USD per million tokens, from the catalog and the configuration file"
      />
      <ReadFailure of={apps} />
      <ReadFailure of={spend} />
      <ReadFailure of={check} />
      <Shown of={models} after={[apps, spend, check]}>
        {({ items }) => {
          const rows = listedOf(items, { apps: apps.data?.items, spend: spend.data });
          return (
            <>
              <Summary rows={rows} check={check.data} range={range} />
              {check.data !== undefined && <Unpriced models={check.data.unpriced} />}
              <ModelTable rows={rows} since={`${range.from}T00:00:00Z`} />
              {check.data !== undefined && <CheckedPrices of={check.data} />}
            </>
          );
        }}
      </Shown>
    </>
  );
}

interface ModelSources {
  readonly apps: AppsPage['items'] | undefined;
  readonly spend: Spend | undefined;
}

function listedOf(
  items: readonly ModelDocument[],
  { apps, spend }: ModelSources,
): readonly Listed[] {
  const costs = new Map(spend?.rows.map(({ names, sums }) => [names[0] ?? '', sums.costUsd]));
  return items.map((model) => {
    const may = apps?.filter(({ models }) => models === null || models.includes(model.id));
    return {
      ...{ model, costUsd: costs.get(model.id) ?? '0' },
      isForAll: may !== undefined && may.length === apps?.length,
      users: may?.map(({ name }) => name),
    };
  });
}

interface SummaryProps {
  readonly rows: readonly Listed[];
  readonly check: ModelsCheck | undefined;
  readonly range: { readonly from: string; readonly to: string };
}

function Summary({ rows, check, range }: SummaryProps) {
  const platforms = new Set(rows.map(({ model }) => model.platform)).size;
  const findings = check === undefined ? undefined : findingsOf(check).length;
  return (
    <Stats>
      <Stat
        label="Models"
        figure={<Count of={rows.length} />}
        note={`on ${platforms} ${platforms === 1 ? 'platform' : 'platforms'}`}
      />
      <Stat
        label="Without a price"
        figure={<Count of={check?.unpriced.length} />}
        note="callable models"
      />
      <Stat
        label="Findings"
        figure={<Count of={findings} />}
        note="in the price list"
        href="#check"
      />
      <Stat
        label="Cost, 30 days"
        figure={<Usd of={sumUsd(rows.map(({ costUsd }) => costUsd))} />}
        note="of the listed models"
        href={withQuery('/console/spend', { ...range, by: 'model' })}
      />
    </Stats>
  );
}

function Unpriced({ models }: { readonly models: ModelsCheck['unpriced'] }) {
  if (models.length === 0) return null;
  const one = models.length === 1;
  return (
    <Alert tone="warn">
      <b>
        {models.length} callable {one ? 'model has' : 'models have'} no price.
      </b>
      <span>
        <code>model-gateway models import</code> suggests prices to paste into the configuration
        file.
      </span>
    </Alert>
  );
}

interface TableProps {
  readonly rows: readonly Listed[];
  readonly since: string;
}

/** Models without a price come first, in any order. */
function ModelTable({ rows, since }: TableProps) {
  const { path, query, route } = useLocation();
  const sort = useSort('-cost');
  const change = (next: Readonly<Record<string, string | undefined>>) =>
    route(withQuery(path, { ...query, ...next }), true);
  const hasTests = rows.some(({ model }) => model.isForTests === true);
  const chosen = rows.filter(
    ({ model: { platform, isForTests } }) =>
      (query.platform === undefined || platform === query.platform) &&
      (isForTests !== true || query.tests === 'true'),
  );
  const total = sumUsd(chosen.map(({ costUsd }) => costUsd));
  const shown = shownParts(
    chosen.map(({ model: { id, platform }, costUsd: usd }) => ({ name: `${id} ${platform}`, usd })),
    total,
  );
  const columns = modelColumns({
    ...{ since, total },
    costs: new Map(chosen.map((row, at) => [row, shown[at] ?? ''])),
  });
  const ordered = sorted(chosen, columns, sort);
  const isFirst = ({ model }: Listed) => !model.priced;
  const platforms = [...new Set(rows.map(({ model }) => model.platform))].sort();
  return (
    <>
      {(platforms.length > 1 || hasTests) && (
        <search class="filters gap">
          <Picker
            label="Platform"
            options={platforms.map((value) => ({ value }))}
            chosen={query.platform === undefined ? [] : [query.platform]}
            set={([platform]) => change({ platform })}
          />
          {hasTests && (
            <button
              type="button"
              class={query.tests === 'true' ? 'picker set' : 'picker'}
              aria-pressed={query.tests === 'true'}
              onClick={() => change({ tests: query.tests === 'true' ? undefined : 'true' })}
            >
              Show test models
            </button>
          )}
        </search>
      )}
      <Card title="Prices" isFlush={true}>
        <Table
          caption="Models"
          columns={columns}
          rows={[...ordered.filter(isFirst), ...ordered.filter((row) => !isFirst(row))]}
          keyOf={({ model: { id, platform } }) => `${id} ${platform}`}
          sort={sort}
          totalLabel="Total"
          isLong={true}
          empty={
            <Empty icon="model" title="No models">
              <p>Add models or a platform to the configuration file.</p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
