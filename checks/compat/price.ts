/** The price of every model in this check. */
export const priceUsdPerMillion = { input: 2n, output: 8n } as const;

const picoUsdPerUsd = 1_000_000_000_000n;

/**
 * The cost of tokens, computed separately from the gateway: USD a million is pico-USD a token, ×
 * 10^6.
 */
export function costPicoUsd(counts: {
  readonly inputTokens: number;
  readonly outputTokens: number;
}): bigint {
  const input = BigInt(counts.inputTokens) * priceUsdPerMillion.input;
  const output = BigInt(counts.outputTokens) * priceUsdPerMillion.output;
  return (input + output) * (picoUsdPerUsd / 1_000_000n);
}

/** An exact decimal of the gateway's. */
export function picoUsdOf(usd: string): bigint {
  const [whole = '0', fraction = ''] = usd.split('.');
  return BigInt(whole) * picoUsdPerUsd + BigInt(fraction.padEnd(12, '0'));
}
