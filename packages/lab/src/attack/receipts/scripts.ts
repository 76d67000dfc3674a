import { attackApps } from '../arena/accounts.ts';
import { attackLimits } from '../arena/attack-yaml.ts';
import type { PlatformInstructions } from '../arena/planned-call.ts';
import { type Surface, surfaceRoutes } from '../arena/surfaces.ts';
import { receivedText } from './receive.ts';

/** Equal requests, one unless a number differs. */
export interface Step {
  readonly stay?: number;
  /** The number of callers that disconnect, during the call or at a stream's first word. */
  readonly leave?: number;
  readonly at?: 'running' | 'text';
  /** The number of callers that send the same and wait, before the others disconnect. */
  readonly follow?: number;
  /** The number of callers that repeat it, marked as a retry, after the others disconnected. */
  readonly retry?: number;
}

/** Each step begins when the previous one is settled. */
export interface Script {
  readonly name: string;
  readonly account: string;
  readonly surface: Surface;
  readonly isKeyless: boolean;
  readonly instructions: PlatformInstructions;
  readonly steps: readonly Step[];
  readonly platformCalls: number;
}

const slow: PlatformInstructions = { delayMs: 4_000, text: receivedText };
const late: PlatformInstructions = {
  delayMs: attackLimits.modelCallMs + 1_500,
  text: receivedText,
};
const words: PlatformInstructions = { text: receivedText, stream: { gapMs: 1_000 } };
/** It breaks long after its caller disconnected. */
const brokenOnce: PlatformInstructions = {
  ...{ text: receivedText, isFaultyOnce: true },
  stream: { gapMs: 500, stop: { how: 'break', after: 6 } },
};

const byKind = (isStream: boolean, isEmbedding = false) =>
  surfaceRoutes.filter(
    (surface) =>
      (surface.ending !== undefined) === isStream && (surface.isEmbedding === true) === isEmbedding,
  );
const whole = byKind(false);
const streams = byKind(true);
const embeddings = byKind(false, true);

const { stored, unstored, adopting } = attackApps;

type Play = readonly [
  name: string,
  surfaces: readonly Surface[],
  instructions: PlatformInstructions,
  steps: readonly Step[],
  more?: Partial<Script>,
];

function scriptsOf(account: string, isKeyless: boolean, plays: readonly Play[]): Script[] {
  return plays.flatMap(([name, surfaces, instructions, steps, more]) =>
    surfaces.map((surface, index) => ({
      ...{ name: `${account} ${name} ${index}`, account, surface, isKeyless, instructions, steps },
      ...{ platformCalls: 1, ...more },
    })),
  );
}

/** The rest can still be collected if the app stores responses. */
const keyed: readonly Play[] = [
  ['left', whole, slow, [{ leave: 1 }]],
  ['late', whole.slice(0, 2), late, [{ stay: 1 }]],
  ['stream left', streams, words, [{ leave: 1, at: 'text' }]],
  ['stream broken', streams, brokenOnce, [{ leave: 1, at: 'text' }], { platformCalls: 2 }],
  ['followed', whole.slice(0, 2), slow, [{ leave: 1, follow: 1 }]],
  ['repeated', whole.slice(0, 1), {}, [{ stay: 1 }, { stay: 1 }]],
  ['embeddings left', embeddings.slice(0, 1), slow, [{ leave: 1 }]],
  ['embeddings late', embeddings.slice(0, 1), late, [{ stay: 1 }]],
];

const keyless: readonly Play[] = [
  ['keyless left', whole.slice(0, 2), slow, [{ leave: 1 }]],
  ['keyless stream left', streams.slice(0, 2), words, [{ leave: 1, at: 'text' }]],
];

/** A retry can adopt the call that it repeats. */
const adopted: readonly Play[] = [
  ['left', whole.slice(0, 2), slow, [{ leave: 1 }]],
  ['late', whole.slice(0, 2), late, [{ stay: 1 }]],
  ['left and retried', whole, slow, [{ leave: 1, retry: 1 }]],
  ['left, then retried', whole, slow, [{ leave: 1 }, { retry: 1 }]],
  ['late, then retried', whole.slice(0, 2), late, [{ stay: 1 }, { retry: 1 }]],
  ['stream left', streams.slice(0, 2), words, [{ leave: 1, at: 'text' }]],
  ['stream retried', streams.slice(0, 2), words, [{ leave: 1, at: 'text' }, { retry: 1 }]],
  ['five left and retried', whole.slice(0, 1), slow, [{ leave: 5, retry: 5 }]],
  ['three left, then retried', whole.slice(1, 2), slow, [{ leave: 3 }, { retry: 3 }]],
];

export const scripts: readonly Script[] = [
  ...scriptsOf(stored.name, false, keyed),
  ...scriptsOf(stored.name, true, keyless),
  ...scriptsOf(unstored.name, false, keyed),
  ...scriptsOf(adopting.name, true, adopted),
];
