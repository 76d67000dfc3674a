import type { DearestCalls } from '@model-gateway/server/operations/documents';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { ReadFailure } from '../../parts/shown.tsx';
import { Usd } from '../../parts/values.tsx';
import { Unsearched } from '../unsearched.tsx';
import { type Asked, rangeOf } from './asked.ts';

export function DearestCall({ asked }: { readonly asked: Asked }) {
  const range = rangeOf(asked);
  const read = useRead<DearestCalls>(withQuery('/dearest-calls', { ...range, limit: '1' }));
  const { data } = read;
  const [call] = data?.items ?? [];
  if (data === undefined || call === undefined) return <ReadFailure of={read} />;
  return (
    <p>
      <a href={`/console/calls/${call.id}`}>
        Dearest call <Usd of={call.costUsd} />
      </a>{' '}
      · {call.app} · {call.model} ·{' '}
      <a href={withQuery('/console/calls', { ...range, order: 'cost' })}>the dearest calls</a>
      <Unsearched of={data.unsearched} />
    </p>
  );
}
