import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../harness/until.ts';
import { expect } from '../image/steps.ts';
import { longestPause, seconds } from './figures.ts';
import { expectZero, type Stages } from './stage.ts';

/** Far longer than Patroni and PostgreSQL need to detect a silent standby. */
const cutMs = 20_000;
const fullMs = 15_000;
const quietMs = 2_000;

/** Cuts the path between the primary and standbys: the one for which commits wait, then both. */
export async function runCuts(parts: Stages, dayApp: string): Promise<void> {
  const { steps, cluster } = parts;
  const line = 'a cut between the primary and its standbys';
  await steps.step(line, async () => {
    const pauses = await underLoad(parts, dayApp, async (pauseOf) => [
      `from the server that commits wait for: ${await pauseOf(() => cut('synchronous'))}`,
      `from both: ${await pauseOf(() => cut('both'))}`,
    ]);
    return `longest pause without an answer, ${pauses}; ${await expectZero(parts)}`;
  });

  async function cut(whom: 'synchronous' | 'both') {
    const primary = await cluster.untilWhole();
    const synchronous = await cluster.synchronous();
    const others = cluster.nodes.filter((node) => node !== primary);
    primary.link.cut((whom === 'both' ? others : [synchronous]).map(({ name }) => name));
    await sleep(cutMs);
    primary.link.heal();
    await cluster.untilWhole();
  }
}

/** Fills the primary's disk completely, and frees it again. */
export async function runFullDisk(parts: Stages, dayApp: string): Promise<void> {
  const { steps, cluster } = parts;
  await steps.step('a full disk on the primary', async () => {
    let moved = '';
    const pauses = await underLoad(parts, dayApp, async (pauseOf) => [
      await pauseOf(async () => {
        const primary = await cluster.untilWhole();
        await primary.fillDisk();
        await sleep(fullMs);
        await primary.freeDisk();
        const next = await cluster.untilWhole();
        moved = next === primary ? 'it stayed the primary' : 'another node became the primary';
      }),
    ]);
    return `${seconds(fullMs)} full; longest pause ${pauses}; ${moved}; ${await expectZero(parts)}`;
  });
}

/** Does work during endless calls, then spends the rest of a budget; returns the work's result. */
async function underLoad(
  { load }: Stages,
  dayApp: string,
  work: (pauseOf: (act: () => Promise<void>) => Promise<string>) => Promise<readonly string[]>,
): Promise<string> {
  const end = load.begin(dayApp);
  const output = await work(async (act) => {
    const wallet = load.spendWallet();
    await sleep(quietMs);
    const fromMs = performance.now();
    await act();
    await untilAnswered(load.goodMs);
    await wallet;
    return seconds(longestPause(load.goodMs, fromMs, performance.now()));
  });
  await end();
  await load.spendDay(dayApp);
  return output.join(', ');
}

async function untilAnswered(goodMs: readonly number[]): Promise<void> {
  const had = goodMs.length;
  await until(async () => goodMs.length > had + 5);
}

/** The same without a pooler, and with a pooler that assigns a connection to each client. */
export async function runOtherWays(parts: Stages): Promise<void> {
  const { steps, cluster, gateway, load } = parts;
  const ways = [
    { line: 'without a pooler', url: cluster.directUrl, mode: undefined },
    { line: 'a pool of sessions', url: cluster.pooledUrl, mode: 'session' },
  ] as const;
  for (const { line, url, mode } of ways) {
    await steps.step(`${line}: a switchover and a kill`, async () => {
      if (mode !== undefined) await cluster.restartPooler(mode);
      await gateway.restart(url);
      const end = load.begin('steady');
      const fromMs = performance.now();
      await cluster.switchOver();
      await cluster.untilWhole();
      await (await cluster.untilWhole()).killPostgres();
      await sleep(quietMs);
      await cluster.untilWhole();
      await untilAnswered(load.goodMs);
      await end();
      const pauseMs = longestPause(load.goodMs, fromMs, performance.now());
      return `longest pause ${seconds(pauseMs)}; ${await expectZero(parts)}`;
    });
  }
  await steps.step('a pool of statements is refused at the start, in one line', async () => {
    await cluster.restartPooler('statement');
    const { code, output } = await gateway.command('migrate');
    expect(code === 1 && output.trim().split('\n').length === 1, `${code}: ${output}`);
    await cluster.restartPooler('transaction');
    await gateway.restart(cluster.pooledUrl);
    return output.trim();
  });
}
