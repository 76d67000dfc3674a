import Type from 'typebox';
import type { Clock } from '../../lib/clock.ts';
import type { ChangeFeed } from '../changes.ts';
import { type AnyRoute, route } from '../route.ts';
import type { Who } from '../who.ts';

/** So that a proxy between does not take a quiet stream for a dead one. */
const heartbeatMs = 15_000;

/** Topics of the operators alone; one of an app is that of those who may see it. */
const operatorsTopics: readonly string[] = ['audit', 'reconcile'];

const events = route({
  method: 'GET',
  path: '/admin/v1/events',
  action: 'look',
  apps: 'own',
  summary: 'Server-sent events `changed` with a topic, each at most once a second',
  answer: Type.String({ description: 'event: changed, data: {"topic":"overview"}' }),
  answerType: 'text/event-stream',
  async handle({ who, feed, admin, request }) {
    return { events: eventsOf({ who, feed, clock: admin.clock, gone: request.gone }) };
  },
});

/** Text of events until the reader is gone; topics that it does not read in time come once. */
export async function* eventsOf(parts: {
  readonly who: Pick<Who, 'apps'>;
  readonly feed: ChangeFeed;
  readonly clock: Pick<Clock, 'after'>;
  readonly gone: AbortSignal;
}): AsyncGenerator<string> {
  const { who, feed, clock, gone } = parts;
  const waiting = new Set<string>();
  let wake = () => {};
  const end = feed.listen((topics) => {
    for (const topic of topics) if (isSeen(who, topic)) waiting.add(topic);
    if (waiting.size > 0) wake();
  });
  gone.addEventListener('abort', () => wake());
  try {
    yield ': connected\n\n';
    while (!gone.aborted) {
      const isQuiet = waiting.size === 0 && !(await nextChange());
      const text = [...waiting].map(eventText).join('');
      waiting.clear();
      if (gone.aborted) return;
      yield isQuiet ? ': still here\n\n' : text;
    }
  } finally {
    end();
  }

  /** False where nothing has changed for a while. */
  function nextChange(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = clock.after(heartbeatMs, () => resolve(false));
      wake = () => {
        timer.cancel();
        resolve(true);
      };
      if (gone.aborted) wake();
    });
  }
}

function isSeen({ apps }: Pick<Who, 'apps'>, topic: string): boolean {
  if (apps === undefined) return true;
  if (topic.startsWith('app:')) return apps.includes(topic.slice('app:'.length));
  return !operatorsTopics.includes(topic);
}

function eventText(topic: string): string {
  return `event: changed\ndata: ${JSON.stringify({ topic })}\n\n`;
}

/** What has changed. */
export const eventRoutes: readonly AnyRoute[] = [events];
