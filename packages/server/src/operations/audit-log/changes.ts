import { utcDayOf } from '../../lib/clock.ts';
import { selectMarks } from '../../store/queries/changes.ts';
import type { AdminContext } from '../context.ts';

/** A text for each topic; where it differs from the one before, the topic has changed. */
export type Changes = ReadonlyMap<string, string>;

/** Reads what a console shows, as marks of it: one statement. */
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
