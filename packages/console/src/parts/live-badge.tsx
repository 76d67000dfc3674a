import { useIsLive } from '../data/live-state.ts';
import { en } from '../text/en.ts';
import { Badge } from './badge.tsx';

export function LiveBadge() {
  if (useIsLive()) {
    return (
      <Badge tone="good" title="Updates every second">
        {en.live}
      </Badge>
    );
  }
  return (
    <Badge tone="warn" title="Updates every 10 seconds">
      {en.notLive}
    </Badge>
  );
}
