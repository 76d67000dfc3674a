import { createKeyRing, type KeyRing, readRing } from '../lib/key-ring.ts';
import type { Variables } from './variables.ts';

/** Undefined when none is given. No problem shows a part of it. */
export function keyRingOf(variables: Variables, problems: string[]): KeyRing | undefined {
  const given = variables('MODEL_GATEWAY_KEYS');
  if (given.text === undefined) {
    if (given.isSet) problems.push(given.problem);
    return undefined;
  }
  const read = readRing(given.text);
  if ('keys' in read) return createKeyRing(read.keys);
  problems.push(`${given.from}: ${read.problem}`);
  return undefined;
}
