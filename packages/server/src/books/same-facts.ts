import assert from 'node:assert';
import type { CallFacts } from './rows.ts';

/** Noted by every version: one that does not note the rest may have ended the hold. */
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
 * Throws where the facts differ from the known ones. Failing must not depend on the rows that the
 * rest of its batch has loaded.
 */
export function assertSameFacts(known: CallFacts, facts: Partial<CallFacts>) {
  for (const name of names) {
    // Put into words only where it fails: every settlement passes here.
    if (facts[name] === known[name] || !(name in facts)) continue;
    assert.fail(`call ${known.callId} is known with another ${name}`);
  }
}
