import { join } from 'node:path';
import { createClient } from '@model-gateway/sdk';
import { operator } from '@model-gateway/server/cli/process/context';
import { openService } from '@model-gateway/server/compose/open-service';
import { createFetch } from '@model-gateway/server/ingress/http/fetch';
import { type Clock, nextUtcDayMs, sleep, utcDayOf } from '@model-gateway/server/lib/clock';
import { createIds } from '@model-gateway/server/lib/id';
import { silentLog } from '@model-gateway/server/lib/log';
import { issueKey } from '@model-gateway/server/operations/keys/keys';
import { embedSimulator } from '../../simulator/embedded.ts';
import { accountNames, attackApps, createOrdinaryCall } from '../arena/accounts.ts';
import type { Arena } from '../arena/arena.ts';
import { atOnce, type Callers, createCallers } from '../arena/callers.ts';
import { countOf, indexes, type StageParts, type StageResult } from '../arena/stage.ts';
import { type Ledger, readLedger } from '../books/ledger.ts';

export interface MidnightResult {
  readonly stages: readonly StageResult[];
  readonly callResults: Callers['callResults'];
  readonly ledger: Ledger;
  readonly days: readonly [string, string];
}

const callsADay = 40;
/** With a running clock, a slow machine could admit calls on the wrong day. */
const stopsBeforeMs = 5;
const admissionMsMax = 20_000;

/**
 * A separate service's clock stops just before midnight until its budget is full. A call over
 * midnight belongs to its first day.
 */
export async function midnight(parts: StageParts): Promise<MidnightResult> {
  const { arena, highestRates } = parts;
  const app = attackApps.midnight;
  const held = heldClock(arena.context.clock);
  const { firstDay, service, client } = await open(arena, held.clock);
  const callers = createCallers({
    clientOf: () => client,
    clock: arena.context.clock,
    isOver: arena.isClosed,
  });
  const wave = (account: string) =>
    atOnce(indexes(callsADay), callsADay, (index) =>
      callers.call(account, createOrdinaryCall(app, { account, index, highestRates })),
    );
  const [first = '', second = ''] = accountNames(app);
  const before = wave(first);
  await untilRefused(arena, callers, first);
  held.letGo();
  const [resultsBefore, resultsAfter] = await Promise.all([before, wave(second)]);
  const days = [firstDay, utcDayOf(held.clock.now())] as const;
  const ledger = await readLedger(service.store, held.clock.now());
  await service.stop();
  await service.close();
  const resultOf = (account: string, results: typeof resultsBefore, when: string): StageResult => ({
    name: account,
    line: `${callsADay} calls at once ${when} 00:00 UTC`,
    crowd: { account, fits: app.fits, admitted: countOf(results, 'answered') },
  });
  const stages = [
    resultOf(first, resultsBefore, 'that run over'),
    resultOf(second, resultsAfter, 'right after'),
  ];
  return { stages, callResults: callers.callResults, ledger, days };
}

async function open({ context, folder, config }: Arena, clock: Clock) {
  const target = { kind: 'sqlite', path: join(folder, 'midnight.db') } as const;
  const service = await openService(
    { ...config, store: target },
    {
      clock,
      ids: createIds(clock),
      log: silentLog,
      actor: operator(),
      onDeath: (error) => context.warn(error.message),
      simulator: embedSimulator({ clock }),
    },
  );
  const app = attackApps.midnight.name;
  const { key } = await issueKey(service.admin, { app, email: 'attack@acme.example' });
  await service.registry.refresh();
  const fetch = createFetch(service.ingress);
  const baseUrl = 'https://midnight.test/v1';
  const client = createClient({ baseUrl, apiKey: key, maxAttempts: 1, fetch });
  return { firstDay: utcDayOf(clock.now()), service, client };
}

/** A rejection comes at once; the other calls run until after midnight. */
async function untilRefused({ context }: Arena, callers: Callers, account: string) {
  const refusals = callsADay - attackApps.midnight.fits;
  const endsMs = context.clock.monotonic() + admissionMsMax;
  const isFull = () =>
    callers.callResults.filter((call) => call.account === account).length >= refusals;
  while (!isFull() && context.clock.monotonic() < endsMs) await sleep(context.clock, 20);
}

function heldClock(clock: Clock): { readonly clock: Clock; letGo(): void } {
  const midnightMs = nextUtcDayMs(clock.now());
  let shiftMs: number | undefined;
  const now = () => (shiftMs === undefined ? midnightMs - stopsBeforeMs : clock.now() + shiftMs);
  return {
    clock: { ...clock, now },
    letGo() {
      shiftMs = midnightMs + 1 - clock.now();
    },
  };
}
