import { setTimeout as sleep } from 'node:timers/promises';
import {
  attackModels,
  attackRates,
  labelOf,
} from '../../packages/lab/src/attack/arena/accounts.ts';
import {
  anyClient,
  type Callers,
  createCallers,
} from '../../packages/lab/src/attack/arena/callers.ts';
import { createChance } from '../../packages/lab/src/attack/arena/chance.ts';
import {
  createFullCostCall,
  type PlannedCall,
} from '../../packages/lab/src/attack/arena/planned-call.ts';
import type { CallResult } from '../../packages/lab/src/attack/books/books.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import type { Gateway } from './gateway.ts';

/** The app whose calls never stop, and the app whose users have wallets. */
export const steadyApp = 'steady';
export const walletApp = 'tutor';

/** Calls that fit into a user's wallet, and into a budget for each event of a phase. */
export const walletFits = 24;
export const dayFits = 20;

/** A call's tokens of output: few, which makes the bodies the largest part. */
const maxTokens = 200;

/** One call of an app, numbered; all calls of an app cost the same. */
export function plannedCallOf(app: string, index: number, delayMs: number): PlannedCall {
  const label = labelOf(app, index);
  const call = { model: attackModels.asked, rates: attackRates, maxTokens };
  return createFullCostCall({ label, ...call, instructions: { delayMs } });
}

/** The maximum cost of such a call. */
export function mostOf(app: string): bigint {
  return plannedCallOf(app, 0, 100).maximumCostPicoUsd;
}

/** Callers of the replicas, and their results with times. */
export interface Load {
  readonly callResults: readonly CallResult[];
  /** The times of good responses, in ms of the monotonic clock, in order. */
  readonly goodMs: readonly number[];
  /** The labels of the calls of each user with a wallet. */
  readonly wallets: ReadonlyMap<string, ReadonlySet<string>>;
  /** Starts calls of the unlimited app and of `dayApp`; the returned function stops them. */
  begin(dayApp: string): () => Promise<void>;
  /** Ends all callers after a failed stage, without waiting for their calls. */
  giveUp(): void;
  /** Spends a new user's wallet until it rejects a call. */
  spendWallet(): Promise<void>;
  /** Makes one call. */
  once(app: string): Promise<CallResult>;
  /** Spends the rest of a budget until it rejects a call. */
  spendDay(app: string): Promise<void>;
}

const steadyCallers = 8;
const dayCallers = 2;
const walletCallers = 3;
const spendCallers = 6;

/** Callers of a gateway; each call has a key, with which it is retried until it has a response. */
export function createLoad(gateway: Gateway): Load {
  const chance = createChance(1);
  let isAbandoned = false;
  const callers: Callers = createCallers({
    clientOf: (account) => anyClient(gateway.urls(), gateway.key(account), chance),
    clock: systemClock,
    isOver: () => isAbandoned,
  });
  const goodMs: number[] = [];
  const wallets = new Map<string, Set<string>>();
  const indexes = new Map<string, number>();
  return {
    callResults: callers.callResults,
    goodMs,
    wallets,
    begin,
    spendWallet,
    spendDay,
    once,
    giveUp,
  };

  function begin(dayApp: string) {
    let isOver = false;
    const caller = async (app: string, pauseMs: number) => {
      while (!isOver && !isAbandoned) {
        const { kind } = await call(app, 50);
        if (app === dayApp && kind === 'refused') return;
        await sleep(chance.below(2 * pauseMs));
      }
    };
    const running = [
      ...Array.from({ length: steadyCallers }, () => caller(steadyApp, 100)),
      ...Array.from({ length: dayCallers }, () => caller(dayApp, 500)),
    ];
    return async () => {
      isOver = true;
      await Promise.all(running);
    };
  }

  async function spendWallet() {
    const userId = `user-${wallets.size}`;
    wallets.set(userId, new Set());
    await atOnce(walletCallers, async () => {
      const { kind } = await call(walletApp, 300, userId);
      return kind === 'answered';
    });
  }

  function giveUp() {
    isAbandoned = true;
  }

  function once(app: string) {
    return call(app, 0);
  }

  async function spendDay(app: string) {
    await atOnce(spendCallers, async () => {
      const { kind } = await call(app, 0);
      return kind === 'answered';
    });
  }

  async function call(app: string, delayMs: number, userId?: string): Promise<CallResult> {
    const index = indexes.get(app) ?? 0;
    indexes.set(app, index + 1);
    const planned = plannedCallOf(app, index, delayMs);
    const request = userId === undefined ? planned.request : { ...planned.request, userId };
    if (userId !== undefined) wallets.get(userId)?.add(planned.label);
    const result = await callers.call(
      app,
      { ...planned, request },
      index % 2 === 0 ? 'whole' : 'stream',
    );
    if (result.kind === 'answered') goodMs.push(performance.now());
    return result;
  }
}

/** Repeats work in several concurrent loops, each until the work returns false. */
async function atOnce(count: number, work: () => Promise<boolean>): Promise<void> {
  const turn = async () => {
    let goesOn = true;
    while (goesOn) goesOn = await work();
  };
  await Promise.all(Array.from({ length: count }, turn));
}
