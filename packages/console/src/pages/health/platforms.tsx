import type { Health } from '@model-gateway/server/operations/documents';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Count, Name, When } from '../../parts/values.tsx';

type Platform = Health['platforms'][number];

const platformColumns: readonly Column<Platform>[] = [
  { id: 'name', head: 'Platform', narrow: 1, cell: ({ name }) => <Name of={name} /> },
  {
    ...{ id: 'state', head: 'State', isFill: true, narrow: 5 },
    cell: ({ state, problem }) => (
      <span class="cut" title={problem ?? state}>
        <Badge tone={problem === null ? 'good' : 'bad'}>{state}</Badge>
        {problem !== null && ` ${problem}`}
      </span>
    ),
  },
  {
    ...{ id: 'retries', head: 'Retries', isNumber: true, narrow: 3 },
    cell: ({ retries, retriesDenied }) => (
      <>
        <Count of={retries} />
        <span class="narrow"> retries</span>
        {retriesDenied > 0 && (
          <span class="note">
            , <Count of={retriesDenied} /> denied
          </span>
        )}
      </>
    ),
  },
  {
    ...{ id: 'circuits', head: 'Circuits opened', isNumber: true },
    cell: ({ circuitsOpened }) => <Count of={circuitsOpened} />,
  },
  {
    ...{ id: 'refused', head: 'Attempts rejected', isNumber: true, narrow: 2 },
    cell: ({ attemptsRefused }) => (
      <>
        <Count of={attemptsRefused} />
        <span class="narrow"> rejected</span>
      </>
    ),
  },
];

export function Platforms({ platforms }: Pick<Health, 'platforms'>) {
  return (
    <Card title="Platforms" isFlush={true}>
      <Table
        caption="State of each platform"
        columns={platformColumns}
        rows={platforms}
        keyOf={({ name }) => name}
        empty={
          <Empty icon="model" title="No platforms">
            <p>Add one to the configuration file, under platforms.</p>
          </Empty>
        }
      />
    </Card>
  );
}

type Circuit = Health['circuits'][number];

const circuitTones: Readonly<Record<Circuit['state'], Tone>> = {
  ...{ open: 'bad', probing: 'warn', closed: 'good' },
};

const circuitColumns: readonly Column<Circuit>[] = [
  {
    ...{ id: 'model', head: 'Model', narrow: 1 },
    cell: ({ model }) => <Name of={model} />,
  },
  { id: 'platform', head: 'Platform', narrow: 3, cell: ({ platform }) => <Name of={platform} /> },
  {
    ...{ id: 'state', head: 'Circuit', narrow: 2 },
    cell: ({ state }) => <Badge tone={circuitTones[state]}>{state}</Badge>,
  },
  { id: 'since', head: 'Since', narrow: 4, cell: ({ since }) => <When at={since} /> },
];

/** Open circuits come first. */
export function Circuits({ circuits }: Pick<Health, 'circuits'>) {
  const isClosed = ({ state }: Circuit) => state === 'closed';
  return (
    <Card title="Circuits of this process" isFlush={true}>
      <Table
        caption="Circuits"
        columns={circuitColumns}
        rows={[...circuits.filter((one) => !isClosed(one)), ...circuits.filter(isClosed)]}
        keyOf={({ model, platform }) => `${model} ${platform}`}
        isLong={true}
        empty={
          <Empty icon="health" title="No circuits yet">
            <p>
              A circuit appears after a model’s first call and opens when the model fails too often.
            </p>
          </Empty>
        }
      />
    </Card>
  );
}
