import assert from 'node:assert';
import type { CallFacts } from './rows.ts';

/**
 * Facts that every version stores. A version without the others might have ended the reservation.
 */
const names = [
  'app',
  'day',
  'month',
  'userId',
  'route',
  'model',
  'usageModel',
  'priceVersion',
  'keyHash',
  'startedAt',
] as const satisfies readonly (keyof CallFacts)[];

/**
 * Throws if the facts differ from the existing ones. Failing must not depend on the rows that the
 * rest of its batch has loaded.
 */
export function assertSameFacts(known: CallFacts, facts: Partial<CallFacts>) {
  for (const name of names) {
    // Every settlement is checked here, so the message is built only on failure.
    if (facts[name] === known[name] || !(name in facts)) continue;
    assert.fail(`call ${known.callId} is known with another ${name}`);
  }
}
