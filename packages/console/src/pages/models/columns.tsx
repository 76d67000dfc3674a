import type { ModelDocument } from '@model-gateway/server/operations/documents';
import { withQuery } from '../../data/with-query.ts';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/column.ts';
import { Day, ExactUsd, Name, Usd } from '../../parts/values.tsx';
import { picoOf } from '../../text/money.ts';

export interface Listed {
  readonly model: ModelDocument;
  readonly costUsd: string;
  readonly isForAll: boolean;
  /** The apps that may call it; undefined while they are unknown. */
  readonly users: readonly string[] | undefined;
}

interface ColumnParts {
  /** The shown text of each row's cost; these texts add up. */
  readonly costs: ReadonlyMap<Listed, string>;
  readonly total: string;
  readonly since: string;
}

type RateName = keyof NonNullable<ModelDocument['price']> & `${string}UsdPerMillion`;

export function modelColumns({ costs, total, since }: ColumnParts): readonly Column<Listed>[] {
  return [
    {
      ...{ id: 'model', head: 'Model', narrow: 1, value: ({ model }) => model.id },
      cell: ({ model: { id, priced } }) => (
        <>
          <a class="go" href={withQuery('/console/calls', { model: id, since })}>
            <Name of={id} />
          </a>
          {!priced && (
            <>
              {' '}
              <Badge tone="warn">No price</Badge>
            </>
          )}
        </>
      ),
    },
    {
      ...{ id: 'platform', head: 'Served by', narrow: 3 },
      value: ({ model }) => model.platform,
      cell: ({ model }) => <ModelTarget {...model} />,
    },
    rateColumn('input', 'Input', 'inputUsdPerMillion'),
    rateColumn('cached', 'Cached', 'cachedInputUsdPerMillion'),
    rateColumn('write', 'Cache write', 'cacheWriteInputUsdPerMillion'),
    {
      ...rateColumn('output', 'Output', 'outputUsdPerMillion'),
      narrow: 4,
      cell: ({ model: { price } }) => (
        <>
          {price !== null && (
            <span class="narrow">
              in <ExactUsd of={price.inputUsdPerMillion} />, out{' '}
            </span>
          )}
          <ExactUsd of={price?.outputUsdPerMillion} />
        </>
      ),
    },
    { id: 'source', head: 'Price source', cell: ({ model }) => <Source {...model} /> },
    {
      ...{ id: 'apps', head: 'Apps', value: ({ users }) => users?.length ?? 0 },
      cell: ({ isForAll, users }) => (
        <span title={users?.join(', ')}>{isForAll ? 'All' : (users?.length ?? '–')}</span>
      ),
    },
    {
      ...{ id: 'cost', head: 'Cost, 30 days', isNumber: true, narrow: 2 },
      value: ({ costUsd }) => picoOf(costUsd),
      cell: (row) => <Usd of={row.costUsd} shown={costs.get(row)} />,
      total: <Usd of={total} />,
    },
  ];
}

function rateColumn(id: string, head: string, name: RateName): Column<Listed> {
  const rateOf = ({ model: { price } }: Listed) => price?.[name];
  return {
    ...{ id, head, isNumber: true },
    value: (row) => picoOf(rateOf(row) ?? '0'),
    cell: (row) => <ExactUsd of={rateOf(row)} />,
  };
}

function ModelTarget({ id, platform, upstreamModel, route }: ModelDocument) {
  const text =
    route === undefined
      ? `${platform}${upstreamModel === id ? '' : `: ${upstreamModel}`}`
      : `in this order: ${route.join(', ')}`;
  return (
    <span class="cut" title={text}>
      {text}
    </span>
  );
}

function Source({ source, readOn }: ModelDocument) {
  if (source === null) return <>–</>;
  const isLink = source.startsWith('https://');
  return (
    <span class="cut" title={source}>
      {isLink ? (
        <a href={source} target="_blank" rel="noreferrer">
          {new URL(source).host}
        </a>
      ) : (
        source
      )}
      {readOn !== undefined && (
        <>
          , <Day of={readOn} />
        </>
      )}
    </span>
  );
}
