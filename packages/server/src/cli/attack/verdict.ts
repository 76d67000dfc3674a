import { projectIdOf } from '@model-gateway/simulator';
import { audit } from '../../ledger/audit.ts';
import { selectCallRecord } from '../../ledger/queries.ts';
import { sleep } from '../../lib/clock.ts';
import { formatUsd, parseUsd } from '../../lib/money.ts';
import { big, int, text } from '../../store/columns.ts';
import type { Store } from '../../store/port.ts';
import type { Arena } from './arena.ts';
import { attackApps, attackModels, boundPicoUsd } from './attack-yaml.ts';
import { type CallOutcome, isTrueRefusal } from './callers.ts';

/** What the simulator billed a project, in pico-USD. */
type Bill = ReadonlyMap<string, bigint>;

/** What an attack found, for one phase or for all. */
export interface Verdict {
  overspend: bigint;
  falseRefusals: number;
  lost: number;
  doubled: number;
  spent: bigint;
  cap: bigint;
}

/** Apps whose calls went to the services in processes of their own. */
const judged = [attackApps.concurrency, attackApps.kills, attackApps.duplicates] as const;

/** Compares the books with the simulator's own bill and with what the callers were told. */
export async function judge(arena: Arena, outcomes: readonly CallOutcome[]): Promise<Verdict> {
  const { store } = arena;
  const openHolds = await untilNothingIsHeld(arena);
  const bill = await readBill(arena.simulatorUrl);
  const verdict: Verdict = {
    overspend: 0n,
    falseRefusals: outcomes.filter(
      (outcome) => outcome.kind === 'refused' && !isTrueRefusal(outcome.message),
    ).length,
    lost: openHolds + (await lostAnswers(store, outcomes)),
    doubled: await doubledKeys(store),
    spent: 0n,
    cap: 0n,
  };
  for (const { name, callsThatFit } of judged) {
    const billed = bill.get(projectIdOf(`prod-attack-core-${name}`)) ?? 0n;
    const cap = boundPicoUsd(attackModels.quick) * callsThatFit;
    const books = await booksOf(store, name);
    verdict.spent += billed;
    verdict.cap += cap;
    if (billed > cap) verdict.overspend += billed - cap;
    // Money that the platform billed and the books have neither exactly nor as an estimate.
    if (billed - books.exact > books.estimated) verdict.lost += 1;
    if (books.exact > billed) verdict.doubled += 1;
  }
  const report = await audit(store, arena.shell.clock.now());
  verdict.lost += report.checks.filter((check) => !check.ok).length;
  return verdict;
}

/** A sweep comes every 5 s and a dead owner is known after 10 s: then nothing may be held. */
async function untilNothingIsHeld({ store, shell }: Arena): Promise<number> {
  for (let tries = 0; ; tries++) {
    const holds = await store.read({
      sql: 'select count(*) as holds from hold',
      values: [],
      map: ([row]) => (row === undefined ? 0 : int(row, 'holds')),
    });
    if (holds === 0 || tries >= 60) return holds;
    await sleep(shell.clock, 500);
  }
}

/** Answers that the books do not have, or have with another cost. */
async function lostAnswers(store: Store, outcomes: readonly CallOutcome[]): Promise<number> {
  const answered = new Map(
    outcomes.flatMap((outcome) =>
      outcome.kind === 'answered' ? [[outcome.answer.id, outcome.answer] as const] : [],
    ),
  );
  let lost = 0;
  for (const [id, answer] of answered) {
    const record = await store.read(selectCallRecord(id));
    const cost = parseUsd(answer.cost.usd ?? '0') ?? 0n;
    if (record === undefined || record.cost < cost) lost += 1;
  }
  return lost;
}

/** Logical calls that were answered twice by two calls of the platform. */
function doubledKeys(store: Store): Promise<number> {
  return store.read({
    sql: `
      select app, key_hash
        from call
       where code = 'OK' and key_hash is not null
       group by app, key_hash
      having count(*) > 1`,
    values: [],
    map: (rows) => rows.map((row) => text(row, 'key_hash')).length,
  });
}

function booksOf(store: Store, app: string) {
  return store.read({
    sql: `
      select cast(coalesce(sum(cost - estimated), 0) as bigint) as exact,
             cast(coalesce(sum(estimated), 0) as bigint) as estimated
        from call
       where app = $1`,
    values: [app],
    map: ([row]) => ({
      exact: row === undefined ? 0n : big(row, 'exact'),
      estimated: row === undefined ? 0n : big(row, 'estimated'),
    }),
  });
}

async function readBill(simulatorUrl: string): Promise<Bill> {
  const response = await fetch(`${simulatorUrl}/simulator/bill`);
  const bill: { projects: readonly { projectId: string; costPicoUsd: string }[] } = JSON.parse(
    await response.text(),
  );
  return new Map(
    bill.projects.map(({ projectId, costPicoUsd }) => [projectId, BigInt(costPicoUsd)]),
  );
}

/** Amounts as people read them. */
export function verdictDocument(verdict: Verdict) {
  const { falseRefusals, lost, doubled } = verdict;
  return {
    overspendUsd: formatUsd(verdict.overspend),
    falseRefusals,
    lost,
    doubled,
    spentUsd: formatUsd(verdict.spent),
    capUsd: formatUsd(verdict.cap),
  };
}
