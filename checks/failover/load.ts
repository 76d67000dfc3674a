import { setTimeout as sleep } from 'node:timers/promises';
import {
  attackModels,
  attackRates,
  labelOf,
} from '../../packages/lab/src/attack/arena/accounts.ts';
import { type Ask, askInFull } from '../../packages/lab/src/attack/arena/ask.ts';
import {
  anyClient,
  type Callers,
  createCallers,
} from '../../packages/lab/src/attack/arena/callers.ts';
import { createChance } from '../../packages/lab/src/attack/arena/chance.ts';
import type { ToldCall } from '../../packages/lab/src/attack/books/books.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import type { Gateway } from './gateway.ts';

/** The app whose calls never stop, and the one whose users have wallets. */
export const steadyApp = 'steady';
export const walletApp = 'tutor';

/** Calls that fit into a user's wallet, and into a budget for each event of a phase. */
export const walletFits = 24;
export const dayFits = 20;

/** A call's tokens of output: few, so that bodies are what most of it is. */
const maxTokens = 200;

/** One call of an app, numbered; all of an app cost the same. */
export function askOf(app: string, index: number, delayMs: number): Ask {
  const label = labelOf(app, index);
  const call = { model: attackModels.asked, rates: attackRates, maxTokens };
  return askInFull({ label, ...call, told: { delayMs } });
}

/** What the most of such a call comes to. */
export function mostOf(app: string): bigint {
  return askOf(app, 0, 100).mostPicoUsd;
}

/** Callers of the replicas, and what they were told and when. */
export interface Load {
  readonly told: readonly ToldCall[];
  /** When answers came, in ms of the monotonic clock, in order. */
  readonly goodMs: readonly number[];
  /** The labels of the calls of each user with a wallet. */
  readonly wallets: ReadonlyMap<string, ReadonlySet<string>>;
  /** Calls without end: those that nothing bounds, and those of a budget; stopped by the answer. */
  begin(dayApp: string): () => Promise<void>;
  /** Ends all callers where a stage went wrong: what they ask for is not waited for any more. */
  giveUp(): void;
  /** Spends a new user's wallet until it refuses. */
  spendWallet(): Promise<void>;
  /** Makes one call. */
  once(app: string): Promise<ToldCall>;
  /** Spends what is left of a budget until it refuses. */
  spendDay(app: string): Promise<void>;
}

const steadyCallers = 8;
const dayCallers = 2;
const walletCallers = 3;
const spendCallers = 6;

/** Callers of a gateway; each call has a key, and is repeated with it until it is answered. */
export function createLoad(gateway: Gateway): Load {
  const chance = createChance(1);
  let isGivenUp = false;
  const callers: Callers = createCallers({
    clientOf: (account) => anyClient(gateway.urls(), gateway.key(account), chance),
    clock: systemClock,
    isOver: () => isGivenUp,
  });
  const goodMs: number[] = [];
  const wallets = new Map<string, Set<string>>();
  const indexes = new Map<string, number>();
  return { told: callers.told, goodMs, wallets, begin, spendWallet, spendDay, once, giveUp };

  function begin(dayApp: string) {
    let isOver = false;
    const caller = async (app: string, pauseMs: number) => {
      while (!isOver && !isGivenUp) {
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
    isGivenUp = true;
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

  async function call(app: string, delayMs: number, userId?: string): Promise<ToldCall> {
    const index = indexes.get(app) ?? 0;
    indexes.set(app, index + 1);
    const ask = askOf(app, index, delayMs);
    const request = userId === undefined ? ask.request : { ...ask.request, userId };
    if (userId !== undefined) wallets.get(userId)?.add(ask.label);
    const told = await callers.call(app, { ...ask, request }, index % 2 === 0 ? 'whole' : 'stream');
    if (told.kind === 'answered') goodMs.push(performance.now());
    return told;
  }
}

/** Repeats work in several turns at once, each until it says no. */
async function atOnce(count: number, work: () => Promise<boolean>): Promise<void> {
  const turn = async () => {
    let goesOn = true;
    while (goesOn) goesOn = await work();
  };
  await Promise.all(Array.from({ length: count }, turn));
}
