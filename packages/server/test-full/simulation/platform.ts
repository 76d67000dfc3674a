import type { Outcome, SimulatorOptions } from '@model-gateway/simulator';
import type { Seeded } from './seeded.ts';

/** A platform that responds, is slow, fails, loses billed responses, and returns invalid data. */
export function troubledPlatform(seeded: Seeded): NonNullable<SimulatorOptions['script']> {
  return () => {
    const delayMs = seeded.is(0.25) ? seeded.below(45_000) : seeded.below(400);
    if (seeded.is(0.55)) return answer(seeded, delayMs);
    return seeded.pick<(delay: number) => Outcome>(troubles(seeded))(delayMs);
  };
}

function answer(seeded: Seeded, delayMs: number): Outcome {
  return { kind: 'answer', text: 'word '.repeat(1 + seeded.below(60)), delayMs };
}

type Trouble = (delayMs: number) => Outcome;

function troubles(seeded: Seeded): [Trouble, ...Trouble[]] {
  const text = 'lost or late';
  return [
    (delayMs) => failure(429, delayMs),
    (delayMs) => failure(500, delayMs),
    (delayMs) => failure(503, delayMs),
    (delayMs) => failure(504, delayMs),
    (delayMs) => failure(400, delayMs),
    (delayMs) => ({ kind: 'answer', text, delayMs, fault: 'reset' }),
    (delayMs) => ({ kind: 'answer', text, delayMs, fault: 'reset-mid-body' }),
    (delayMs) => ({ kind: 'answer', text, delayMs, fault: 'half' }),
    (delayMs) => ({ kind: 'answer', text, delayMs, fault: { kind: 'raw', status: 502 } }),
    (delayMs) => ({ kind: 'answer', text, delayMs, reportedUsage: 'absent' }),
    (delayMs) => ({ kind: 'answer', text, delayMs, finish: 'length' }),
    (delayMs) => ({ kind: 'answer', text, delayMs, handoverDelayMs: seeded.below(30_000) }),
    () => ({ kind: 'silence' }),
  ];
}

function failure(status: number, delayMs: number): Outcome {
  const message = `arn:aws:bedrock-mantle:us-east-1:123456789012:project/x failed with ${status}`;
  return { kind: 'error', error: { status, code: 'odd', type: 'odd', message }, delayMs };
}
