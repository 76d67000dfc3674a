import { appendFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../harness/process.ts';
import { until } from '../../../../harness/until.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { adminOn } from '../../test/store/support/books.ts';
import type { Served } from '../../test/support/process.ts';
import { openReplicaStores } from '../faults/replica-stores.ts';
import { callers, expectHonestBooks, type Replicas, type Seen } from '../faults/replicas.ts';

const stores = openReplicaStores();
const inForce = 'configuration reloaded';
const refused = 'configuration reload rejected; the current configuration stays in effect';

describe.each(stores.all)('SIGHUP on %s', (_name, open) => {
  test('puts apps, budgets and plans in force under load, audited as by a start', async () => {
    const replicas = await open();
    const served = await replicas.start();
    expect(await capOf(served, replicas)).toBe('1000');
    const seen = await underLoad(replicas, served, async () => {
      await edit(replicas, 'dailyBudgetUsd: "1000" }', 'dailyBudgetUsd: "700" }\n  - name: young');
      await appendFile(fileOf(replicas), 'budgets: [{ name: both, apps: all, dailyUsd: "900" }]\n');
      await hangUp(served, inForce);
    });
    expect(seen.errors).toEqual([]);
    expect(await capOf(served, replicas)).toBe('700');
    const lines = await listLines(adminOn(replicas.store), everyLine);
    const { actor = '' } = lines.find((line) => line.actor.startsWith('config:')) ?? {};
    expect(actor).toMatch(/^config:[0-9a-f]{12}@/);
    const ofReload = lines.filter((line) => line.actor === actor);
    const subjects = ofReload.map(({ subject }) => subject).toSorted();
    expect(subjects).toEqual(['group:both day', 'search', 'young']);
    expect(served.log()).toContain(`"config":"${actor.slice('config:'.length).split('@')[0]}"`);
    await edit(replicas, 'ratePerSecond: 100000, burst: 100000', 'ratePerSecond: 0.001, burst: 1');
    await hangUp(served, inForce);
    const statuses = [await statusOf(served, replicas), await statusOf(served, replicas)];
    expect(statuses).toContain(429);
    expect(await served.end('SIGTERM')).toBe(0);
    await expectHonestBooks(replicas, seen);
  });

  test('rejects a file with a mistake, and applies no part of it', async () => {
    const replicas = await open();
    const served = await replicas.start();
    const seen = await underLoad(replicas, served, async () => {
      await edit(replicas, 'dailyBudgetUsd: "1000"', 'dailyBudgetUsd: "700", modles: [a]');
      await hangUp(served, refused);
      expect(served.log()).toMatch(/apps\[0\]\.modles/);
      await edit(replicas, ', modles: [a]', '');
      await edit(replicas, 'company: acme', 'company: other');
      await edit(replicas, 'limits: {}', 'limits: { inFlight: 7 }\nunpriced: refuse');
      await hangUp(served, refused);
    });
    expect(served.log()).toContain('can change only at startup: company, limits, unpriced;');
    expect(await capOf(served, replicas)).toBe('1000');
    expect(seen.errors).toEqual([]);
    expect(await served.end('SIGTERM')).toBe(0);
    await expectHonestBooks(replicas, seen);
  });

  test('rejects a pipe and a huge file, and does not wait for them', async () => {
    const replicas = await open();
    const served = await replicas.start();
    const file = fileOf(replicas);
    const seen = await underLoad(replicas, served, async () => {
      await rename(file, `${file}.kept`);
      expect(await runs('mkfifo', [file])).toBe(true);
      await hangUp(served, refused);
      expect(served.log()).toContain('cannot be read (not a regular file)');
      await rm(file);
      await writeFile(file, '');
      await truncate(file, 17 * 1024 * 1024);
      await hangUp(served, refused);
      expect(served.log()).toContain('cannot be read (larger than 16 MiB)');
      await rename(`${file}.kept`, file);
      await hangUp(served, inForce);
    });
    expect(seen.errors).toEqual([]);
    expect(await served.end('SIGTERM')).toBe(0);
    await expectHonestBooks(replicas, seen);
  });

  test('rejects a file with a wrong price: calls keep the previous price', async () => {
    const replicas = await open({ yaml: modelsOf('inputUsdPerMillion: "2"') });
    const served = await replicas.start();
    const whole = await readFile(fileOf(replicas), 'utf8');
    const seen = await underLoad(replicas, served, async () => {
      for (const [price, sentence] of wrongPrices) {
        await writeFile(fileOf(replicas), whole.replace('inputUsdPerMillion: "2"', price));
        await hangUp(served, refused);
        expect(served.log()).toContain(sentence);
        expect(await inputPriceOf(served, replicas)).toBe('2');
      }
      await writeFile(fileOf(replicas), whole.replace('"2"', '"3"'));
      await hangUp(served, inForce);
      expect(await inputPriceOf(served, replicas)).toBe('3');
    });
    expect(seen.errors).toEqual([]);
    expect(await served.end('SIGTERM')).toBe(0);
    await expectHonestBooks(replicas, seen);
  });

  test('rejects the same as startup: an app in use is missing, a project is shared', async () => {
    const replicas = await open();
    const served = await replicas.start();
    const whole = await readFile(fileOf(replicas), 'utf8');
    await edit(replicas, 'name: search, dailyBudgetUsd: "1000"', 'name: young');
    await hangUp(served, refused);
    expect(served.log()).toMatch(/missing from .*: search/);
    const shared =
      '{ name: search, dailyBudgetUsd: "1" }\n  - { name: young, project: prod-acme-core-search }';
    const two = whole.replace('{ name: search, dailyBudgetUsd: "1000" }', shared);
    await writeFile(fileOf(replicas), two);
    await hangUp(served, refused);
    expect(served.log()).toMatch(/prod-acme-core-search.* is already the project of search/);
    expect(await capOf(served, replicas)).toBe('1000');
    await writeFile(fileOf(replicas), whole);
    await hangUp(served, inForce);
    expect(await served.end('SIGTERM')).toBe(0);
  });
});

test('on PostgreSQL the apps change for every replica, and each is reported', async () => {
  const replicas = await stores.onPostgres();
  const [told, other] = await Promise.all([replicas.start(), replicas.start()]);
  await edit(replicas, 'dailyBudgetUsd: "1000"', 'dailyBudgetUsd: "700"');
  await hangUp(told, inForce);
  expect(told.log()).toContain('other replicas run a different configuration');
  await until(async () => (await capOf(other, replicas)) === '700');
  await hangUp(other, inForce);
  // Its own earlier hash is not another replica's.
  const [, after = ''] = other.log().split(inForce);
  expect(after).not.toContain('other replicas run a different configuration');
  for (const served of [told, other]) expect(await served.end('SIGTERM')).toBe(0);
});

const modelsOf = (price: string) => `models:
  - { id: priced, platform: sandbox, ${price}, outputUsdPerMillion: "10" }
`;

/** A wrong price, and a part of the log message. */
const wrongPrices = [
  [
    'inputUsdPerMillion: 1e-7',
    'models[0].inputUsdPerMillion: must be a price in USD per million tokens',
  ],
  [
    'inputUsdPerMillion: -2',
    'models[0].inputUsdPerMillion: must be a price in USD per million tokens',
  ],
  [
    'inputUsdPerMillion: "2", tiers: { default: "2" }',
    'models: priced has the factor 2 in the tier default, which is the standard tier',
  ],
  [
    'inputUsdPerMillion: "0.000001", tiers: { flex: "0.5" }',
    'six decimals after its factors (priceFactor, tiers, regions): $0.000001 times 0.5; use',
  ],
] as const;

const everyLine = { subject: undefined, actor: undefined, since: undefined, limit: 100 };
const fileOf = ({ folder }: Replicas) => join(folder, 'gateway.yaml');

async function edit(replicas: Replicas, from: string, to: string): Promise<void> {
  const text = await readFile(fileOf(replicas), 'utf8');
  expect(text).toContain(from);
  await writeFile(fileOf(replicas), text.replace(from, to));
}

/** Sends the signal, and waits for one more log line with the result. */
async function hangUp(served: Served, line: string): Promise<void> {
  const before = served.log().split(line).length;
  served.process.kill('SIGHUP');
  await until(() => served.log().split(line).length > before);
}

/** Four callers run from before the change until after it. */
async function underLoad(replicas: Replicas, { url }: Served, act: () => Promise<void>) {
  const seen: Seen = { answered: [], errors: [] };
  let isOver = false;
  const { apiKey } = replicas;
  const calling = callers({ url, apiKey, seen, count: 4, goesOn: () => !isOver });
  const more = async () => {
    const goal = seen.answered.length + 20;
    await until(() => seen.answered.length > goal || seen.errors.length > 0);
  };
  await more();
  await act();
  await more();
  isOver = true;
  await calling;
  return seen;
}

async function capOf(served: Served, { apiKey }: Replicas): Promise<string | undefined> {
  const answer = await fetch(`${served.url}/v1/usage`, { headers: { 'x-api-key': apiKey } });
  expect(answer.status).toBe(200);
  return /"capUsd":"(\d+)"/.exec(await answer.text())?.[1];
}

async function inputPriceOf(served: Served, { apiKey }: Replicas): Promise<string | undefined> {
  const answer = await fetch(`${served.url}/v1/models`, { headers: { 'x-api-key': apiKey } });
  const text = await answer.text();
  return /"id":"priced".*?"inputUsdPerMillion":"([\d.]+)"/.exec(text)?.[1];
}

async function statusOf(served: Served, { apiKey }: Replicas): Promise<number> {
  return (await fetch(`${served.url}/v1/models`, { headers: { 'x-api-key': apiKey } })).status;
}
