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
import type { CallOutcome, CallResult } from '../books/books.ts';
import type { Chance } from './chance.ts';
import type { PlannedCall } from './planned-call.ts';

export interface Callers {
  readonly callResults: readonly CallResult[];
  /** With one key, at any service, until it succeeds or is rejected. */
  call(account: string, planned: PlannedCall, way?: Way): Promise<CallResult>;
  /** For any protocol: `once` sends the request one time. */
  callBy(account: string, planned: Named, once: Once): Promise<CallResult>;
  /** The platform loses the response, or the caller disconnects. */
  callInVain(account: string, planned: PlannedCall, leavesAfterMs?: number): Promise<CallResult>;
  /** The caller disconnects after this many events, or the platform breaks the stream. */
  streamInVain(
    account: string,
    planned: PlannedCall,
    leavesAfterEvents?: number,
  ): Promise<CallResult>;
  note(calls: readonly CallResult[]): void;
  budget(
    account: string,
  ): Promise<{ readonly remainingPicoUsd: bigint; readonly heldPicoUsd: bigint }>;
}

type Named = Pick<PlannedCall, 'label' | 'maximumCostPicoUsd'>;

/** `tries` is the number of earlier attempts. */
type Once = (tries: number) => Promise<CallOutcome>;

export type Way = 'whole' | 'stream';

const triesMax = 240;
const waitMs = 250;

/** URLs may change. `clientOf` returns a client of the account's app. */
export function createCallers(parts: {
  readonly clientOf: (account: string) => Client;
  readonly clock: Clock;
  readonly isOver: () => boolean;
}): Callers {
  const { clientOf, clock, isOver } = parts;
  const callResults: CallResult[] = [];
  return {
    ...{ callResults, call, callBy, callInVain, streamInVain },
    budget: (account) => budgetOf(parts, account),
    note: (calls) => void callResults.push(...calls),
  };

  function call(account: string, planned: PlannedCall, way: Way = 'whole'): Promise<CallResult> {
    return callBy(account, planned, () =>
      once(way === 'whole' ? chat : lastOfStream, account, planned),
    );
  }

  async function callBy(account: string, planned: Named, send: Once): Promise<CallResult> {
    let code = '';
    const failedIds: string[] = [];
    for (let tries = 0; tries < triesMax && !isOver(); tries++) {
      const came = await send(tries);
      if (came.kind !== 'failed') return note(account, planned, { ...came, failedIds });
      code = came.code;
      if (came.callId !== undefined) failedIds.push(came.callId);
      await sleep(clock, waitMs);
    }
    return note(account, planned, { kind: 'failed', code, failedIds });
  }

  async function callInVain(account: string, planned: PlannedCall, leavesAfterMs?: number) {
    const leaving = new AbortController();
    const timer =
      leavesAfterMs === undefined ? undefined : clock.after(leavesAfterMs, () => leaving.abort());
    const came = await once(chat, account, planned, { signal: leaving.signal });
    timer?.cancel();
    return note(account, planned, came.kind === 'failed' ? { kind: 'left' } : came);
  }

  async function streamInVain(account: string, planned: PlannedCall, leavesAfterEvents?: number) {
    const came = await once(partOfStream(leavesAfterEvents), account, planned);
    return note(account, planned, came.kind === 'failed' ? { kind: 'left' } : came);
  }

  async function once(
    send: SendCall,
    account: string,
    planned: PlannedCall,
    more: CallOptions = {},
  ): Promise<CallOutcome> {
    try {
      const answer = await send(clientOf(account), planned, {
        ...more,
        idempotencyKey: planned.label,
      });
      if (answer === undefined) return { kind: 'left' };
      const { id, requestId, cost } = answer;
      const picoUsd = parseUsd(cost.usd ?? '0') ?? 0n;
      return { kind: 'answered', callId: id, requestId: requestId ?? undefined, picoUsd };
    } catch (error) {
      if (!LlmError.is(error)) throw error;
      return outcomeOfRefusal(error);
    }
  }

  function note(
    account: string,
    { label, maximumCostPicoUsd }: Named,
    came: CallOutcome & Pick<CallResult, 'failedIds'>,
  ): CallResult {
    const call = { account, label, maximumCostPicoUsd, ...came };
    callResults.push(call);
    return call;
  }
}

/** Retries until a service responds. */
async function budgetOf(
  { clientOf, clock, isOver }: Parameters<typeof createCallers>[0],
  account: string,
) {
  for (let tries = 0; ; tries++) {
    try {
      const usage = await clientOf(account).usage();
      const { remainingUsd = '0', heldUsd = '0' } = usage.budget ?? {};
      return {
        remainingPicoUsd: parseUsd(remainingUsd) ?? 0n,
        heldPicoUsd: parseUsd(heldUsd) ?? 0n,
      };
    } catch (error) {
      if (!LlmError.is(error)) throw error;
      if (tries >= triesMax || isOver())
        throw new AdminError(`usage of ${account}: ${error.message}`);
      await sleep(clock, waitMs);
    }
  }
}

export function outcomeOfRefusal({
  code,
  status,
  message,
  scope,
}: Pick<LlmError, 'code' | 'status' | 'message'> & {
  readonly scope?: string | undefined;
}): CallOutcome {
  if (code === 'BUDGET_EXCEEDED') {
    // One run is attacked: replace its id by a fixed name.
    return { kind: 'refused', message, scope: scope?.replace(/^run:.+$/, 'run') };
  }
  // No wallet of the attack is empty: its rejection is always false.
  if (code === 'INSUFFICIENT_CREDITS') return { kind: 'refused', message, scope: 'wallet' };
  const isFinal = status >= 400 && status < 500 && status !== 429 && status !== 499;
  return { kind: isFinal ? 'denied' : 'failed', code };
}

/** Undefined if its caller disconnected before the end. */
type SendCall = (
  client: Client,
  planned: PlannedCall,
  options: CallOptions,
) => Promise<ChatAnswer | undefined>;

const chat: SendCall = (client, { request }, options) => client.chat(request, options);

function partOfStream(leavesAfterEvents: number | undefined): SendCall {
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

const lastOfStream: SendCall = (client, { request }, options) =>
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
  const remaining = items.values();
  const caller = async () => {
    for (const item of remaining) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return results;
}
