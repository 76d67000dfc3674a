import Type from 'typebox';
import type { Clock } from '../../lib/clock.ts';
import type { Session } from '../../operations/context/session.ts';
import type { ChangeFeed } from '../views/changes.ts';
import { type AnyRoute, route } from './route.ts';

/** A quiet stream also sends a comment then, or a proxy might close it. */
const checkMs = 15_000;

/** Only operators see these topics. An app's topic is for logins with access to the app. */
const operatorsTopics: readonly string[] = ['audit', 'reconcile'];

const events = route({
  method: 'GET',
  path: '/admin/v1/events',
  action: 'look',
  apps: 'own',
  summary: 'Server-sent events `changed` with a topic, each at most once a second',
  answer: Type.String({ description: 'event: changed, data: {"topic":"overview"}' }),
  answerType: 'text/event-stream',
  async handle({
    session,
    reads,
    feed,
    eventStreams,
    admin,
    hasSameAccess,
    request: { disconnected },
  }) {
    eventStreams.open(session.id, disconnected);
    // A page reads again after its stream opens, and must not get an older document.
    reads.overview.invalidate();
    return { events: eventsOf({ session, feed, clock: admin.clock, hasSameAccess, disconnected }) };
  },
});

/**
 * Ends when the reader disconnects, or the login ends or changes. Topics that the reader missed
 * come once.
 */
export async function* eventsOf(parts: {
  readonly session: Pick<Session, 'apps'>;
  readonly feed: ChangeFeed;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  readonly hasSameAccess: () => Promise<boolean>;
  readonly disconnected: AbortSignal;
}): AsyncGenerator<string> {
  const { session, feed, clock, hasSameAccess, disconnected } = parts;
  const pending = new Set<string>();
  let wake = () => {};
  const end = feed.listen((topics) => {
    for (const topic of topics) if (isVisible(session, topic)) pending.add(topic);
    if (pending.size > 0) wake();
  });
  disconnected.addEventListener('abort', () => wake());
  try {
    yield ': connected\n\n';
    let checkAt = clock.monotonic() + checkMs;
    while (!disconnected.aborted) {
      if (pending.size === 0) await nextChange(checkAt - clock.monotonic());
      if (clock.monotonic() >= checkAt) {
        checkAt = clock.monotonic() + checkMs;
        // An unavailable store has no changes, so nothing is sent until it is available again.
        if (!(await hasSameAccess().catch(() => true))) return;
      }
      const text = [...pending].map(eventText).join('');
      pending.clear();
      if (disconnected.aborted) return;
      yield text === '' ? ': still here\n\n' : text;
    }
  } finally {
    end();
  }

  function nextChange(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.after(waitMs, resolve);
      wake = () => {
        timer.cancel();
        resolve();
      };
      if (disconnected.aborted) wake();
    });
  }
}

function isVisible({ apps }: Pick<Session, 'apps'>, topic: string): boolean {
  if (apps === undefined) return true;
  if (topic.startsWith('app:')) return apps.includes(topic.slice('app:'.length));
  return !operatorsTopics.includes(topic);
}

function eventText(topic: string): string {
  return `event: changed\ndata: ${JSON.stringify({ topic })}\n\n`;
}

export const eventRoutes: readonly AnyRoute[] = [events];
