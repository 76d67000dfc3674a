import type { NotedLine } from '../context/noted-change.ts';
import { tableLines } from './text-lines.ts';

/** For a terminal. */
export function planLines(changes: readonly NotedLine[]): readonly string[] {
  return tableLines(
    ['action', 'subject', 'before', 'after'],
    changes.map(({ action, subject, before, after }) => [
      ...[action, subject, before ?? '', after ?? ''],
    ]),
    'Nothing would change.',
  );
}
