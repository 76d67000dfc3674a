import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../harness/until.ts';
import { formatUsd } from '../../packages/server/src/lib/money.ts';
import { expect } from '../image/steps.ts';
import { readBooks } from './books.ts';
import { steadyApp } from './load.ts';
import { expectZero, type Stages } from './stage.ts';

/** How long the standbys receive nothing before the primary is lost. */
const behindMs = 3_000;
/** The standbys abandon a silent primary, and follow their elected new one. */
const noticedMs = 8_000;

/**
 * Asynchronous standbys lose commits that they have not received: these calls are billed, and
 * booked nowhere. The last stage, since the ledger disagrees with the bill from here on; the
 * closing of the day covers the difference.
 */
export async function runAsynchronous(parts: Stages): Promise<void> {
  const { steps, cluster, gateway, load, apps } = parts;
  let missing = 0n;
  await steps.step('an asynchronous standby loses what it had not got', async () => {
    await expectZero(parts);
    await cluster.configure({ synchronous_mode: false });
    const primary = await cluster.untilWhole(false);
    const end = load.begin(steadyApp);
    await sleep(1_000);
    const others = cluster.nodes.filter((node) => node !== primary);
    primary.link.cut(others.map(({ name }) => name));
    await sleep(behindMs);
    await primary.kill();
    await until(async () => (await cluster.primary()) !== undefined);
    await sleep(noticedMs);
    await end();
    primary.link.heal();
    primary.start();
    // A remaining reservation, whose settlement was lost completely, ends with its process.
    await gateway.restart(cluster.pooledUrl);
    const { simulatorUrl } = gateway;
    const bookParts = { storeUrl: cluster.directUrl, simulatorUrl, apps, load };
    const { accounts, broken } = await readBooks(bookParts);
    const steady = accounts.find(({ name }) => name === steadyApp);
    expect(steady !== undefined && steady.lost > 0, 'nothing was lost');
    const audited = broken.filter((line) => line.startsWith('audit'));
    expect(audited.length === 0, audited.join('; '));
    missing = (steady?.billedPicoUsd ?? 0n) - (steady?.bookedPicoUsd ?? 0n);
    const lost = `${steady?.lost} calls and $${formatUsd(missing)} of the bill are in no book`;
    return `${lost}; the audit finds nothing, and cannot`;
  });
  await steps.step('the day is closed, and corrected with the bill', async () => {
    const closed = await gateway.command('days', 'close', '--all', '--yes');
    expect(closed.code === 0, closed.output);
    const audit = await gateway.command('audit');
    expect(audit.code === 0, audit.output);
    const result = await load.once(steadyApp);
    expect(result.kind === 'refused', `a call of a closed day is ${result.kind}`);
    const book = ['days', 'close', steadyApp, '--usd', formatUsd(missing), '--yes'];
    for (const argv of [book, ['days', 'reopen', steadyApp]]) {
      const { code, output } = await gateway.command(...argv);
      expect(code === 0, output);
    }
    await sleep(1_500);
    const again = await load.once(steadyApp);
    expect(again.kind === 'answered', `a call of a day that is open again is ${again.kind}`);
    return `refused while it is closed; $${formatUsd(missing)} booked of the bill, and answered again; audit clean`;
  });
}
