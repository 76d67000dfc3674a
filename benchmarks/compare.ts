import process from 'node:process';
import { parseArgs } from 'node:util';
import { installVersion } from '../harness/earlier-version.ts';
import { createScope, type Scope, withScope } from '../harness/scope.ts';
import { type Interval, intervalOf, isTooWide, verdictOf } from './compare/interval.ts';
import { openContest, type Round } from './compare/rounds.ts';
import { deltasOfStream, type Operation } from './load/operation.ts';
import { gatewayOnSqlite } from './sides/gateway.ts';
import { gatewayWithCaps } from './sides/gateway-caps.ts';
import type { Side } from './sides/side.ts';

// Compares the processor time of a call with that of an earlier commit. Both versions and a second
// process of the earlier one take turns, and each ratio is from one round. The exit code is 0 if
// every kind of call is shown to be at most `--percent` more expensive.

const { values } = parseArgs({
  options: {
    old: { type: 'string' },
    percent: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '1' },
    warm: { type: 'string', default: '6' },
    only: { type: 'string', default: '' },
  },
});
const { old } = values;
if (old === undefined) throw new Error('--old is missing; use for example --old=HEAD~5');
const percent = Number(values.percent);
const rounds = Number(values.rounds);
const roundsMax = 3 * rounds;
const limitMs = 7_200_000;

interface Kind {
  readonly name: string;
  readonly operation: Operation;
  readonly side: Side;
}

const kinds: readonly Kind[] = [
  { name: 'chat', operation: 'chat', side: gatewayOnSqlite },
  { name: 'chat with three more budgets', operation: 'chat', side: gatewayWithCaps },
  { name: 'relayed call', operation: 'relay', side: gatewayOnSqlite },
  { name: 'stream, per delta', operation: 'stream', side: gatewayOnSqlite },
];

await withScope(limitMs, async (scope) => {
  const oldLauncher = await installVersion(scope, old);
  const chosen = kinds.filter(({ name }) => new RegExp(values.only).test(name));
  console.log(`processor time of this version, and of ${old} again, as multiples of ${old}`);
  let shown = 0;
  for (const kind of chosen) if (await compare(scope, { ...kind, oldLauncher })) shown += 1;
  process.exitCode = shown === chosen.length ? 0 : 1;
});

async function compare(
  outer: Scope,
  parts: Kind & { readonly oldLauncher: string },
): Promise<boolean> {
  const { name, operation } = parts;
  const scope = createScope();
  outer.add(scope.close);
  const contest = await openContest(scope, { ...parts, warmMs: Number(values.warm) * 1_000 });
  const measured: Round[] = [];
  let ratios = ratiosOf(measured);
  do {
    measured.push(await contest.round(Number(values.seconds) * 1_000));
    ratios = ratiosOf(measured);
  } while (measured.length < rounds || (measured.length < roundsMax && isRough(ratios)));
  await scope.close();
  const verdict = verdictOf(ratios, percent);
  const times = operation === 'stream' ? deltasOfStream : 1;
  const microsOf = (side: keyof Round) => {
    return (intervalOf(measured.map((round) => round[side])).median / times).toFixed(3);
  };
  console.log(`${name}: old ${microsOf('old')} µs, new ${microsOf('new')} µs`);
  console.log(`  new/old ${textOf(ratios.ofNew)}, old/old ${textOf(ratios.ofOld)}`);
  console.log(`  at most ${percent} % more expensive: ${verdict} (${measured.length} rounds)`);
  return verdict === 'holds';
}

function ratiosOf(measured: readonly Round[]) {
  return {
    ofNew: intervalOf(measured.map((round) => round.new / round.old)),
    ofOld: intervalOf(measured.map((round) => round.oldAgain / round.old)),
  };
}

function isRough({ ofNew, ofOld }: ReturnType<typeof ratiosOf>): boolean {
  return isTooWide(ofNew, percent) || isTooWide(ofOld, percent);
}

function textOf({ low, median, high }: Interval): string {
  return `${median.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}
