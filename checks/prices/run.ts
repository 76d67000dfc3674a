import process from 'node:process';
import { shippedModels } from '../../packages/server/src/catalog/models/shipped.ts';
import { compareRows, type Difference } from './compare.ts';
import { downloadPrices } from './download.ts';
import { readGenaiPrices } from './genai-prices.ts';
import { listedDifferences } from './listed.ts';
import { readLitellm } from './litellm.ts';

const usages = 10_000;
/** Rows that differ from every source that has them, of 100 rows. */
const unconfirmedPercentMax = 2;

const { genaiPrices, litellm } = await downloadPrices();
const comparison = compareRows({
  models: shippedModels(),
  sources: [readGenaiPrices(genaiPrices), readLitellm(litellm)],
  day: new Date().toISOString().slice(0, 10),
  usages,
});

const sources = [...comparison.counts].map(([name, rows]) => `${rows} with ${name}`).join(', ');
print(`${comparison.rows} rows compared on ${usages} usages each: ${sources}`);
print(`no source has ${comparison.unknown.length} rows${namesOf(comparison.unknown)}`);

const isListed = ({ row, source }: Pick<Difference, 'row' | 'source'>) =>
  listedDifferences.some((listed) => listed.row === row && listed.source === source);
const unlisted = comparison.differences.filter((one) => !isListed(one));
const unusedDifferences = listedDifferences.filter(
  ({ row, source }) =>
    !comparison.differences.some((one) => one.row === row && one.source === source),
);
for (const { row, source, page, reason } of listedDifferences) {
  print(`  ${row} differs from ${source}, which is listed: ${reason} (${page})`);
}
for (const { row, source, example } of unlisted)
  print(`  ${row} DIFFERS FROM ${source}: ${example}`);
for (const { row, source } of unusedDifferences)
  print(`  ${row} NO LONGER DIFFERS FROM ${source}: remove it`);
print(`differences: ${comparison.differences.length}, of them not listed: ${unlisted.length}`);

const { unconfirmed } = comparison;
const isTooMany = unconfirmed.length * 100 > comparison.rows * unconfirmedPercentMax;
print(
  `no source confirms ${unconfirmed.length} rows${namesOf(unconfirmed)}; at most ${unconfirmedPercentMax} % may be so`,
);
process.exitCode = unlisted.length === 0 && unusedDifferences.length === 0 && !isTooMany ? 0 : 1;

function namesOf(rows: readonly string[]): string {
  return rows.length === 0 ? '' : `: ${rows.join(', ')}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
