import { hash } from 'node:crypto';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountsOf, attackApps, createOrdinaryCall } from './arena/accounts.ts';
import { anyClient, atOnce, createCallers } from './arena/callers.ts';
import { createChance } from './arena/chance.ts';
import { spendRest } from './arena/spend-rest.ts';
import { countOf, indexes, type Stage, type StageParts, type StageResult } from './arena/stage.ts';
import type { Books } from './books/books.ts';
import { gatherBooks } from './gather-books.ts';
import { contradicted } from './stages/contradicted.ts';
import { floods } from './stages/floods.ts';
import { kills, stayClearOfMidnight } from './stages/kills.ts';
import { losses } from './stages/losses.ts';
import { members } from './stages/members.ts';
import { midnight } from './stages/midnight.ts';
import { normalizing } from './stages/normalizing.ts';
import { overdue } from './stages/overdue.ts';
import { overstated } from './stages/overstated.ts';
import { received } from './stages/received.ts';
import { reported } from './stages/reported.ts';
import { restored } from './stages/restored.ts';
import { scopes } from './stages/scopes.ts';
import { served } from './stages/served.ts';
import { streams } from './stages/streams.ts';
import { surfaces } from './stages/surfaces.ts';
import { takenOver } from './stages/taken-over.ts';
import { forbidden, unpriced } from './stages/unpriced.ts';

export interface Attacked {
  readonly books: Books;
  readonly stages: readonly StageResult[];
  readonly billText: string;
}

const atOnceStages: readonly Stage[] = [
  crowd,
  duplicates,
  unpriced,
  forbidden,
  normalizing,
  overstated,
  losses,
  streams,
  surfaces,
  scopes,
  contradicted,
  received,
  served,
];

/** The time of all stages, without stages with separate time. */
const stagesMsMax = 120_000;
/** No day of the restored stores may end within this time. */
const restoredMsMax = 60_000;

export async function runStages(
  parts: Pick<StageParts, 'arena' | 'highestRates'> & { readonly seed: number },
  killsMs: number,
): Promise<Attacked> {
  const { arena, highestRates, seed } = parts;
  const chanceOf = (stage: string) =>
    createChance(seed ^ hash('sha256', stage, 'buffer').readInt32LE());
  const chance = chanceOf('callers');
  await stayClearOfMidnight(arena, stagesMsMax);
  const callers = createCallers({
    clientOf: (account) => anyClient(arena.urls(), arena.key(account), chance),
    clock: arena.context.clock,
    isOver: arena.isClosed,
  });
  const partsOf = (stage: string) => ({ arena, highestRates, callers, chance: chanceOf(stage) });
  const [atMidnight, second, ...atOnce] = await Promise.all([
    midnight(partsOf('midnight')),
    secondService(partsOf('replicas')),
    ...atOnceStages.map((stage) => stage(partsOf(stage.name))),
  ]);
  // After the others: its callers' time limits leave little capacity for more calls.
  const ofReports = await reported(partsOf('reported'));
  arena.context.warn('Spending while services are killed …');
  const underKills = await kills(partsOf('kills'), killsMs);
  const [heirs, late] = await Promise.all([
    takenOver(partsOf('heirs')),
    overdue(partsOf('overdue')),
  ]);
  arena.context.warn('Changing the members of a budget …');
  const ofMembers = await members(partsOf('members'));
  await stayClearOfMidnight(arena, restoredMsMax);
  const ofRestored = await restored(arena);
  const underFloods = await floods(partsOf('floods'));
  const stages = [
    ...atOnce,
    ofReports,
    ...atMidnight.stages,
    underKills,
    heirs,
    late,
    ofMembers,
    underFloods,
    ofRestored,
    second,
  ];
  const { books, bill } = await gatherBooks(arena, {
    stages,
    accounts: accountsOf(highestRates, atMidnight.days),
    callResults: [...callers.callResults, ...atMidnight.callResults],
    ledgers: [atMidnight.ledger],
  });
  return { books, stages, billText: bill.text };
}

const calls = 300;

/** Each admitted call runs until all requests were sent. */
async function crowd(parts: StageParts): Promise<StageResult> {
  const app = attackApps.crowd;
  const account = app.name;
  const results = await atOnce(indexes(calls), calls, (index) =>
    parts.callers.call(account, createOrdinaryCall(app, { ...parts, account, index })),
  );
  await spendRest(parts, account);
  const admitted = countOf(results, 'answered');
  return {
    name: account,
    line: `${calls} calls at once, ${calls - admitted} rejected`,
    crowd: { account, fits: app.fits, admitted },
  };
}

const copies = 8;
const callersAtOnce = 120;

/** Eight times at once under one key, at every service, and once more later. */
async function duplicates(parts: StageParts): Promise<StageResult> {
  const app = attackApps.duplicates;
  const account = app.name;
  const keys = indexes(app.fits);
  const send = (index: number) =>
    parts.callers.call(account, createOrdinaryCall(app, { ...parts, account, index }));
  const results = await atOnce(
    keys.flatMap((key) => Array<number>(copies).fill(key)),
    callersAtOnce,
    send,
  );
  results.push(...(await atOnce(parts.chance.shuffled(keys), callersAtOnce, send)));
  await spendRest(parts, account);
  const ids = new Set(results.flatMap((call) => (call.kind === 'answered' ? call.callId : [])));
  return {
    name: account,
    line: `${results.length} requests under ${app.fits} keys: each key answered, and paid once`,
    crowd: { account, fits: app.fits, admitted: ids.size },
  };
}

const name = 'replicas';

/**
 * PostgreSQL shares every budget between services. A SQLite file belongs to one service, and a
 * second one must not start on it, not even through a link.
 */
async function secondService({ arena }: StageParts): Promise<StageResult> {
  const target = arena.config.store;
  if (target.kind === 'postgres') {
    return { name, line: 'two services share the store, and each call goes to either' };
  }
  const link = join(arena.folder, 'link.db');
  const file = join(arena.folder, 'second.yaml');
  await symlink(target.path, link);
  await writeFile(file, await withStore(arena.config.file, `sqlite:${link}`));
  try {
    const second = await arena.start(file);
    await second.end('SIGKILL');
    return {
      name,
      line: 'a second service started on the same file',
      broken: ['replicas: two services serve one SQLite store, and each trusts its own ledger'],
    };
  } catch {
    // It ended before it was ready, as it must: two services would count separately.
    return { name, line: 'a second service on the same SQLite file, by a link: did not start' };
  } finally {
    await Promise.all([rm(link), rm(file)]);
  }
}

async function withStore(file: string, store: string): Promise<string> {
  const yaml = await readFile(file, 'utf8');
  return yaml.replace(/^store: .*$/m, `store: ${JSON.stringify(store)}`);
}
