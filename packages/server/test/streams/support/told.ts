/** The simulator's instructions for a streamed call: see its README. */
export interface Orders {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
  readonly reasoningTokens?: number;
  readonly bills?: { readonly inputTokens?: number; readonly outputTokens?: number | 'all' };
  readonly states?:
    | 'absent'
    | Readonly<Record<'inputTokens' | 'outputTokens', number | string | null>>;
  readonly delayMs?: number;
  readonly handoverDelayMs?: number;
  readonly fault?: 'reset';
  readonly label?: string;
  readonly stream?: {
    readonly gapMs?: number;
    readonly stop?: {
      readonly how: 'break' | 'silence' | 'error' | 'end';
      readonly after: number;
    };
    readonly split?: 'words' | 'units';
    readonly toolPieces?: number;
    readonly counts?: 'zero-first' | 'last' | 'each';
    readonly lineEnd?: 'lf' | 'crlf' | 'cr';
    readonly comments?: boolean;
    readonly eventsEach?: number;
    readonly bytesEach?: number;
    readonly large?: { readonly after: number; readonly bytes?: number };
    readonly goesOn?: boolean;
  };
}

/** The model that follows instructions, on each possible surface of a platform. */
export const toldModels = ['told-chat', 'told-responses', 'told-messages'] as const;
export type ToldModel = (typeof toldModels)[number];

/** Pico-USD per token of these models, as their rows below; a cache write is the most expensive. */
export const toldRates = {
  ...{ input: 150_000n, dearestInput: 187_500n, output: 600_000n },
} as const;

const prices =
  'inputUsdPerMillion: "0.15", cachedInputUsdPerMillion: "0.075", ' +
  'cacheWriteInputUsdPerMillion: "0.1875", outputUsdPerMillion: "0.6"';

const families: Readonly<Record<ToldModel, string>> = {
  'told-chat': 'v1-chat',
  'told-responses': 'v1-responses',
  'told-messages': 'anthropic-v1-messages',
};

/** The rows of these models, for a platform of the kind `simulator`. */
export function toldRows(platform = 'sandbox'): string {
  const rows = toldModels.map(
    (id) =>
      `  - { id: ${id}, platform: ${platform}, upstreamModel: sim-told, ` +
      `pathFamily: ${families[id]}, ${prices}, contextTokens: 2000000, maxOutputTokens: 16384 }`,
  );
  return `models:\n${rows.join('\n')}\n`;
}

/** A chat that contains the model's instructions. */
export function toldChat(orders: Orders, more: object = {}) {
  const messages = [{ role: 'user', content: JSON.stringify(orders) }] as const;
  return { model: 'told-chat', maxTokens: 100, messages, ...more };
}

/** An agent turn with instructions and one tool. */
export function toldTurn(orders: Orders, more: object = {}) {
  return { ...toldChat(orders), tools: [weatherTool], ...more };
}

/** A request for an object, with instructions. */
export function toldObject(orders: Orders, more: object = {}) {
  return { ...toldChat(orders), schema: weatherTool.inputSchema, ...more };
}

/** A tool with one argument. */
export const weatherTool = {
  name: 'weather',
  description: 'Tells the weather of a city.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
} as const;

/** Twenty words of one token each, the space before them included. */
export const twentyWords = Array.from(
  { length: 20 },
  (_, at) => `${at === 0 ? 'a' : ' '}${at + 100}`,
)
  .map((word) => word.padEnd(4, 'x').slice(0, 4))
  .join('');
