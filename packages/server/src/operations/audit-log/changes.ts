import { utcDayOf } from '../../lib/clock.ts';
import { selectMarks } from '../../store/queries/changes.ts';
import type { AdminContext } from '../context/context.ts';
import type { Changes } from '../context/live-state.ts';

export async function readChanges({ store, clock }: AdminContext): Promise<Changes> {
  const marks = await store.readAside(selectMarks(utcDayOf(clock.now())));
  const changes = new Map<string, string>();
  const add = (topic: string, text: string) =>
    changes.set(topic, `${changes.get(topic) ?? ''}${text}\n`);
  for (const { topic, text } of marks) {
    add(topic, text);
    // What Today shows are the apps' days and settings.
    if (topic.startsWith('app:') || topic === 'registry') add('overview', `${topic} ${text}`);
  }
  return changes;
}
