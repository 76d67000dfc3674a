import { factLines, tableLines } from '../text-lines.ts';
import type { HookDocument } from './hooks.ts';
import type { HookTestDocument } from './test-hook.ts';

/** The table of `notify list`. */
export function hooksLines(hooks: readonly HookDocument[]): readonly string[] {
  return tableLines(
    ['hook', 'at', 'format', 'state', 'delivered', 'waiting', 'dead', 'last error'],
    hooks.map((hook) => [
      ...[hook.name, hook.origin ?? '-', hook.format ?? '-', states[hook.state]],
      ...[hook.delivered, hook.waiting, hook.dead].map(String),
      hook.lastError ?? '-',
    ]),
    'There is no hook: declare some below notify in the configuration.',
    ['delivered', 'waiting', 'dead'],
  );
}

const states: Readonly<Record<HookDocument['state'], string>> = {
  on: 'on',
  gone: 'off: it answered 410',
  left: 'not in the file',
};

/** What `notify test` prints. */
export function testLines(tested: HookTestDocument): readonly string[] {
  const { hook, id, isDelivered, status, words, error } = tested;
  const facts: readonly (readonly [string, string])[] = [
    ['hook', hook],
    ['webhook-id', id],
    ['result', isDelivered ? `delivered: answered ${status}` : (error ?? '')],
  ];
  return factLines(words === '' ? facts : [...facts, ['it said', words]]);
}
