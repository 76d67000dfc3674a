/**
 * Models since 2026-03-05 cost a tenth more on a regional host. Source:
 * https://developers.openai.com/api/docs/guides/data-residency
 */
export const residency = Object.fromEntries(
  ['us', 'eu', 'au', 'ca', 'jp', 'in', 'sg', 'kr', 'gb', 'ae'].map((region) => [region, '1.1']),
);

/** Above 272,000 input tokens, larger models bill the whole call this way. */
export const longInput = {
  aboveInputTokens: [{ tokens: 272_000, factors: { input: '2', output: '1.5' } }],
};
