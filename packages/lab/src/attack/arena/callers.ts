import {
  type CallOptions,
  type ChatAnswer,
  type Client,
  createClient,
  LlmError,
} from '@model-gateway/sdk';
import type { Clock } from '@model-gateway/server/lib/clock';
import { sleep } from '@model-gateway/server/lib/clock';
import { parseUsd } from '@model-gateway/server/lib/money';
import { AdminError } from '@model-gateway/server/operations/context/admin-error';
import type { Told, ToldCall } from '../books/books.ts';
import type { Ask } from './ask.ts';
import type { Chance } from './chance.ts';

export interface Callers {
  readonly told: readonly ToldCall[];
  /** With one key, at any service, until it is answered or refused. */
  call(account: string, ask: Ask, way?: Way): Promise<ToldCall>;
  /** For any protocol: `once` sends it one time. */
  callBy(account: string, ask: Named, once: Once): Promise<ToldCall>;
  /** The platform loses the answer, or the caller leaves. */
  callInVain(account: string, ask: Ask, leavesAfterMs?: number): Promise<ToldCall>;
  /** The caller leaves after so many events, or the platform breaks it off. */
  streamInVain(account: string, ask: Ask, leavesAfterEvents?: number): Promise<ToldCall>;
  note(calls: readonly ToldCall[]): void;
  budget(account: string): Promise<{ readonly leftPicoUsd: bigint; readonly heldPicoUsd: bigint }>;
}

type Named = Pick<Ask, 'label' | 'mostPicoUsd'>;

/** `tries` is how often it was sent before. */
type Once = (tries: number) => Promise<Told>;

export type Way = 'whole' | 'stream';

const triesMax = 240;
const waitMs = 250;

/** URLs may change. `clientOf` gives a client of the account's app. */
export function createCallers(parts: {
  readonly clientOf: (account: string) => Client;
  readonly clock: Clock;
  readonly isOver: () => boolean;
}): Callers {
  const { clientOf, clock, isOver } = parts;
  const told: ToldCall[] = [];
  return {
    ...{ told, call, callBy, callInVain, streamInVain },
    budget: (account) => budgetOf(parts, account),
    note: (calls) => void told.push(...calls),
  };

  function call(account: string, ask: Ask, way: Way = 'whole'): Promise<ToldCall> {
    return callBy(account, ask, () => once(way === 'whole' ? chat : lastOfStream, account, ask));
  }

  async function callBy(account: string, ask: Named, send: Once): Promise<ToldCall> {
    let code = '';
    const failedIds: string[] = [];
    for (let tries = 0; tries < triesMax && !isOver(); tries++) {
      const came = await send(tries);
      if (came.kind !== 'failed') return note(account, ask, { ...came, failedIds });
      code = came.code;
      if (came.callId !== undefined) failedIds.push(came.callId);
      await sleep(clock, waitMs);
    }
    return note(account, ask, { kind: 'failed', code, failedIds });
  }

  async function callInVain(account: string, ask: Ask, leavesAfterMs?: number) {
    const leaving = new AbortController();
    const timer =
      leavesAfterMs === undefined ? undefined : clock.after(leavesAfterMs, () => leaving.abort());
    const came = await once(chat, account, ask, { signal: leaving.signal });
    timer?.cancel();
    return note(account, ask, came.kind === 'failed' ? { kind: 'left' } : came);
  }

  async function streamInVain(account: string, ask: Ask, leavesAfterEvents?: number) {
    const came = await once(partOfStream(leavesAfterEvents), account, ask);
    return note(account, ask, came.kind === 'failed' ? { kind: 'left' } : came);
  }

  async function once(
    asking: Asking,
    account: string,
    ask: Ask,
    more: CallOptions = {},
  ): Promise<Told> {
    try {
      const answer = await asking(clientOf(account), ask, { ...more, idempotencyKey: ask.label });
      if (answer === undefined) return { kind: 'left' };
      const { id, requestId, cost } = answer;
      const picoUsd = parseUsd(cost.usd ?? '0') ?? 0n;
      return { kind: 'answered', callId: id, requestId: requestId ?? undefined, picoUsd };
    } catch (error) {
      if (!LlmError.is(error)) throw error;
      return toldByRefusal(error);
    }
  }

  function note(
    account: string,
    { label, mostPicoUsd }: Named,
    came: Told & Pick<ToldCall, 'failedIds'>,
  ): ToldCall {
    const call = { account, label, mostPicoUsd, ...came };
    told.push(call);
    return call;
  }
}

/** Asks until a service answers. */
async function budgetOf(
  { clientOf, clock, isOver }: Parameters<typeof createCallers>[0],
  account: string,
) {
  for (let tries = 0; ; tries++) {
    try {
      const usage = await clientOf(account).usage();
      const { remainingUsd = '0', heldUsd = '0' } = usage.budget ?? {};
      return { leftPicoUsd: parseUsd(remainingUsd) ?? 0n, heldPicoUsd: parseUsd(heldUsd) ?? 0n };
    } catch (error) {
      if (!LlmError.is(error)) throw error;
      if (tries >= triesMax || isOver())
        throw new AdminError(`usage of ${account}: ${error.message}`);
      await sleep(clock, waitMs);
    }
  }
}

export function toldByRefusal({
  code,
  status,
  message,
  scope,
}: Pick<LlmError, 'code' | 'status' | 'message'> & { readonly scope?: string | undefined }): Told {
  if (code === 'BUDGET_EXCEEDED') {
    // One run is attacked: its id says no more than that it is one.
    return { kind: 'refused', message, scope: scope?.replace(/^run:.+$/, 'run') };
  }
  // No wallet of the attack is empty: its refusal is never a true one.
  if (code === 'INSUFFICIENT_CREDITS') return { kind: 'refused', message, scope: 'wallet' };
  const isFinal = status >= 400 && status < 500 && status !== 429 && status !== 499;
  return { kind: isFinal ? 'denied' : 'failed', code };
}

/** Undefined when its caller left before the end. */
type Asking = (client: Client, ask: Ask, options: CallOptions) => Promise<ChatAnswer | undefined>;

const chat: Asking = (client, { request }, options) => client.chat(request, options);

function partOfStream(leavesAfterEvents: number | undefined): Asking {
  return async (client, { request }, options) => {
    const stream = client.chatStream(request, options);
    let events = 0;
    for await (const event of stream) {
      if (event.type === 'finish') return stream.final();
      events += 1;
      if (events === leavesAfterEvents) break;
    }
    return undefined;
  };
}

const lastOfStream: Asking = (client, { request }, options) =>
  client.chatStream(request, options).final();

export function anyClient(urls: readonly string[], apiKey: string, chance: Chance): Client {
  const url = urls[chance.below(urls.length)] ?? '';
  return createClient({ baseUrl: `${url}/v1`, apiKey, maxAttempts: 1, timeoutMs: 30_000 });
}

export async function atOnce<Item, Result>(
  items: readonly Item[],
  callers: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.values();
  const caller = async () => {
    for (const item of left) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return results;
}
