import { projectIdOf } from '@model-gateway/simulator';
import type { SqlRow } from '../../src/store/port/port.ts';
import { big, optionalText, text } from '../../src/store/schema/columns.ts';
import type { Stack } from '../../test/support/stack.ts';
import type { ClientRecord } from './workload.ts';

/** The ledger's rows of one finished call, read only by SQL. */
interface BookedCall {
  readonly id: string;
  readonly app: string;
  readonly code: string;
  readonly cost: bigint;
  readonly estimated: bigint;
  readonly wallet: bigint;
  readonly exactAttempts: readonly { readonly requestId: string; readonly cost: bigint }[];
}

/**
 * Its own ledger, from the simulator's bill and the clients' responses: every sentence is a mistake
 * of the ledger.
 */
export async function findings(
  stack: Stack,
  records: readonly ClientRecord[],
): Promise<readonly string[]> {
  const found: string[] = [];
  const calls = await readCalls(stack);
  const report = await stack.audit();
  for (const check of report.checks) if (!check.ok) found.push(`${check.id} has ${check.figure}`);
  found.push(...answersNotBooked(calls, records), ...answersNotOne(records));
  found.push(...attemptsNotBilled(stack, calls), ...billsNotBooked(stack, calls));
  const held = await stack.store.read({
    sql: 'select call_id from hold',
    values: [],
    map: (rows) => rows.map((row) => text(row, 'call_id')),
  });
  if (held.length > 0) found.push(`${held.length} holds are left`);
  // The simulator never counts above the maximum, so a cost above its reservation means a too small
  // reservation.
  const overruns = await stack.store.read({
    sql: 'select app, overrun from budget_day where overrun > 0',
    values: [],
    map: (rows) => rows.map((row) => `${text(row, 'app')}: ${big(row, 'overrun')} above its holds`),
  });
  found.push(...overruns);
  return found;
}

function answersNotBooked(
  calls: ReadonlyMap<string, BookedCall>,
  records: readonly ClientRecord[],
): string[] {
  const found: string[] = [];
  for (const { status, isReplayed, text: body } of records) {
    if (status !== 200) continue;
    const answer: { id: string; cost: { usd: string; estimated: boolean } } = JSON.parse(body);
    const call = calls.get(answer.id);
    if (call === undefined) found.push(`answer ${answer.id} is not in the books`);
    else if (!isReplayed && call.code !== 'OK') found.push(`answer ${answer.id} is ${call.code}`);
    else if (call.cost < picoUsd(answer.cost.usd)) found.push(`answer ${answer.id} is too cheap`);
  }
  return found;
}

/** Under one key, every successful response is identical to the byte. */
function answersNotOne(records: readonly ClientRecord[]): string[] {
  const replayed = records.filter(({ isReplayed, status }) => isReplayed && status === 200);
  const originals = new Set(
    records.filter(({ status }) => status === 200).map(({ text: body }) => body),
  );
  const ids = new Map<string, string>();
  const found: string[] = [];
  for (const { text: body } of replayed) {
    const { id }: { id: string } = JSON.parse(body);
    const known = ids.get(id);
    if (known !== undefined && known !== body) found.push(`answer ${id} was replayed differently`);
    ids.set(id, body);
    if (!originals.has(body)) found.push(`answer ${id} has no original`);
  }
  return found;
}

/** An attempt that is booked exactly is on the bill, with the same amount. */
function attemptsNotBilled(stack: Stack, calls: ReadonlyMap<string, BookedCall>): string[] {
  const billed = new Map(stack.simulator.bill().calls.map((call) => [call.requestId, call]));
  const seen = new Set<string>();
  const found: string[] = [];
  for (const call of calls.values()) {
    for (const { requestId, cost } of call.exactAttempts) {
      if (seen.has(requestId)) found.push(`request ${requestId} is booked twice`);
      seen.add(requestId);
      const amount = billed.get(requestId)?.costPicoUsd ?? 0n;
      if (amount !== cost) found.push(`request ${requestId}: billed ${amount}, booked ${cost}`);
    }
  }
  return found;
}

/** The bill that is not booked exactly fits in the estimates; nothing is billed above a budget. */
function billsNotBooked(stack: Stack, calls: ReadonlyMap<string, BookedCall>): string[] {
  const found: string[] = [];
  const bill = new Map(stack.simulator.bill().projects.map((row) => [row.projectId, row]));
  for (const { name, dailyBudgetPicoUsd: cap = 0n } of stack.config.apps) {
    const billed = bill.get(projectIdOf(`prod-acme-core-${name}`))?.costPicoUsd ?? 0n;
    let exact = 0n;
    let estimated = 0n;
    for (const call of calls.values()) {
      if (call.app !== name) continue;
      exact += call.cost - call.estimated;
      estimated += call.estimated;
    }
    const unknown = billed - exact;
    if (unknown < 0n) found.push(`${name}: the books have ${-unknown} more than the bill`);
    if (unknown > estimated) found.push(`${name}: ${unknown} are unknown, ${estimated} estimated`);
    if (billed > cap) found.push(`${name}: the bill of ${billed} is above the cap of ${cap}`);
  }
  return found;
}

/** An attempt in the ledger, as its own row or in the row of its call. */
interface NotedAttempt {
  readonly requestId?: string | undefined;
  readonly costPicoUsd: string;
  readonly isEstimated: boolean;
}

/** Of calls that had more than one. */
function readAttempts(stack: Stack): Promise<ReadonlyMap<string, NotedAttempt[]>> {
  return stack.store.read({
    sql: 'select call_id, upstream_id, cost, basis from attempt',
    values: [],
    map: (rows) => {
      const byCall = Map.groupBy(rows, (row) => text(row, 'call_id'));
      const noted = (row: SqlRow): NotedAttempt => ({
        requestId: optionalText(row, 'upstream_id'),
        costPicoUsd: String(big(row, 'cost')),
        isEstimated: text(row, 'basis') === 'estimated',
      });
      return new Map([...byCall].map(([callId, own]) => [callId, own.map(noted)]));
    },
  });
}

async function readCalls(stack: Stack): Promise<ReadonlyMap<string, BookedCall>> {
  const several = await readAttempts(stack);
  const calls = await stack.store.read({
    sql: 'select * from call',
    values: [],
    map: (rows) =>
      rows.map((row): BookedCall => {
        const only: NotedAttempt[] = JSON.parse(text(row, 'attempts'));
        const attempts = several.get(text(row, 'call_id')) ?? only;
        return {
          id: text(row, 'call_id'),
          app: text(row, 'app'),
          code: text(row, 'code'),
          cost: big(row, 'cost'),
          estimated: big(row, 'estimated'),
          wallet: big(row, 'wallet_grant') + big(row, 'wallet_topup'),
          exactAttempts: attempts
            .filter(({ isEstimated, costPicoUsd }) => !isEstimated && costPicoUsd !== '0')
            .map(({ requestId = '', costPicoUsd }) => ({ requestId, cost: BigInt(costPicoUsd) })),
        };
      }),
  });
  return new Map(calls.map((call) => [call.id, call]));
}

function picoUsd(usd: string): bigint {
  const [whole = '0', fraction = ''] = usd.split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
}
