import type { Overview } from '@model-gateway/server/operations/documents';
import { withQuery } from '../../data/with-query.ts';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { colorsOf, others, seriesMax } from '../../parts/series.ts';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Name, Usd } from '../../parts/values.tsx';
import { shareOf, shownParts, sumUsd } from '../../text/money.ts';
import { callsToday } from './links.ts';

interface ModelRow {
  readonly name: string;
  readonly usd: string;
  readonly shown: string | undefined;
}

/** The models that cost most today, and the rest as one. */
export function ModelsCard({ of }: { readonly of: Overview }) {
  const { rows, total } = modelRows(of);
  const colors = colorsOf(rows.map(({ name }) => name));
  const columns: readonly Column<ModelRow>[] = [
    {
      ...{ id: 'model', head: 'Model', narrow: 1, isFill: true },
      cell: ({ name }) => (
        <span class="key">
          <span class={`swatch ${colors.get(name)}`} />
          {name === others ? (
            'Other models'
          ) : (
            <a class="go cut" title={name} href={callsToday(of.day, { model: name })}>
              <Name of={name} />
            </a>
          )}
        </span>
      ),
    },
    {
      ...{ id: 'spend', head: 'Spend', isNumber: true, narrow: 2 },
      cell: ({ usd, shown }) => <Usd of={usd} shown={shown} />,
      total: <Usd of={total} />,
    },
    {
      ...{ id: 'share', head: 'Share', isNumber: true, narrow: 4 },
      cell: ({ usd }) => shareOf(usd, total),
      total: shareOf(total, total),
    },
  ];
  return (
    <Card
      title="By model"
      span={4}
      isFlush
      aside={
        <a
          class="note"
          href={withQuery('/console/spend', { range: 'day', by: 'model' })}
          aria-label="All models today"
        >
          All models
        </a>
      }
    >
      <Table
        caption="Spend by model today"
        {...{ columns, rows }}
        totalLabel="Total"
        keyOf={({ name }) => name}
        empty={
          <Empty icon="model" title="No calls yet today">
            <p>Models appear here after their first call of the day.</p>
          </Empty>
        }
      />
    </Card>
  );
}

function modelRows({ models, otherModels }: Overview) {
  const named = models.slice(0, models.length > seriesMax + 1 ? seriesMax : models.length);
  const rest = [
    ...models.slice(named.length).map(({ spentUsd }) => spentUsd),
    ...(otherModels === null ? [] : [otherModels.spentUsd]),
  ];
  const parts = [
    ...named.map(({ model, spentUsd }) => ({ name: model, usd: spentUsd })),
    ...(rest.length === 0 ? [] : [{ name: others, usd: sumUsd(rest) }]),
  ];
  const total = sumUsd(parts.map(({ usd }) => usd));
  const shown = shownParts(parts, total);
  return { rows: parts.map((part, at) => ({ ...part, shown: shown[at] })), total };
}
