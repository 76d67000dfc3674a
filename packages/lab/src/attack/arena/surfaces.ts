import { parseUsd } from '@model-gateway/server/lib/money';
import type { CallOutcome } from '../books/books.ts';
import {
  attackAlias,
  attackApps,
  attackModels,
  attackRates,
  embeddingModel,
  surfaceTokens,
} from './accounts.ts';
import { outcomeOfRefusal } from './callers.ts';
import { mostOf, type PlatformInstructions, preambleTokens, type Rates } from './planned-call.ts';
import type { Wire } from './reported-shapes.ts';

export interface Surface {
  readonly path: string;
  readonly wire: Wire;
  readonly bodyOf: (content: string, maxTokens: number) => object;
  /** The end of a whole stream; undefined for a response in one piece. */
  readonly ending?: string;
  /** It has no output, and its input costs as much. */
  readonly isEmbedding?: true;
}

export interface SurfaceCall {
  readonly label: string;
  readonly maximumCostPicoUsd: bigint;
  readonly surface: Surface;
  readonly body: string;
  readonly userId?: string | undefined;
  readonly isKeyless?: true;
}

const userMessages = (content: string) => [{ role: 'user', content }];

const chatBody = (content: string, maxTokens: number) => ({
  ...{ model: attackModels.asked, maxTokens, messages: userMessages(content) },
});
const completion = (content: string, maxTokens: number) => ({
  ...{ model: attackAlias.id, max_tokens: maxTokens, messages: userMessages(content) },
});
const response = (content: string, maxTokens: number) => ({
  ...{ model: attackModels.responding, max_output_tokens: maxTokens, input: content },
});
const message = (content: string, maxTokens: number) => ({
  ...{ model: attackModels.messaging, max_tokens: maxTokens, messages: userMessages(content) },
});
const embedding = (content: string) => ({ model: embeddingModel, input: content });

function streamed(bodyOf: Surface['bodyOf'], more: object = {}): Surface['bodyOf'] {
  return (content, maxTokens) => ({ ...bodyOf(content, maxTokens), stream: true, ...more });
}

const usage = { stream_options: { include_usage: true } };

export const surfaceRoutes: readonly Surface[] = [
  { path: '/v1/chat', wire: 'chat', bodyOf: chatBody },
  { path: '/v1/chat/stream', wire: 'chat', bodyOf: chatBody, ending: 'event: finish\n' },
  { path: '/v1/embeddings', wire: 'embeddings', bodyOf: embedding, isEmbedding: true },
  { path: '/openai/v1/chat/completions', wire: 'chat', bodyOf: completion },
  {
    ...{ path: '/openai/v1/chat/completions', wire: 'chat', bodyOf: streamed(completion, usage) },
    ending: 'data: [DONE]\n',
  },
  { path: '/openai/v1/responses', wire: 'responses', bodyOf: response },
  {
    ...{ path: '/openai/v1/responses', wire: 'responses', bodyOf: streamed(response) },
    ending: 'event: response.completed\n',
  },
  { path: '/openai/v1/embeddings', wire: 'embeddings', bodyOf: embedding, isEmbedding: true },
  { path: '/anthropic/v1/messages', wire: 'messages', bodyOf: message },
  {
    ...{ path: '/anthropic/v1/messages', wire: 'messages', bodyOf: streamed(message) },
    ending: 'event: message_stop\n',
  },
];

interface SurfaceOrder {
  readonly maxTokens?: number | undefined;
  readonly rates?: Rates;
  readonly instructions?: PlatformInstructions;
  /** In the body for `/v1`, otherwise in a header. */
  readonly userId?: string | undefined;
}

/** One body size on every surface: the cost is the same everywhere, and equals the reservation. */
export function surfaceCall(
  surface: Surface,
  label: string,
  order: SurfaceOrder = {},
): SurfaceCall {
  const { maxTokens = surfaceTokens.output, rates = attackRates, userId } = order;
  const instructions: PlatformInstructions = order.instructions ?? attackApps.surfaces.instructions;
  const { input } = surfaceTokens;
  const output = surface.isEmbedding === true ? {} : { outputTokens: 'all' };
  const bills = { inputTokens: input, ...output, ...instructions.bills };
  const text = JSON.stringify({ label, ...instructions, bills });
  const own = surface.path.startsWith('/v1/') ? { userId } : {};
  const written = (content: string) =>
    JSON.stringify({ ...surface.bodyOf(content, maxTokens), ...own });
  const missing = input - preambleTokens - Buffer.byteLength(written(text));
  const body = written(text + ' '.repeat(missing));
  const maximumCostPicoUsd =
    surface.isEmbedding === true
      ? mostOf(input, surfaceTokens.output, attackRates)
      : mostOf(input, maxTokens, rates);
  return { label, maximumCostPicoUsd, surface, body, userId };
}

export interface Target {
  readonly url: string;
  readonly apiKey: string;
}

/** `tries` is the number of earlier attempts. */
export function request(
  { url, apiKey }: Target,
  call: SurfaceCall,
  { tries, signal }: { readonly tries: number; readonly signal: AbortSignal },
): Promise<Response> {
  return fetch(`${url}${call.surface.path}`, {
    ...{ method: 'POST', body: call.body, signal },
    headers: {
      ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      ...{ 'x-api-key': apiKey, ...namedBy(call, tries), ...ofUser(call) },
    },
  });
}

export async function sendOn(
  target: Target,
  call: SurfaceCall,
  { tries, isDisconnected = false }: { readonly tries: number; readonly isDisconnected?: boolean },
): Promise<CallOutcome> {
  const leaving = new AbortController();
  try {
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(timeoutMs)]);
    const response = await request(target, call, { tries, signal });
    if (response.status === 200 && isDisconnected) {
      await response.body?.getReader().read();
      return { kind: 'failed', code: 'LEFT' };
    }
    return outcomeOfResponse(response, await response.text(), call.surface.ending);
  } catch (error) {
    return { kind: 'failed', code: String(error) };
  } finally {
    leaving.abort();
  }
}

/** A client without keys counts its retries, and sends them to the same service. */
function namedBy({ label, isKeyless }: SurfaceCall, tries: number): Record<string, string> {
  return isKeyless === true
    ? { 'x-stainless-retry-count': String(tries) }
    : { 'idempotency-key': label };
}

function ofUser({ surface, userId }: SurfaceCall): Record<string, string> {
  return userId === undefined || surface.path.startsWith('/v1/') ? {} : { 'x-user-id': userId };
}

const timeoutMs = 30_000;

export function outcomeOfResponse(
  { status, headers }: Response,
  text: string,
  ending = '',
): CallOutcome {
  if (status !== 200) {
    const { code = '', message = '' } = JSON.parse(text).error ?? {};
    const scope = headers.get('x-budget-scope') ?? undefined;
    const outcome = outcomeOfRefusal({
      status,
      message,
      scope,
      code: headers.get('x-error-code') ?? code,
    });
    return outcome.kind === 'failed'
      ? { ...outcome, callId: headers.get('x-call-id') ?? undefined }
      : outcome;
  }
  if (!text.includes(ending)) return { kind: 'failed', code: 'CUT' };
  const callId = headers.get('x-call-id') ?? '';
  // A relayed stream has no field for its cost.
  const inBody = /"cost":\{"usd":"([\d.]+)"/.exec(text)?.[1];
  const picoUsd = parseUsd(headers.get('x-cost-usd') ?? inBody ?? '0') ?? 0n;
  return { kind: 'answered', callId, requestId: undefined, picoUsd };
}
