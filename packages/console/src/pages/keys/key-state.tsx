import type { ListedKey } from '@model-gateway/server/operations/documents';
import { useSession } from '../../data/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { once } from '../../text/once.ts';

const dayMs = 86_400_000;
/** A key that ends within this time is marked. */
const soonMs = 30 * dayMs;

export function KeyState({ of }: { readonly of: ListedKey }) {
  const isOperator = useSession()?.role === 'operator';
  const { state, expiresAt, lastUsedAt, disabledBy, disabledRole } = of;
  const until = expiresAt === undefined ? undefined : `until ${dateOf(expiresAt)}`;
  const remainingMs =
    expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now();
  if (state === 'disabled') {
    const by = disabledBy === undefined ? '' : ` by ${disabledBy} (${disabledRole})`;
    const permissionNote =
      isOperator || disabledRole === 'team' ? '' : '; only an operator can enable it';
    return (
      <Badge tone="plain" icon="refused" title={`Disabled${by}${permissionNote}`}>
        Disabled
      </Badge>
    );
  }
  if (state === 'expired') {
    return (
      <Badge tone="plain" icon="refused" title={`Valid ${until} UTC`}>
        Expired
      </Badge>
    );
  }
  if (state === 'replaced') {
    const remaining =
      expiresAt === undefined ? ', no expiry' : `, ${durationText(remainingMs)} left`;
    return (
      <Badge tone="warn" title={until && `Valid ${until} UTC`}>
        Replaced{remaining}
      </Badge>
    );
  }
  if (state === 'new') {
    return (
      <Badge tone="accent" icon="key">
        Active, new
      </Badge>
    );
  }
  if (remainingMs < soonMs) {
    return (
      <Badge tone="warn" title={`Valid ${until} UTC`}>
        Active, {durationText(remainingMs)} left
      </Badge>
    );
  }
  if (lastUsedAt === null) {
    return (
      <Badge tone="plain" title={until}>
        Active, never used
      </Badge>
    );
  }
  return (
    <Badge tone="good" title={until}>
      Active
    </Badge>
  );
}

/** `Dec 1, 2026, 00:00` */
function dateOf(at: string): string {
  return dates().format(new Date(at));
}

const dates = once(
  () =>
    new Intl.DateTimeFormat('en', {
      ...({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' } as const),
    }),
);

export function durationText(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(ms / dayMs)} days`;
}
