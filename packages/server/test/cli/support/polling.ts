import { until } from '../../../../../harness/until.ts';

/** A response of a running service. */
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A chat by HTTP. */
export async function chat(url: string, apiKey: string): Promise<Answer> {
  const messages = [{ role: 'user', content: 'Hello!' }];
  const response = await fetch(`${url}/v1/chat`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sim-echo', maxTokens: 50, messages }),
  });
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null) throw new Error('the answer is no object');
  return { status: response.status, body: { ...body } };
}

/** Chats until a response matches, and returns it. */
export async function chatUntil(
  parts: { readonly url: string; readonly apiKey: string },
  isIt: (answer: Answer) => boolean,
): Promise<Answer> {
  let last: Answer | undefined;
  return until(
    async () => {
      last = await chat(parts.url, parts.apiKey);
      return isIt(last) && last;
    },
    () => `another answer than ${JSON.stringify(last)}`,
  );
}

export function hasStatus(status: number): (answer: Answer) => boolean {
  return (answer) => answer.status === status;
}

export function hasCode(code: string): (answer: Answer) => boolean {
  return ({ body }) => JSON.stringify(body.error ?? '').includes(`"code":"${code}"`);
}
