/** USD per million tokens as integers: pico-USD per token. */
export interface Rates {
  readonly inputPicoUsd: bigint;
  readonly cachedInputPicoUsd: bigint;
  readonly cacheWriteInputPicoUsd: bigint;
  /** Of what is cached for an hour; undefined where that cannot be asked for. */
  readonly cacheWrite1hInputPicoUsd?: bigint | undefined;
  readonly outputPicoUsd: bigint;
}
