import type { MostExpensiveCalls } from '@model-gateway/server/operations/documents';
import { Usd, When } from '../../parts/values.tsx';

/** Days that the search left out at its time limit. */
export function Unsearched({ of }: { readonly of: MostExpensiveCalls['unsearched'] }) {
  if (of === null) return null;
  const { since, until, atMostUsd } = of;
  return (
    <span class="note">
      Not searched: calls{' '}
      {since !== null && (
        <>
          from <When at={since} />{' '}
        </>
      )}
      until <When at={until} />,{' '}
      {atMostUsd === null ? (
        'which might be more expensive'
      ) : (
        <>
          each at most <Usd of={atMostUsd} />
        </>
      )}
      . Choose a shorter time range to search all calls.
    </span>
  );
}
