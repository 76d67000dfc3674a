import { hash } from 'node:crypto';
import { accountsOf } from './accounts.ts';
import type { Books } from './books/books.ts';
import { anyClient, createCallers } from './callers.ts';
import { createChance } from './chance.ts';
import { gatherBooks } from './gather-books.ts';
import { contradicted } from './stages/contradicted.ts';
import { crowd } from './stages/crowd.ts';
import { duplicates } from './stages/duplicates.ts';
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
import { secondService } from './stages/second-service.ts';
import { served } from './stages/served.ts';
import type { Stage, StageParts, StageResult } from './stages/stage.ts';
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

/** The time of all stages, without those with separate time. */
const stagesMsMax = 120_000;
/** No day of the restored stores may end meanwhile. */
const restoredMsMax = 60_000;

export async function runStages(
  parts: Pick<StageParts, 'arena' | 'dearest'> & { readonly seed: number },
  killsMs: number,
): Promise<Attacked> {
  const { arena, dearest, seed } = parts;
  const chanceOf = (stage: string) =>
    createChance(seed ^ hash('sha256', stage, 'buffer').readInt32LE());
  const chance = chanceOf('callers');
  await stayClearOfMidnight(arena, stagesMsMax);
  const callers = createCallers({
    clientOf: (account) => anyClient(arena.urls(), arena.key(account), chance),
    clock: arena.context.clock,
    isOver: arena.isClosed,
  });
  const partsOf = (stage: string) => ({ arena, dearest, callers, chance: chanceOf(stage) });
  const [atMidnight, second, ...atOnce] = await Promise.all([
    midnight(partsOf('midnight')),
    secondService(partsOf('replicas')),
    ...atOnceStages.map((stage) => stage(partsOf(stage.name))),
  ]);
  // After the others: the times of their callers leave little room for more calls.
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
    accounts: accountsOf(dearest, atMidnight.days),
    told: [...callers.told, ...atMidnight.told],
    ledgers: [atMidnight.ledger],
  });
  return { books, stages, billText: bill.text };
}
