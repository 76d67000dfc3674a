import type { Overview } from '@model-gateway/server/operations/documents';
import { useIsRead, useRead } from '../data/read.ts';
import { attentionOf } from '../pages/today/attention.ts';
import { en } from '../text/en.ts';

/** How many things need attention. Read once, after the page: only Today follows its changes. */
export function AttentionCount() {
  const isRead = useIsRead();
  const { data } = useRead<Overview>(isRead ? '/overview' : undefined);
  const count = data === undefined ? 0 : attentionOf(data).length;
  if (count === 0) return null;
  return (
    <span class="count">
      {count}
      <span class="hide"> {en.needAttention}</span>
    </span>
  );
}
