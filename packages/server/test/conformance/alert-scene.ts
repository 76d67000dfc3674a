import { defaultWebhookEvents, type WebhookConfig } from '../../src/domain/notify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import type { AlertEvent } from '../../src/notify/events.ts';
import { createOutbox } from '../../src/notify/outbox.ts';
import { openPseudonyms } from '../../src/notify/pseudonyms.ts';
import { createMismatches, type Mismatches } from '../../src/notify/rules/mismatches.ts';
import { createRefusals, type Refusals } from '../../src/notify/rules/refusals.ts';
import { createRules, type RulesParts } from '../../src/notify/rules/rules.ts';
import type { SqlValue, Store } from '../../src/store/port/port.ts';

/** 10^12 pico-USD. */
export const usd = 10n ** 12n;

const tables = [
  ...['alert_delivery', 'alert_event', 'open_circuit', 'owner', 'app', 'api_key', 'budget_day'],
  ...['budget_scope', 'budget_definition', 'usage_day', 'wallet_month', 'wallet_topup'],
];

/** Rows that rules read, written directly. The operations that write them have their own tests. */
export function createAlertScene(store: Store) {
  const run = (sql: string, values: readonly SqlValue[] = []) => store.write([{ sql, values }]);
  return {
    store,
    run,
    async empty() {
      await store.write(tables.map((table) => ({ sql: `delete from ${table}`, values: [] })));
    },
    app: (name: string, grant: bigint | null = null) =>
      run(
        `insert into app (name, origin, enabled, require_priced, store_answers, created_at,
                          monthly_grant, adopt_retries)
         values ($1, 'command', 1, 1, 1, 0, $2, 0)`,
        [name, grant],
      ),
    day: (
      app: string,
      day: string,
      amounts: Partial<Record<(typeof dayColumns)[number], bigint>>,
    ) =>
      run(
        `insert into budget_day (app, day, cap, spent, held, estimated, overrun)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (app, day) do update
            set cap = excluded.cap, spent = excluded.spent, held = excluded.held,
                estimated = excluded.estimated, overrun = excluded.overrun`,
        [app, day, amounts.cap ?? null, ...dayColumns.slice(1).map((name) => amounts[name] ?? 0n)],
      ),
    /** A definition, and its row of a period. */
    async scope(scope: string, more: Scope) {
      const { span, period, cap, spent = 0n, held = 0n, mode = 'enforce', since = 0 } = more;
      await run(
        `insert into budget_definition (scope, span, cap, mode, visible, members, origin, since)
         values ($1, $2, $3, $4, 0, $5, 'command', $6)
         on conflict (scope, span) do update set cap = excluded.cap`,
        [scope, span, cap, mode, more.members ?? null, since],
      );
      await run(
        `insert into budget_scope (scope, period, cap, mode, brought, spent, held, estimated,
                                   overrun, pruned, would_refuse, would_refuse_amount)
         values ($1, $2, $3, $4, 0, $5, $6, 0, 0, 0, 0, 0)
         on conflict (scope, period) do update
            set cap = excluded.cap, spent = excluded.spent, held = excluded.held`,
        [scope, period, cap, mode, spent, held],
      );
    },
  };
}

const dayColumns = ['cap', 'spent', 'held', 'estimated', 'overrun'] as const;

interface Scope {
  readonly span: 'day' | 'month';
  readonly period: string;
  readonly cap: bigint;
  readonly spent?: bigint;
  readonly held?: bigint;
  readonly mode?: 'enforce' | 'shadow';
  readonly since?: number;
  /** As JSON, or `all`. */
  readonly members?: string;
}

export type AlertScene = ReturnType<typeof createAlertScene>;

/** A webhook with the default events, and the named settings. */
export function hookOf(more: Partial<WebhookConfig> = {}): WebhookConfig {
  return {
    ...{ name: 'ops', url: 'https://hooks.example/x', secrets: [], format: 'standard' },
    ...{ events: defaultWebhookEvents, at: [50, 80, 100], apps: undefined, allowPrivate: false },
    ...more,
  };
}

/** A process with rules and an outbox. */
export interface AlertProcess {
  readonly refusals: Refusals;
  readonly mismatches: Mismatches;
  /** The events that a round adds to the outbox, as lines of {@link wordOf}. */
  round(nowMs: number, monotonicMs?: number): Promise<readonly string[]>;
  /** The same as events. */
  events(nowMs: number, monotonicMs?: number): Promise<readonly AlertEvent[]>;
  /** A round that ends before its events are in the store. */
  crash(nowMs: number, monotonicMs?: number): Promise<void>;
}

export function startAlerts(
  store: Store,
  parts: Partial<Pick<RulesParts, 'circuits' | 'instanceId'>> & { hook?: WebhookConfig } = {},
): AlertProcess {
  const {
    hook = hookOf(),
    instanceId = 'a',
    circuits = { snapshot: () => ({ circuits: [] }) },
  } = parts;
  let monotonicMs = 0;
  const ids = createIds(systemClock);
  const outbox = createOutbox({ store, ids });
  const refusals = createRefusals();
  const mismatches = createMismatches();
  const rules = createRules({
    ...{ store, instanceId, circuits, refusals, mismatches, webhooks: [hook] },
    clock: { monotonic: () => monotonicMs },
    pseudonyms: () => openPseudonyms({ store, ids }),
  });
  return { refusals, mismatches, round, events, crash };

  async function events(nowMs: number, atMs = nowMs) {
    const found = await answer(nowMs, atMs);
    const raised = await outbox.raise(found, [hook]);
    rules.markRaised(found);
    return raised;
  }

  async function round(nowMs: number, atMs = nowMs) {
    return (await events(nowMs, atMs)).map(wordOf).toSorted();
  }

  async function crash(nowMs: number, atMs = nowMs) {
    await answer(nowMs, atMs);
  }

  async function answer(nowMs: number, atMs: number) {
    monotonicMs = atMs;
    return [...(await rules.local(nowMs)), ...(await rules.round(nowMs))];
  }
}

/** An event in a line that no other event has. */
export function wordOf({ type, subject, period, mark }: AlertEvent): string {
  return [type, subject, period, mark].filter((word) => word !== '').join(' ');
}
