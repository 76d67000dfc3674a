import { randomUUID } from 'node:crypto';
import type { Target } from '../load/job.ts';

/**
 * Calls twice with one idempotency key. Throws if the second response is not the stored first one:
 * a scenario with such keys would measure something else.
 */
export async function proveReplay({ url, path, headers, body }: Target): Promise<void> {
  const allHeaders = {
    ...headers,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const call = async () => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers: allHeaders, body });
    const isReplayed = response.headers.get('idempotent-replayed') === 'true';
    return { status: response.status, isReplayed, text: await response.text() };
  };
  const first = await call();
  const second = await call();
  if (first.status === 200 && !first.isReplayed && second.isReplayed && first.text === second.text)
    return;
  throw new Error(`a call with an idempotency key was not stored: ${JSON.stringify(second)}`);
}
