import { type ChatAnswer, createClient, LlmError } from '@model-gateway/sdk';
import { attackCall } from './attack-yaml.ts';

/** What one logical call came to for its caller. */
export type CallOutcome =
  | { readonly kind: 'answered'; readonly key: string; readonly answer: ChatAnswer }
  | { readonly kind: 'refused'; readonly key: string; readonly message: string }
  | { readonly kind: 'failed'; readonly key: string; readonly code: string };

/**
 * Calls that are in doubt are repeated with their key until they are answered, so often at most.
 */
const triesMax = 60;
const waitMs = 250;

/** Makes one logical call at any of the services, whichever lives, with the same key each time. */
export async function callUntilAnswered(parts: {
  readonly urls: () => readonly string[];
  readonly apiKey: string;
  readonly model: string;
  readonly key: string;
  readonly pick: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}): Promise<CallOutcome> {
  const { key, model } = parts;
  let code = '';
  for (let tries = 0; tries < triesMax; tries++) {
    const urls = parts.urls();
    const url = urls[Math.floor(parts.pick() * urls.length)] ?? '';
    const client = createClient({ baseUrl: `${url}/v1`, apiKey: parts.apiKey, maxAttempts: 1 });
    try {
      const answer = await client.chat({ model, ...attackCall }, { idempotencyKey: key });
      return { kind: 'answered', key, answer };
    } catch (error) {
      if (!LlmError.is(error)) throw error;
      code = error.code;
      if (code === 'BUDGET_EXCEEDED') return { kind: 'refused', key, message: error.message };
      await parts.wait(waitMs);
    }
  }
  return { kind: 'failed', key, code };
}

/** Runs `work` for each index, `callers` at once. */
export async function atOnce<T>(
  count: number,
  callers: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const caller = async () => {
    while (next < count) results.push(await work(next++));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return results;
}

/**
 * Whether a refusal says itself why it was right: what is spent, held and needed passes the cap.
 * The sentence has the four amounts in this order: cap, spent, held, needed.
 */
export function isTrueRefusal(message: string): boolean {
  const amounts = [...message.matchAll(/\$(\d+)(?:\.(\d+))?/g)].map(([, whole, fraction]) =>
    BigInt(`${whole}${(fraction ?? '').padEnd(12, '0')}`),
  );
  const [cap, spent, held, needed] = amounts;
  if (cap === undefined || spent === undefined || held === undefined) return false;
  return needed !== undefined && spent + held + needed > cap;
}
