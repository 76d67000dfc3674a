import type { CallRecord, Hold } from '../../src/books/rows.ts';
import { callIdOf, createIds, type Ids } from '../../src/lib/id.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import type { Store } from '../../src/store/port/port.ts';
import * as tables from '../../src/store/schema/tables.ts';
import { type StreamCaller, startStream } from '../streams/support/caller.ts';
import { houseYaml, metered } from '../streams/support/house.ts';
import { openStack, type Stack } from '../support/stack.ts';
import {
  type Ask,
  maxTokens,
  outcomeOf,
  type Plan,
  type Route,
  type Script,
  type Step,
} from './script.ts';

// Plays a script over HTTP, and records the callers' and the store's state after each step.

/** A request, and its caller's observations. */
export interface Request {
  readonly ask: Ask;
  readonly body: object;
  /** The id of the call that it makes, if it makes one. */
  readonly ownId: string;
  readonly caller: StreamCaller;
  readonly hasLeft: () => boolean;
  /** The platform's results for calls with such a body, in their order. */
  readonly made: readonly Plan[];
}

/** A wallet's state of a month, over all of a user's money. */
export interface WalletState {
  readonly userId: string;
  readonly month: string;
  readonly spent: bigint;
  readonly held: bigint;
}

/** The store's state after a step. */
export interface Books {
  readonly holds: ReadonlyMap<string, Hold>;
  readonly calls: ReadonlyMap<string, CallRecord>;
  readonly wallets: readonly WalletState[];
}

/** The listener of all events. */
export interface Judge {
  /** Before a request is sent. */
  expects(ask: Ask): void;
  /** After it was sent, when everything that needs no time has happened. */
  asked(request: Request): void;
  lost(callId: string): void;
  corrected(callId: string, cost: bigint): void;
  forgotten(what: 'retries' | 'keys'): void;
  check(books: Books): void;
  /** After the last one. */
  end(): void;
}

interface Planned {
  readonly plan: Plan;
  readonly route: Route;
  readonly made: Plan[];
}

/** A stack for scripts: limits are whole seconds and a unique fraction. */
export interface House {
  readonly stack: Stack;
  /** The platform's result for the next call of such a body. */
  readonly plans: Map<string, Planned>;
  /** Ids of requests, in their order. */
  readonly requestIds: readonly string[];
}

export const limits = { modelCallMs: 3_700, drainMs: 12_100, totalMs: 10_800 } as const;

export async function openReceiptHouse(store: string): Promise<House> {
  const plans: House['plans'] = new Map();
  const requestIds: string[] = [];
  let opened: Stack | undefined;
  const startMs = Date.UTC(2026, 10, 21, 12);
  const own = createIds({
    ...{ monotonic: () => 0, after: () => ({ cancel() {} }) },
    now: () => opened?.clock.now() ?? startMs,
  });
  const ids: Ids = {
    ...own,
    next(prefix) {
      const id = own.next(prefix);
      if (prefix === 'req') requestIds.push(id);
      return id;
    },
  };
  const { modelCallMs, drainMs, totalMs } = limits;
  const yaml = houseYaml(store, {
    streams: `{ firstMs: ${modelCallMs}, idleMs: 6300, totalMs: ${totalMs}, stallMs: 8000 }`,
    limits: `{ modelCallMs: ${modelCallMs}, gatewayMs: 8000, drainMs: ${drainMs} }\nretry: { attempts: 1 }`,
  });
  const embed =
    '  - { id: sim-embed, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }\n';
  opened = await openStack({
    yaml: yaml + embed,
    ids,
    startMs,
    script: ({ request }) => {
      const next = plans.get(request.messages.at(-1)?.texts.join('') ?? '');
      next?.made.push(next.plan);
      return next && outcomeOf(next.plan, next.route);
    },
  });
  return { stack: opened, plans, requestIds };
}

let apps = 0;

