import type { ModelsCheck } from '@model-gateway/server/operations/documents';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Name } from '../../parts/values.tsx';

interface Finding {
  readonly tone: Tone;
  readonly kind: string;
  readonly id: string;
  readonly platform: string;
  readonly text: string;
}

const columns: readonly Column<Finding>[] = [
  { id: 'model', head: 'Model', narrow: 1, cell: ({ id }) => <Name of={id} /> },
  {
    ...{ id: 'finding', head: 'Finding', narrow: 5 },
    cell: ({ tone, kind }) => <Badge tone={tone}>{kind}</Badge>,
  },
  { id: 'platform', head: 'Platform', narrow: 2, cell: ({ platform }) => <Name of={platform} /> },
  {
    ...{ id: 'text', head: 'Detail', isFill: true, narrow: 3 },
    cell: ({ text }) => (
      <span class="cut" title={text}>
        {text}
      </span>
    ),
  },
];

/** The same rows as the output of `models check`. */
export function CheckedPrices({ of }: { readonly of: ModelsCheck }) {
  const { length } = of.withoutSource;
  return (
    <div class="gap">
      <Card
        title="Price list check"
        id="check"
        isFlush={true}
        footer={
          length > 0 && (
            <span>
              {length} {length === 1 ? 'price has' : 'prices have'} no source.
            </span>
          )
        }
      >
        <Table
          caption="Findings in the price list"
          columns={columns}
          rows={findingsOf(of)}
          keyOf={({ kind, id, platform }) => `${kind} ${id} ${platform}`}
          empty={
            <Empty icon="done" title="No findings">
              <p>Every price is current and matches the built-in price list.</p>
            </Empty>
          }
        />
      </Card>
    </div>
  );
}

export function findingsOf(check: ModelsCheck): readonly Finding[] {
  const { unpriced, retired = [], retiring = [], stale = [], mismatched = [] } = check;
  return [
    ...unpriced.map((one) =>
      createFinding(one, 'warn', 'No price', `Used by ${one.apps.join(', ')}`),
    ),
    ...retired.map((one) =>
      createFinding(one, 'bad', 'Retired', `Retired by its vendor on ${one.retires}`),
    ),
    ...retiring.map((one) =>
      createFinding(one, 'warn', 'Retires soon', `Retires on ${one.retires}`),
    ),
    ...mismatched.map((one) => createFinding(one, 'warn', 'Differs from built-in', differing(one))),
    ...(check.withoutTier ?? []).map((one) =>
      createFinding(one, 'warn', 'No price for tier', `${one.tier}; calls use the standard tier`),
    ),
    ...stale.map((one) =>
      createFinding(one, 'plain', 'Old price', `Read on ${one.readOn}, more than 180 days ago`),
    ),
  ];
}

function createFinding(
  { id, platform }: { readonly id: string; readonly platform: string },
  ...[tone, kind, text]: [Tone, string, string]
): Finding {
  return { id, platform, tone, kind, text };
}

type Differing = NonNullable<ModelsCheck['mismatched']>[number];

function differing({ price, shipped }: Differing): string {
  const rates = rateNames.flatMap(([key, name]) => {
    const [own = 'none', other = 'none'] = [price[key], shipped.price[key]];
    return own === other ? [] : [`${name} $${own} (built-in: $${other})`];
  });
  return rates.join(', ').replaceAll('$none', 'none') || 'Different input price steps';
}

const rateNames = [
  ['inputUsdPerMillion', 'input'],
  ['cachedInputUsdPerMillion', 'cached'],
  ['cacheWriteInputUsdPerMillion', 'cache write'],
  ['cacheWrite1hInputUsdPerMillion', '1-hour cache write'],
  ['outputUsdPerMillion', 'output'],
  ['imageInputUsdPerMillion', 'image input'],
  ['audioInputUsdPerMillion', 'audio input'],
  ['reasoningUsdPerMillion', 'reasoning'],
  ['imageOutputUsdPerMillion', 'image output'],
  ['audioOutputUsdPerMillion', 'audio output'],
] as const;
