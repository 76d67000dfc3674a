import { join } from 'node:path';
import { createClient, LlmError } from '@model-gateway/sdk';
import { applyFile } from '../../admin/declared-apps.ts';
import { issueKey } from '../../admin/keys.ts';
import { composeService } from '../../compose.ts';
import { createFetch } from '../../edge/fetch.ts';
import { type AuditReport, audit } from '../../ledger/audit.ts';
import { selectBudget } from '../../ledger/queries.ts';
import { type Clock, nextUtcDayMs, sleep, utcDayOf } from '../../lib/clock.ts';
import { createIds } from '../../lib/id.ts';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../../store/open.ts';
import { readVersion } from '../../version.ts';
import { officeOf } from '../context.ts';
import type { Arena } from './arena.ts';
import { attackApps, attackCall, attackModels } from './attack-yaml.ts';
import { isTrueRefusal } from './callers.ts';

/** What the roll-over of the day came to. */
export interface MidnightVerdict {
  readonly admitted: readonly [before: number, after: number];
  readonly falseRefusals: number;
  /** Above the two days' caps, in pico-USD, by the books. */
  readonly overspend: bigint;
  readonly audit: AuditReport;
}

/** How long before midnight the clock of this part begins. */
const headStartMs = 1_500;
const callsADay = 40;

/**
 * A service whose clock begins shortly before midnight, on a store of its own: each day must admit
 * as many calls as its cap fits, and a call that passes midnight is its first day's.
 */
export async function attackMidnight(arena: Arena): Promise<MidnightVerdict> {
  const { shell } = arena;
  const clock = shiftedClock(shell.clock);
  const target = { kind: 'sqlite', path: join(arena.folder, 'midnight.db') } as const;
  const onDeath = (error: Error) => shell.warn(error.message);
  const store = await openStore({ target, onDeath, log: silentLog });
  const ids = createIds(clock);
  const config = { ...arena.config, store: target };
  const office = { ...officeOf(shell, config, store), clock, ids };
  await applyFile(office, config.apps);
  const app = attackApps.midnight.name;
  const { key } = await issueKey(office, { app, email: 'attack@acme.example' });
  const service = await composeService({
    ...{ config, store, clock, ids, log: silentLog, simulator: undefined },
    version: readVersion(),
  });
  const fetch = createFetch(service.edge);
  const client = createClient({
    baseUrl: 'http://midnight/v1',
    apiKey: key,
    maxAttempts: 1,
    fetch,
  });
  const firstDay = utcDayOf(clock.now());

  const before = wave(client);
  await sleep(clock, nextUtcDayMs(clock.now()) - clock.now() + 1);
  const after = wave(client);
  const [first, second] = await Promise.all([before, after]);
  const days = [firstDay, utcDayOf(clock.now())];
  const budgets = await Promise.all(days.map((day) => store.read(selectBudget(app, day))));
  let overspend = 0n;
  for (const budget of budgets) {
    if (budget?.cap !== undefined && budget.spent > budget.cap) {
      overspend += budget.spent - budget.cap;
    }
  }
  const report = await audit(store, clock.now());
  await service.stop();
  await store.close();
  return {
    admitted: [first.admitted, second.admitted],
    falseRefusals: first.falseRefusals + second.falseRefusals,
    overspend,
    audit: report,
  };
}

async function wave(client: ReturnType<typeof createClient>) {
  let admitted = 0;
  let falseRefusals = 0;
  const one = async () => {
    try {
      await client.chat({ model: attackModels.slowly, ...attackCall });
      admitted += 1;
    } catch (error) {
      if (!LlmError.is(error)) throw error;
      if (error.code !== 'BUDGET_EXCEEDED' || !isTrueRefusal(error.message)) falseRefusals += 1;
    }
  };
  await Promise.all(Array.from({ length: callsADay }, one));
  return { admitted, falseRefusals };
}

/** The machine's clock, moved so that it is nearly midnight. */
function shiftedClock(clock: Clock): Clock {
  const shiftMs = nextUtcDayMs(clock.now()) - headStartMs - clock.now();
  return { ...clock, now: () => clock.now() + shiftMs };
}
