import { request } from 'node:http';
import type { Served } from '../support/process.ts';

export interface Answered {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** One call of an app, on its own connection: the system picks the thread. */
export function callAlone(
  { url }: Pick<Served, 'url'>,
  apiKey: string,
  parts: { readonly model?: string; readonly key?: string; readonly path?: string } = {},
): Promise<Answered> {
  const { model = 'sim-echo', key, path = '/v1/chat' } = parts;
  const isCall = path === '/v1/chat';
  const body = JSON.stringify({
    model,
    maxTokens: 50,
    messages: [{ role: 'user', content: 'Hi' }],
  });
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}${path}`,
      {
        method: isCall ? 'POST' : 'GET',
        agent: false,
        headers: {
          'x-api-key': apiKey,
          ...(isCall && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          text += chunk;
        });
        incoming.on('end', () => {
          const { statusCode: status = 0, headers } = incoming;
          resolve({ status, body: text, headers });
        });
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(isCall ? body : undefined);
  });
}

/** The services that have responded, by the log lines. */
export function instancesOf({ log }: Pick<Served, 'log'>): ReadonlySet<string> {
  const names = log().matchAll(/"instance":"([^"]+)"/g);
  return new Set([...names].map(([, name = '']) => name));
}

/** The number of responses with each status. */
export function statusesOf(answers: readonly Answered[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