/** Plays a script in its own app; the judge throws if it differs. */
export async function play(house: House, script: Script, judge: Judge) {
  const { stack } = house;
  const { clock } = stack;
  apps += 1;
  const app = `receipts-${apps}`;
  const { storeAnswers, adoptRetries, isMonthsEnd } = script;
  if (isMonthsEnd) clock.set(nextMonthMs(clock.now()) - 3_100);
  await clock.run(createApp(stack.admin, app, { ...metered, storeAnswers, adoptRetries }));
  await clock.run(stack.service.registry.refresh());
  await stack.key(app);
  const requests: Request[] = [];
  try {
    for (const step of [...script.steps, ...probes(script.steps)]) {
      await take(step);
      await clock.settle();
      judge.check(await clock.run(readBooks(stack.store, app)));
    }
    judge.end();
  } finally {
    for (const { caller } of requests) if (caller.end() === 'open') caller.leave();
    await clock.advance(30_000);
  }

  async function take(step: Step): Promise<void> {
    if (step.kind === 'wait') return clock.advance(step.seconds * 1_000);
    if (step.kind === 'ask') return ask(step);
    if (step.kind === 'forget') return forget(step.what);
    if (step.kind === 'leave') {
      const open = requests.filter(({ caller }) => caller.end() === 'open');
      return open.at(-1 - step.ago)?.caller.leave();
    }
    const { holds, calls } = await clock.run(readBooks(stack.store, app));
    if (step.kind === 'lose') {
      const hold = [...holds.values()].toSorted(byId).at(-1 - step.ago);
      return hold && lose(hold);
    }
    const call = [...calls.values()].toSorted(byId).at(-1 - step.ago);
    if (call === undefined || call.cost < 4n) return;
    const cost = { tiny: 1n, half: call.cost / 2n, triple: 3n * call.cost }[step.to];
    await clock.run(correctCall(stack.admin, { callId: call.callId, usd: formatUsd(cost) }));
    judge.corrected(call.callId, cost);
  }

  async function ask(step: Ask) {
    judge.expects(step);
    const { route, slot, user, isKeyed, isRetry } = step;
    const prompt = `${app} ${user} ${slot} ${route}`;
    const made = house.plans.get(prompt)?.made ?? [];
    house.plans.set(prompt, { plan: step.plan, route, made });
    const body =
      route === 'embed'
        ? { model: 'sim-embed', input: prompt, userId: user }
        : {
            ...{ model: 'told-chat', maxTokens, userId: user },
            messages: [{ role: 'user', content: prompt }],
          };
    const before = house.requestIds.length;
    const caller = await startStream(stack, app, body, {
      path: { whole: '/v1/chat', stream: '/v1/chat/stream', embed: '/v1/embeddings' }[route],
      key: isKeyed ? prompt : undefined,
      headers: { 'x-stainless-retry-count': isRetry ? '1' : '0' },
    });
    await clock.settle();
    const ownId = callIdOf(house.requestIds[before] ?? '');
    const hasLeft = () => caller.end() === 'left';
    const request = { ask: step, body, ownId, caller, hasLeft, made };
    requests.push(request);
    judge.asked(request);
  }

  async function lose(hold: Hold) {
    const { callId, day, userId, month, keyHash } = hold;
    const ids = { callId, app, day, userId, month, keyHash };
    await clock.run(stack.store.commit([{ kind: 'expire', ...ids, now: clock.now() }]));
    judge.lost(callId);
  }

  async function forget(what: 'retries' | 'keys') {
    await clock.advance(30_000);
    await clock.sleep(what === 'keys' ? 3_700_000 : 130_000);
    // Until the store is swept.
    await clock.advance(20_000);
    judge.forgotten(what);
  }
}

/** At the end all calls are over, and requests with a key are sent again. */
function probes(steps: readonly Step[]): readonly Step[] {
  const asks = steps.filter((step) => step.kind === 'ask').filter(({ isKeyed }) => isKeyed);
  const last = new Map(asks.map((each) => [`${each.user} ${each.slot} ${each.route}`, each]));
  const end: Step = { kind: 'wait', seconds: 30 };
  // The second time shows whether the result of the first can be collected.
  return [end, ...last.values(), end, ...last.values(), end];
}

function byId(one: { readonly callId: string }, other: { readonly callId: string }): number {
  return one.callId < other.callId ? -1 : 1;
}

function nextMonthMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}

async function readBooks(store: Store, app: string): Promise<Books> {
  const values = [app];
  const holds = await store.read({
    ...{ sql: 'select * from hold where app = $1', values },
    map: (rows) => rows.map(tables.holds.read),
  });
  const calls = await store.read({
    ...{ sql: 'select * from call where app = $1', values },
    map: (rows) => rows.map(tables.calls.read),
  });
  const wallets = await store.read({
    ...{ sql: 'select * from wallet_month where app = $1', values },
    map: (rows) => rows.map(tables.walletMonths.read),
  });
  return {
    holds: new Map(holds.map((hold) => [hold.callId, hold])),
    calls: new Map(calls.map((call) => [call.callId, call])),
    wallets: wallets.map(({ userId, month, spentGrant, spentTopup, heldGrant }) => ({
      ...{ userId, month, spent: spentGrant + spentTopup, held: heldGrant },
    })),
  };
}
