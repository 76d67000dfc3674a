import type { Stack } from '../support/stack.ts';
import type { StreamCaller } from './support/caller.ts';
import { bounds } from './support/house.ts';
import type { Amounts } from './support/oracle.ts';
import { tokensOf } from './support/oracle.ts';
import {
  type Orders,
  type ToldModel,
  toldChat,
  toldObject,
  toldTurn,
  twentyWords,
} from './support/told.ts';

/** One row of "who pays", as the ledger must have it for a streamed call. */
export interface Row {
  readonly what: string;
  readonly model?: ToldModel;
  readonly path?: '/v1/agents/stream' | '/v1/objects/stream';
  readonly orders: Orders;
  readonly maxTokens?: number;
  /** The caller's action; it reads to the end by default. */
  readonly does?: (caller: StreamCaller, stack: Stack) => Promise<void>;
  /** The last event that it sees, or `left`. */
  readonly sees: string;
  readonly code: string;
  readonly basis: 'exact' | 'estimated';
  readonly budget: (amounts: Amounts) => bigint;
  readonly wallet: (amounts: Amounts, seen: { bytes: number; hasKey: boolean }) => bigint;
}

/** The body of a row's request. */
export function bodyOf({ path, model = 'told-chat', maxTokens = 100, orders }: Row) {
  const more = { model, maxTokens };
  if (path === '/v1/agents/stream') return toldTurn(orders, more);
  return path === undefined ? toldChat(orders, more) : toldObject(orders, more);
}

const text = twentyWords;
const tokens = 20;
const gapMs = 100;
const whole = { stream: { gapMs } } as const;
const stopped = (how: 'break' | 'silence' | 'error' | 'end', after: number): Orders => ({
  text,
  stream: { gapMs, stop: { how, after } },
});
const badCall = [{ name: 'weather', arguments: '{"city": Ulm' }] as const;
const badCallTokens = 4 + tokensOf('weather') + tokensOf('{"city": Ulm');

const nothing = () => 0n;
const most = (amounts: Amounts) => amounts.most;
const delivered: Row['wallet'] = (amounts, { bytes }) => amounts.bytes(bytes);
/** With a key nothing: its caller gets all of it by the key, or none. */
const deliveredWithoutKey: Row['wallet'] = (amounts, { bytes, hasKey }) =>
  hasKey ? 0n : amounts.bytes(bytes);
const exact = (outputTokens: number) => (amounts: Amounts) => amounts.exact(outputTokens);
const exactWithKey =
  (outputTokens: number): Row['wallet'] =>
  (amounts, { hasKey }) =>
    hasKey ? amounts.exact(outputTokens) : 0n;

const finished = { sees: 'finish', code: 'OK' } as const;
const left = { sees: 'left', code: 'ABORTED' } as const;
const broken = { sees: 'error SERVER', code: 'SERVER', basis: 'estimated' } as const;
const timedOut = { sees: 'error TIMEOUT', code: 'TIMEOUT' } as const;
const paidExactly = (outputTokens: number) =>
  ({ basis: 'exact', budget: exact(outputTokens), wallet: exact(outputTokens) }) as const;

/** Reads five words, and disconnects. */
async function leavesAfterFive(caller: StreamCaller) {
  await caller.until(() => caller.text().length >= 20);
  caller.leave();
}

const ended: readonly Row[] = [
  { what: 'it is finished', orders: { text, ...whole }, ...finished, ...paidExactly(tokens) },
  {
    what: 'it is finished after reasoning',
    orders: { text, reasoningTokens: 40, ...whole },
    ...finished,
    ...paidExactly(tokens + 40),
  },
  {
    what: 'it is an agent turn, with a whole tool call',
    path: '/v1/agents/stream',
    orders: {
      text,
      toolCalls: [{ name: 'weather', arguments: '{"city":"Ulm"}' }],
      stream: { gapMs, toolPieces: 12 },
    },
    ...finished,
    ...paidExactly(tokens + 4 + tokensOf('weather') + tokensOf('{"city":"Ulm"}')),
  },
  {
    what: 'it is an object',
    path: '/v1/objects/stream',
    orders: { text: '{"city":"Ulm an der Donau"}', ...whole },
    ...finished,
    ...paidExactly(tokensOf('{"city":"Ulm an der Donau"}')),
  },
  {
    what: 'it states no tokens first, and the true ones last',
    orders: { text, stream: { gapMs, counts: 'zero-first' } },
    ...finished,
    ...paidExactly(tokens),
  },
  {
    what: 'it states its tokens beside its last words',
    orders: { text, stream: { gapMs, counts: 'last' } },
    ...finished,
    ...paidExactly(tokens),
  },
  {
    what: 'it stops at maxTokens after text',
    orders: { text, ...whole },
    maxTokens: 16,
    ...{ sees: 'error TRUNCATED', code: 'TRUNCATED' },
    ...paidExactly(16),
  },
  {
    what: 'it ends cleanly without counts',
    orders: { text, states: 'absent', ...whole },
    ...{ ...finished, basis: 'estimated', budget: most, wallet: delivered },
  },
  {
    what: 'it states its tokens as text',
    orders: { text, states: { inputTokens: '12', outputTokens: '12' }, ...whole },
    ...{ ...finished, basis: 'estimated', budget: most, wallet: delivered },
  },
];

