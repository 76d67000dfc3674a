import type { Surface } from './model-request.ts';

/** Per token, in pico-USD (1e-12 USD). 1 USD per million tokens is 1,000,000. */
export interface TokenPrices {
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly cacheWrite: bigint;
  readonly output: bigint;
}

/** Plain data. */
export interface SimulatorModel {
  readonly id: string;
  readonly does: string;
  /** Undefined: its calls cost 0 in the simulator's bill. */
  readonly pricesPicoUsd: TokenPrices | undefined;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly images: boolean;
  readonly surfaces: readonly Surface[];
  /** Undefined: both roots. */
  readonly openaiRoot: '/v1' | '/openai/v1' | undefined;
}

const smallPrices: TokenPrices = {
  input: 150_000n,
  cachedInput: 75_000n,
  cacheWrite: 187_500n,
  output: 600_000n,
};

const largePrices: TokenPrices = {
  input: 1_100_000n,
  cachedInput: 110_000n,
  cacheWrite: 1_375_000n,
  output: 6_600_000n,
};

const ordinary = {
  pricesPicoUsd: smallPrices,
  contextTokens: 2_000_000,
  maxOutputTokens: 16_384,
  images: false,
  surfaces: ['chat', 'responses', 'messages'],
  openaiRoot: undefined,
} as const;

type Details = Partial<Omit<SimulatorModel, 'id' | 'does'>>;

function model<Id extends string>(id: Id, does: string, own: Details = {}) {
  return { id, does, ...ordinary, ...own };
}

const models = [
  model('sim-echo', 'Repeats the last user text, fills a schema, and calls a tool once.', {
    images: true,
  }),
  model('sim-unpriced', 'Does what sim-echo does, and has no price.', {
    pricesPicoUsd: undefined,
    images: true,
  }),
  model('sim-reasoning', 'Thinks for 64 tokens, then does what sim-echo does.', {
    pricesPicoUsd: largePrices,
  }),
  model('sim-cached', 'Half of the input comes from the cache, a quarter is written to it.', {
    pricesPicoUsd: largePrices,
  }),
  model('sim-slow', 'Does what sim-echo does, after 2 seconds.'),
  model('sim-timeout', 'Does what sim-echo does, after 30 seconds.'),
  model('sim-stuck', 'Never responds; nothing is billed.'),
  model('sim-throttled', 'Always 429 rate_limit_exceeded, without retry-after.'),
  model('sim-throttled-hint', 'Always 429 rate_limit_exceeded, with retry-after: 2.'),
  model('sim-throttled-once', 'The first of two equal requests is 429, the second is answered.'),
  model('sim-quota', 'Always 429 insufficient_quota; a retry does not help.'),
  model('sim-flaky', 'The first of two equal requests is 503, the second is answered.'),
  model('sim-down', 'Always 503.'),
  model('sim-crash', 'Always 500.'),
  model('sim-overloaded', 'Always 529.'),
  model('sim-gateway-timeout', 'Always 504 from a front end, with a different body format.'),
  model('sim-rejects', 'Always 400 validation_error.'),
  model('sim-denied', 'Always 403 access_denied.'),
  model('sim-unauthorized', 'Always 401 invalid_api_key.'),
  model('sim-missing', 'Always 404 model_not_found, though it is listed.'),
  model('sim-messages-only', 'Supports only Anthropic messages; the OpenAI routes return 400.', {
    surfaces: ['messages'],
  }),
  model('sim-responses-only', 'Supports only OpenAI responses; chat completions return 400.', {
    surfaces: ['responses'],
    images: true,
  }),
  model('sim-openai-only', 'Supports only the OpenAI routes; Anthropic messages returns 400.', {
    surfaces: ['chat', 'responses'],
  }),
  model('sim-v1-only', 'Supports OpenAI routes only under /v1, like older models.', {
    openaiRoot: '/v1',
  }),
  model(
    'sim-openai-v1-only',
    'Supports OpenAI routes only under /openai/v1, like the newest models.',
    {
      openaiRoot: '/openai/v1',
    },
  ),
  model('sim-truncated', 'Writes until the output limit cuts it off.'),
  model('sim-stop', 'Ends at the first stop sequence; without one, at the first space.'),
  model('sim-content-filter', 'Stops with the finish reason content_filter.'),
  model('sim-empty', 'Returns 200 with an empty text.'),
  model('sim-bad-json', 'Text that is not JSON; with tools, arguments that are not JSON.'),
  model('sim-wrong-tool', 'Calls a tool that was not offered.'),
  model('sim-wrong-shape', 'JSON that does not match the schema: an array instead of an object.'),
  model('sim-no-usage', 'Responds without usage.'),
  model('sim-odd-usage', 'Reports 1.5 tokens of each kind.'),
  model('sim-usage-string', 'Reports its tokens as text.'),
  model('sim-usage-negative', 'Reports negative tokens.'),
  model('sim-usage-huge', 'Reports 1e300 tokens of each kind.'),
  model('sim-usage-zero', 'Reports 0 tokens, and bills 0.'),
  model('sim-html', 'Returns 200 with an HTML page.'),
  model('sim-half-json', 'Returns 200 with the first half of its JSON.'),
  model('sim-empty-body', 'Returns 200 with an empty body.'),
  model('sim-redirect', 'Returns 302 to another host; nothing is billed.'),
  model('sim-told', 'Follows the JSON in the last user text: see Being told.'),
  model(
    'sim-reset',
    'The connection breaks after the response was produced, before its first byte.',
  ),
  model('sim-reset-mid-body', 'The connection breaks in the middle of the response.'),
];

