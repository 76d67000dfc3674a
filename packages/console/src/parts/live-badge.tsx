import { useIsLive } from '../data/live-state.ts';
import { en } from '../text/en.ts';
import { Badge } from './badge.tsx';

export function LiveBadge() {
  const isLive = useIsLive();
  if (isLive !== false) {
    return (
      <span class={isLive ? undefined : 'unseen'}>
        <Badge tone="good" title="Updates every second">
          {en.live}
        </Badge>
      </span>
    );
  }
  return (
    <Badge tone="warn" title="Updates every 10 seconds">
      {en.notLive}
    </Badge>
  );
}
