import { counts } from './fake-platform.ts';
import type { Caller, Streams } from './streams.ts';

/** Pico-USD per token of the model's input and output. */
export const rates = { input: 150_000n, output: 600_000n } as const;
/** The cost of 24 input tokens and 4 output tokens. */
export const exact = 24n * rates.input + 4n * rates.output;
/** The prompt’s 15 bytes and the delivered `Hello `, at 3 bytes a token. */
export const asDelivered = 5n * rates.input + 2n * rates.output;
/** A reported input of 24 tokens, and the maximum output. */
export const reportedInput = 24n * rates.input + 100n * rates.output;

/** The parts that a row acts on. */
export interface Scene {
  readonly streams: Streams;
  readonly caller: Caller;
  readonly attempt: Streams['platform']['attempts'][number];
}

/** A way in which a stream ends, and who pays for it. */
export interface Row {
  readonly what: string;
  readonly play: (scene: Scene) => Promise<void> | void;
  readonly code: string;
  readonly basis: 'exact' | 'estimated';
  /** `hold`: the maximum cost of the call. */
  readonly budget: bigint | 'hold';
  readonly wallet: bigint | { readonly keyed: bigint; readonly plain: bigint };
}

export const advance = ({ streams }: Scene, ms: number) => streams.stack.clock.advance(ms);
/** The platform sends its first words. */
export const hello = ({ attempt }: Scene) => attempt.text('Hello ');
/** The platform ends its response with its counts. */
export const finish = ({ attempt }: Scene) => attempt.finish({ usage: counts(24, 4) });

/** The platform pings every 3 s. */
export async function talkFor(scene: Scene, ms: number) {
  for (let passedMs = 0; passedMs < ms; passedMs += 3_000) {
    scene.attempt.ping();
    await advance(scene, 3_000);
  }
}
