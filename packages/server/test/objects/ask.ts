import type { Answer, Script } from '@model-gateway/simulator';
import type { Exchange } from '../support/exchange.ts';
import { meet } from '../support/exchange.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';

/** The modes in which a model can return an object, and a model of each. */
export const modes = [
  { mode: 'json-schema', model: 'sim-echo' },
  { mode: 'json-object', model: 'echo-json-object' },
  { mode: 'tool', model: 'echo-tool' },
] as const;

const prices =
  'inputUsdPerMillion: "0.15", cacheWriteInputUsdPerMillion: "0.1875", outputUsdPerMillion: "0.6"';

/** Two apps, and well-behaved models of every mode. */
export const modesYaml = `${defaultYaml}
models:
  - { id: echo-json-object, platform: sandbox, upstreamModel: sim-echo, structuredOutput: json-object, ${prices} }
  - { id: echo-tool, platform: sandbox, upstreamModel: sim-echo, structuredOutput: tool, ${prices} }
`;

/** A schema with one rule of each common kind. */
export const bookSchema = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 100 },
    pages: { type: 'integer', minimum: 1 },
    tags: { type: 'array', items: { type: 'string', enum: ['old', 'new'] } },
  },
  required: ['title', 'pages', 'tags'],
  additionalProperties: false,
} as const;

/** The smallest request for an object. */
export function objectOf(model: string, more: object = {}) {
  const messages = [{ role: 'user', content: 'Tell me of a book.' }] as const;
  return { model, maxTokens: 500, messages, schema: bookSchema, ...more };
}

/** One object, through an app's client. */
export function meetObject(
  stack: Stack,
  app: string,
  model: string,
  more: object = {},
): Promise<Exchange> {
  return meet(stack, app, (client) => client.object<unknown>(objectOf(model, more)));
}

/** A raw request, in as much virtual time as it needs. */
export async function sendTo(
  stack: Stack,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Exchange> {
  return received(await stack.post('search', path, body, { headers }));
}

/**
 * A request in real time, since a test clock cannot pause the threads that check costly schemas.
 */
export async function sendInRealTime(
  stack: Stack,
  path: string,
  body: object,
  app = 'search',
): Promise<Exchange> {
  const headers = { 'x-api-key': await stack.key(app), 'content-type': 'application/json' };
  const init = { method: 'POST', body: JSON.stringify(body), headers };
  return received(await stack.fetch(`http://gateway.test${path}`, init));
}

async function received(response: Response): Promise<Exchange> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: JSON.parse(text), error: undefined };
}

/** A model that responds with this text, and as a tool's input if a tool is forced on it. */
export function writing(text: string): Script {
  return ({ request }) => {
    const [tool] = request.tools;
    if (tool === undefined) return { kind: 'answer', text };
    return { kind: 'answer', toolCalls: [{ name: tool.name, arguments: text }] };
  };
}

/** The part of a request with the response instructions for a model which is `asTold`. */
export function told(answer: Omit<Answer, 'kind'>) {
  const content = JSON.stringify({ ...answer, kind: 'answer' });
  return { messages: [{ role: 'user', content }] } as const;
}

/** A model that follows its last user text; for any other text its response is arbitrary. */
export const asTold: Script = ({ request }) => {
  const text = request.messages.findLast(({ role }) => role === 'user')?.texts.join('') ?? '';
  return text.startsWith('{') ? JSON.parse(text) : undefined;
};