export type SimulatorModelId = (typeof models)[number]['id'];

/** For first tries; the others simulate failures or special cases. */
const everyday: ReadonlySet<string> = new Set<SimulatorModelId>([
  ...(['sim-echo', 'sim-unpriced', 'sim-reasoning', 'sim-cached', 'sim-slow'] as const),
]);

export function isForTests({ id }: Pick<SimulatorModel, 'id'>): boolean {
  return !everyday.has(id);
}

/** In the order of `GET /v1/models`. */
export const simulatorModels: readonly SimulatorModel[] = models;

/**
 * `sim-usd-3-15`, then optional prices of cache reads and writes, `-cache-0.3-3.75`, then anything.
 */
const pricedName =
  /^sim-usd-(?<input>\d{1,6}(?:\.\d{1,6})?)-(?<output>\d{1,6}(?:\.\d{1,6})?)(?:-cache-(?<read>\d{1,6}(?:\.\d{1,6})?)-(?<write>\d{1,6}(?:\.\d{1,6})?))?(?:-.*)?$/;

/** No list includes them, so they change no list. */
const embedding = {
  pricesPicoUsd: { input: 20_000n, cachedInput: 20_000n, cacheWrite: 20_000n, output: 0n },
  surfaces: ['embeddings'],
} as const;

const unlisted = [
  model('sim-embed', 'Returns 16 numbers for each text, or the requested number.', embedding),
  model('sim-embed-told', 'Follows the JSON in the last text: see Being told.', embedding),
  model('sim-embed-short', 'Returns one embedding fewer than the number of texts.', embedding),
  model('sim-embed-no-usage', 'Returns embeddings without usage.', embedding),
  model('sim-embed-throttled', 'Always 429 rate_limit_exceeded.', embedding),
  model('sim-embed-crash', 'Always 500.', embedding),
  model('sim-slow-stream', 'Does what sim-echo does; a stream has a gap of 100 ms.'),
];

export const unlistedIds: readonly string[] = unlisted.map(({ id }) => id);

export type UnlistedModelId = (typeof unlisted)[number]['id'];

/**
 * Also finds models with a price in their name (USD per million tokens), which behave like
 * `sim-told`.
 */
export function findModel(id: string): SimulatorModel | undefined {
  const known = byId.get(id);
  if (known !== undefined) return known;
  const { input, output, read = input, write = input } = pricedName.exec(id)?.groups ?? {};
  if (input === undefined || output === undefined) return undefined;
  const pricesPicoUsd = {
    input: picoUsdOf(input),
    cachedInput: picoUsdOf(read ?? input),
    cacheWrite: picoUsdOf(write ?? input),
    output: picoUsdOf(output),
  };
  const does = 'Does what sim-told does, at the price in its name.';
  const surfaces = [...ordinary.surfaces, 'embeddings'] as const;
  return { ...model(id, does), pricesPicoUsd, surfaces };
}

const byId = new Map<string, SimulatorModel>(
  [...models, ...unlisted].map((known) => [known.id, known]),
);

/** With at most six decimals, it is a whole number of pico-USD per token. */
function picoUsdOf(usdPerMillion: string): bigint {
  const [whole = '', fraction = ''] = usdPerMillion.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}
