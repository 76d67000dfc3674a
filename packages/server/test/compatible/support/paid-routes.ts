import { tokensOf } from '../../streams/support/oracle.ts';
import { toldRates } from '../../streams/support/told.ts';

/** A compatible route, and the cost of its calls by the documents, without the service's code. */
export interface PaidRoute {
  readonly path: string;
  readonly model: string;
  readonly canStream: boolean;
  /** The smallest body with `prompt`, for at most 100 tokens by default. */
  body(prompt: string, maxTokens?: number): object;
  /** Bytes of the user's input, used without counts. */
  promptBytes(prompt: string, text: string): number;
  /** True if the platform reports the request before its response breaks off. */
  readonly statesFirst?: true;
  /** The last event of its stream, by how the model ended. */
  readonly last: { readonly stop: string; readonly length: string; readonly error: string };
  /** The HTTP status of SERVER. */
  readonly serverStatus: number;
  /** Input tokens that the platform counts in addition to the prompt. */
  readonly moreTokens?: number;
  /** True if its bytes do not limit its input: the model's whole context is reserved. */
  readonly holdsContext?: true;
}

const told = (prompt: string) => [{ role: 'user', content: prompt }];
const openAi = { serverStatus: 503 } as const;
const thought = 'The user greets me. I shall greet back, and wait.';
const reasoned = { role: 'assistant', content: 'Hi.', reasoning_content: thought };
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQ=' };
/** The context of the rows. */
const contextTokens = 2_000_000;
const never = { stop: '', length: '', error: '' } as const;

export const routes = {
  'chat completions': {
    ...{ path: '/openai/v1/chat/completions', model: 'told-chat' },
    ...{ canStream: true, ...openAi },
    body: (prompt, max = 100) => ({
      ...{ model: 'told-chat', max_completion_tokens: max, messages: told(prompt) },
    }),
    promptBytes: (prompt) => Buffer.byteLength(prompt),
    last: { stop: '[DONE]', length: '[DONE]', error: '{"error":' },
  },
  messages: {
    ...{ path: '/anthropic/v1/messages', model: 'told-messages' },
    ...{ canStream: true, serverStatus: 500, statesFirst: true },
    body: (prompt, max = 100) => ({
      ...{ model: 'told-messages', max_tokens: max, messages: told(prompt) },
    }),
    promptBytes: (_, text) => Buffer.byteLength(text),
    last: { stop: 'message_stop', length: 'message_stop', error: '"api_error"' },
  },
  responses: {
    ...{ path: '/openai/v1/responses', model: 'told-responses' },
    ...{ canStream: true, ...openAi },
    body: (prompt, max = 100) => ({
      ...{ model: 'told-responses', max_output_tokens: max, input: prompt },
    }),
    promptBytes: (_, text) => Buffer.byteLength(text),
    last: { stop: 'response.completed', length: 'response.incomplete', error: '"error"' },
  },
  embeddings: {
    ...{ path: '/openai/v1/embeddings', model: 'told-embeddings' },
    ...{ canStream: false, ...openAi, last: never },
    body: (prompt) => ({ model: 'told-embeddings', input: prompt }),
    promptBytes: (prompt) => Buffer.byteLength(prompt),
  },
} as const satisfies Readonly<Record<string, PaidRoute>>;

/** These routes, input that is carried, and input that its bytes do not limit. */
export const paidRoutes: Readonly<Record<string, PaidRoute>> = {
  ...routes,
  'carried reasoning': {
    ...{ path: '/openai/v1/chat/completions', model: 'told-chat' },
    ...{ canStream: true, ...openAi, moreTokens: 4 + tokensOf('Hi.') + tokensOf(thought) },
    body: (prompt, max = 100) => ({
      model: 'told-chat',
      max_completion_tokens: max,
      messages: [reasoned, ...told(prompt)],
    }),
    promptBytes: (prompt) => {
      const carry = { message: { reasoning_content: thought }, calls: [] };
      return Buffer.byteLength(`Hi.${JSON.stringify(carry)}${prompt}`);
    },
    last: { stop: '[DONE]', length: '[DONE]', error: '{"error":' },
  },
  'a PDF': {
    ...{ path: '/anthropic/v1/messages', model: 'told-messages' },
    ...{ canStream: true, serverStatus: 500, statesFirst: true },
    ...{ moreTokens: 20_000, holdsContext: true },
    body: (prompt, max = 100) => ({
      model: 'told-messages',
      max_tokens: max,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: pdf },
            { type: 'text', text: prompt },
          ],
        },
      ],
    }),
    // 3 bytes for each token of the context.
    promptBytes: () => contextTokens * 3,
    last: { stop: 'message_stop', length: 'message_stop', error: '"api_error"' },
  },
};

/** Amounts of one call, in pico-USD. */
export interface RouteAmounts {
  /** Its maximum cost, which is reserved. */
  readonly most: bigint;
  exact(outputTokens: number): bigint;
  /** The cost of the request, and of the maximum output. */
  readonly stated: bigint;
  /** The cost of the prompt and of this many response bytes, 3 bytes a token. */
  bytes(answerBytes: number): bigint;
}

/** The possible costs of a call on a route, by its body as sent. */
export function amountsOn(
  route: PaidRoute,
  { prompt, text, maxTokens }: { prompt: string; text: string; maxTokens: number },
): RouteAmounts {
  const isEmbedding = !route.canStream;
  const rates = isEmbedding ? { input: 20_000n, dearestInput: 20_000n, output: 0n } : toldRates;
  const output = BigInt(maxTokens) * rates.output;
  // The simulator counts texts to embed as two messages, of which the first is empty here.
  const { moreTokens = 0 } = route;
  const input = BigInt(16 + (isEmbedding ? 8 : 4) + tokensOf(prompt) + moreTokens) * rates.input;
  const bound = route.holdsContext === true ? contextTokens : Buffer.byteLength(text) + 1_024;
  const third = (bytes: number) => BigInt(Math.ceil(bytes / 3));
  return {
    most: BigInt(bound) * rates.dearestInput + output,
    exact: (tokens) => input + BigInt(tokens) * rates.output,
    stated: input + output,
    bytes: (answerBytes) =>
      third(route.promptBytes(prompt, text)) * rates.input + third(answerBytes) * rates.output,
  };
}
