/**
 * Pico-USD per token of the simulator's small models; the most expensive input is a cache write.
 */
const smallRates = { mostExpensiveInput: 187_500n, output: 600_000n } as const;

/**
 * The maximum cost of a chat of a small model, in pico-USD, calculated without the service. It is
 * the bytes of its body and 1,024 tokens at the highest input rate, and all of its output.
 */
export function maximumCostPicoUsd(body: { readonly maxTokens: number }): bigint {
  const inputTokens = Buffer.byteLength(JSON.stringify(body)) + 1_024;
  const outputTokens = Math.min(body.maxTokens, 16_384);
  return (
    BigInt(inputTokens) * smallRates.mostExpensiveInput + BigInt(outputTokens) * smallRates.output
  );
}

/** An amount in the API's notation. */
export function usd(picoUsd: bigint): string {
  const digits = picoUsd.toString().padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
}
