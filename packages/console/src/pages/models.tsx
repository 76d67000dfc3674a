import type {
  AppsPage,
  ModelDocument,
  ModelsPage,
  Spend,
} from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { dayAfter, dayOf } from '../data/days.ts';
import { useRead } from '../data/read.ts';
import { withQuery } from '../data/with-query.ts';
import { DataTable, type Head } from '../parts/data-table.tsx';
import { CheckField } from '../parts/fields.tsx';
import { Long } from '../parts/long.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ReadFailure, Shown } from '../parts/shown.tsx';
import { Usd } from '../parts/values.tsx';
import { ModelsChecked } from './models-check.tsx';

export function ModelsView() {
  const models = useRead<ModelsPage>('/models');
  const apps = useRead<AppsPage>('/apps');
  const [isAll, setIsAll] = useState(false);
  const today = dayOf(Date.now());
  const range = { from: dayAfter(today, -29), to: today };
  const spend = useRead<Spend>(withQuery('/spend', { ...range, by: 'model' }));
  const costs = new Map(spend.data?.rows.map(({ names, sums }) => [names[0] ?? '', sums.costUsd]));
  const calls = (model: string) =>
    withQuery('/console/calls', { model, since: `${range.from}T00:00:00Z` });
  const columns: readonly Head<ModelDocument>[] = [
    {
      head: 'Model',
      cell: ({ id }) => (
        <Long>
          <a href={calls(id)}>{id}</a>
        </Long>
      ),
    },
    { head: 'Platform', cell: placeOf },
    ...priceHeads,
    { head: 'Source', cell: sourceOf },
    { head: 'Used by', cell: ({ id }) => userText(id, apps.data?.items) },
    { head: '30 days', isNumber: true, cell: ({ id }) => <Usd of={costs.get(id) ?? null} /> },
  ];
  return (
    <>
      <PageHead title="Models" note="USD per million tokens; the configuration file sets them" />
      <ModelsChecked />
      <ReadFailure of={apps} />
      <ReadFailure of={spend} />
      <Shown of={models}>
        {({ items }) => (
          <>
            {items.some(isForTests) && (
              <CheckField label="Show models that play failures" value={isAll} set={setIsAll} />
            )}
            <DataTable
              caption="Models"
              heads={columns}
              rows={isAll ? items : items.filter((model) => !isForTests(model))}
              keyOf={({ id, platform }) => `${id} ${platform}`}
              empty="No model. Those that the configuration names or a platform offers are here."
            />
          </>
        )}
      </Shown>
    </>
  );
}

function isForTests(model: ModelDocument): boolean {
  return model.isForTests === true;
}

const priceHeads: readonly Head<ModelDocument>[] = [
  {
    ...{ head: 'Input', isNumber: true },
    cell: ({ price }) => (price === null ? <strong>no price</strong> : price.inputUsdPerMillion),
  },
  {
    ...{ head: 'Cached', isNumber: true },
    cell: ({ price }) => price?.cachedInputUsdPerMillion ?? '–',
  },
  {
    ...{ head: 'Cache write', isNumber: true },
    cell: ({ price }) => price?.cacheWriteInputUsdPerMillion ?? '–',
  },
  { head: 'Output', isNumber: true, cell: ({ price }) => price?.outputUsdPerMillion ?? '–' },
];

function placeOf({ platform, upstreamModel, route }: ModelDocument): string {
  return route === undefined ? `${platform}: ${upstreamModel}` : `in order: ${route.join(', ')}`;
}

function sourceOf({ source }: ModelDocument) {
  if (source === null) return '–';
  if (!source.startsWith('https://')) return source;
  return (
    <Long>
      <a href={source} target="_blank" rel="noreferrer">
        {new URL(source).host}
      </a>
    </Long>
  );
}

function userText(model: string, apps: AppsPage['items'] | undefined): string {
  if (apps === undefined) return '–';
  const may = apps.filter(({ models }) => models === null || models.includes(model));
  return may.length === apps.length ? 'all apps' : may.map(({ name }) => name).join(', ') || 'none';
}
