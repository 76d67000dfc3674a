import type { Stack } from '../../test/support/stack.ts';
import type { Seeded } from './seeded.ts';

/** The result of one request for its client; the simulation's auditor has only this. */
export interface ClientRecord {
  readonly app: string;
  readonly userId: string | undefined;
  readonly key: string | undefined;
  readonly status: number;
  readonly isReplayed: boolean;
  readonly text: string;
}

const apps = ['search', 'tutor'] as const;
const users = ['ann', 'bob', 'eve'] as const;

/** Callers that never pause: keys are shared and repeated, callers disconnect, time passes. */
export async function runWorkload(
  stack: Stack,
  seeded: Seeded,
  size: { readonly callers: number; readonly calls: number },
): Promise<readonly ClientRecord[]> {
  const records: ClientRecord[] = [];
  for (const app of apps) await stack.key(app);
  const caller = async () => {
    for (let call = 0; call < size.calls; call++) {
      const record = await oneCall(stack, seeded);
      if (record !== undefined) records.push(record);
      await pause(stack, seeded.below(2_000));
    }
  };
  await stack.clock.run(Promise.all(Array.from({ length: size.callers }, caller)));
  return records;
}

async function oneCall(stack: Stack, seeded: Seeded): Promise<ClientRecord | undefined> {
  const app = seeded.pick(apps);
  const userId = app === 'tutor' ? seeded.pick(users) : undefined;
  const key = seeded.is(0.6) ? `key-${seeded.below(40)}` : undefined;
  const maxTokens = key === undefined ? 50 + seeded.below(400) : 200;
  const content = key ?? 'Tell me about holds.';
  const body = { model: 'sim-echo', maxTokens, messages: [{ role: 'user', content }] };
  const leaving = new AbortController();
  if (seeded.is(0.15)) stack.clock.after(seeded.below(20_000), () => leaving.abort());
  try {
    const response = await stack.fetch('http://gateway.test/v1/chat', {
      method: 'POST',
      headers: {
        'x-api-key': await stack.key(app),
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': `${key}-${userId}` }),
      },
      body: JSON.stringify(userId === undefined ? body : { ...body, userId }),
      signal: leaving.signal,
    });
    const isReplayed = response.headers.has('idempotent-replayed');
    const text = await response.text();
    return { app, userId, key, status: response.status, isReplayed, text };
  } catch (error) {
    if (leaving.signal.aborted) return undefined;
    throw error;
  }
}

function pause(stack: Stack, ms: number): Promise<void> {
  return new Promise((resolve) => {
    stack.clock.after(ms, resolve);
  });
}