const bad: readonly Row[] = [
  {
    what: 'its tool call is wrong after text',
    path: '/v1/agents/stream',
    orders: { text, toolCalls: badCall, ...whole },
    ...{ sees: 'error BAD_OUTPUT', code: 'BAD_OUTPUT' },
    ...paidExactly(tokens + badCallTokens),
  },
  {
    what: 'its tool call is wrong, and there was no text',
    path: '/v1/agents/stream',
    orders: { text: '', toolCalls: badCall, ...whole },
    ...{ sees: 'error BAD_OUTPUT', code: 'BAD_OUTPUT', basis: 'exact' },
    ...{ budget: exact(badCallTokens), wallet: nothing },
  },
  {
    what: 'its object is none',
    path: '/v1/objects/stream',
    orders: { text: '{"city": 12, "more": true}', ...whole },
    ...{ sees: 'error BAD_OUTPUT', code: 'BAD_OUTPUT' },
    ...paidExactly(tokensOf('{"city": 12, "more": true}')),
  },
];

const leaving: readonly Row[] = [
  {
    what: 'its caller leaves before the first delta',
    orders: { text, delayMs: 5_000, ...whole },
    async does(caller, stack) {
      await stack.clock.advance(1_000);
      caller.leave();
    },
    ...{ ...left, basis: 'exact', budget: exact(tokens), wallet: exactWithKey(tokens) },
  },
  {
    what: 'its caller leaves during reasoning',
    orders: { text, reasoningTokens: 40, ...whole },
    async does(caller) {
      await caller.until(() => caller.events.length > 0);
      caller.leave();
    },
    ...{ ...left, basis: 'exact', budget: exact(tokens + 40), wallet: exactWithKey(tokens + 40) },
  },
  {
    what: 'its caller leaves after text',
    orders: { text, ...whole },
    does: leavesAfterFive,
    ...left,
    ...paidExactly(tokens),
  },
  {
    what: 'its caller leaves after text, and no counts come',
    orders: { text, states: 'absent', ...whole },
    does: leavesAfterFive,
    ...{ ...left, basis: 'estimated', budget: most, wallet: delivered },
  },
  {
    what: 'its caller leaves after text, and nothing more comes',
    orders: stopped('silence', 5),
    does: leavesAfterFive,
    ...{ ...left, basis: 'estimated', budget: most, wallet: deliveredWithoutKey },
  },
  {
    what: 'totalMs passes, and the counts come afterwards',
    orders: { text, stream: { gapMs: bounds.totalMs / 12 } },
    ...timedOut,
    ...paidExactly(tokens),
  },
  {
    what: 'totalMs passes, and no counts come',
    orders: { text, states: 'absent', stream: { gapMs: bounds.totalMs / 12 } },
    ...{ ...timedOut, basis: 'estimated', budget: most, wallet: delivered },
  },
  {
    what: 'firstMs passes',
    orders: { text, delayMs: bounds.firstMs + 5_000, ...whole },
    ...{ sees: '504 TIMEOUT', code: 'TIMEOUT', basis: 'exact' },
    ...{ budget: exact(tokens), wallet: exactWithKey(tokens) },
  },
];

const breaks: readonly Row[] = [
  ...(['told-chat', 'told-responses', 'told-messages'] as const).flatMap((model) =>
    (['break', 'error', 'end', 'silence'] as const).map((how): Row => {
      // Messages report the request first.
      const isStated = model === 'told-messages';
      return {
        what: `${model} ${how === 'error' ? 'has an error event' : `comes to a ${how}`} after five words`,
        model,
        orders: stopped(how, 5),
        ...broken,
        ...(how === 'silence' ? timedOut : {}),
        budget: isStated ? (amounts) => amounts.statedInput() : most,
        wallet: nothing,
        // A failed response reports it in its last event, with all its counts.
        ...(model === 'told-responses' && how === 'error'
          ? { basis: 'exact', budget: exact(5) }
          : {}),
      };
    }),
  ),
  {
    what: 'it ends after its text, without a terminal event',
    orders: stopped('end', 20),
    ...{ ...broken, budget: most, wallet: nothing },
  },
  {
    what: 'it breaks when its counts have come with each delta',
    orders: { text, stream: { gapMs, counts: 'each', stop: { how: 'break', after: 5 } } },
    ...{ ...broken, budget: (amounts) => amounts.statedInput(), wallet: nothing },
  },
  {
    what: 'it breaks before its first delta, three times',
    orders: stopped('break', 0),
    ...{ ...broken, sees: '502 SERVER', budget: (amounts) => amounts.most * 3n, wallet: nothing },
  },
];

/** The table: each way in which a streamed call can end. */
export const rows: readonly Row[] = [...ended, ...bad, ...leaving, ...breaks];
