import assert from 'node:assert';
import type { CallFacts } from './rows.ts';

/** All that every version notes: one that does not note the rest may have ended the call's hold. */
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
 * Throws where an operation names a call with other facts than those that it is known by. Whether
 * it fails must not hang on the rows that the rest of its batch has loaded.
 */
export function assertSameFacts(known: CallFacts, given: Partial<CallFacts>) {
  for (const name of names) {
    // Put into words only where it fails: every settlement passes here.
    if (given[name] === known[name] || !(name in given)) continue;
    assert.fail(`call ${known.callId} is known with another ${name}`);
  }
}
