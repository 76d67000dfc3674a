import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kind, kinds } from './kinds.ts';

/** The counts of requests and responses. */
export interface Tally {
  sent: number;
  /** Requests that wait for their response. */
  running: number;
  readonly answered: Map<string, number>;
  /** Responses that their kind does not allow, with their bodies. */
  readonly unexpected: string[];
  unexpectedCount: number;
}

/** The limits of a shown body's length, and of shown bodies. */
const shownCharacters = 200;
const shownMax = 10;

export function createTally(): Tally {
  return { sent: 0, running: 0, answered: new Map(), unexpected: [], unexpectedCount: 0 };
}

/**
 * Sends requests of all kinds in a fixed order at a fixed rate, however long their responses take;
 * resolves after the last response. A machine that is too slow sends less.
 */
export async function runMix(parts: {
  readonly url: string;
  readonly keyOf: (kind: Kind) => string;
  readonly callsPerSecond: number;
  readonly runningMax: number;
  readonly lastsMs: number;
  readonly tally: Tally;
}): Promise<void> {
  const { tally, lastsMs, callsPerSecond } = parts;
  const order = shuffled(kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind)));
  const startedMs = performance.now();
  const running = new Set<Promise<void>>();
  for (let number = 0; ; ) {
    const lastedMs = performance.now() - startedMs;
    if (lastedMs >= lastsMs) break;
    const due = Math.floor((lastedMs / 1_000) * callsPerSecond);
    for (; number < due; number++) {
      const kind = order[number % order.length];
      if (kind === undefined || tally.running >= parts.runningMax) continue;
      const work = meet(kind, number).finally(() => running.delete(work));
      running.add(work);
    }
    await sleep(5);
  }
  await Promise.all(running);

  async function meet(kind: Kind, number: number) {
    const idempotencyKey = kind.hasIdempotencyKey === true ? randomUUID() : undefined;
    const once = () => call({ kind, number, idempotencyKey });
    if (kind.isRepeated === 'at once') await Promise.all([once(), once()]);
    else await once();
    if (kind.isRepeated === 'afterwards') await once();
  }

  async function call(request: Request) {
    const { kind } = request;
    tally.sent += 1;
    tally.running += 1;
    const { status, text } = await answerOf(parts.url, parts.keyOf(kind), request);
    tally.running -= 1;
    const name = `${kind.name}: ${status}`;
    tally.answered.set(name, (tally.answered.get(name) ?? 0) + 1);
    if (kind.statuses.includes(status)) return;
    tally.unexpectedCount += 1;
    if (tally.unexpected.length < shownMax) tally.unexpected.push(`${name} ${text}`);
  }
}

interface Request {
  readonly kind: Kind;
  readonly number: number;
  readonly idempotencyKey: string | undefined;
}

/** The response; 499 after the client disconnected, and 0 without a response. */
async function answerOf(url: string, key: string, { kind, number, idempotencyKey }: Request) {
  const body = kind.body?.(number);
  const headers = {
    'x-api-key': key,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  const { leavesAfterMs, method } = kind;
  const signal = leavesAfterMs === undefined ? null : AbortSignal.timeout(leavesAfterMs);
  try {
    const response = await fetch(`${url}${kind.path}`, {
      ...{ method, headers, signal },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: (await response.text()).slice(0, shownCharacters) };
  } catch (error) {
    if (signal?.aborted === true) return { status: 499, text: '' };
    const cause = error instanceof Error ? error.cause : undefined;
    return { status: 0, text: `${error} ${cause ?? ''}` };
  }
}

/** A shuffled order, the same in every run. */
function shuffled<T>(list: readonly T[]): readonly T[] {
  const remaining = [...list];
  const order: T[] = [];
  for (let seed = 1; remaining.length > 0; ) {
    seed = (seed * 48_271) % 2_147_483_647;
    order.push(...remaining.splice(seed % remaining.length, 1));
  }
  return order;
}
