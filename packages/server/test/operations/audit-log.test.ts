import assert from 'node:assert';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { createKeyRing } from '../../src/lib/key-ring.ts';
import { createApp, updateApp } from '../../src/operations/apps/apps.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { previewChange, runAudited } from '../../src/operations/context/audited-change.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { noteText } from '../../src/operations/context/note-text.ts';
import { disableKey, issueKey } from '../../src/operations/keys/keys.ts';
import { debitWallet, topUpWallet } from '../../src/operations/wallets/wallets.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn } from '../store/support/books.ts';

let folder: string;
let store: Store;
let admin: AdminContext;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-audit-'));
  store = openDirectStore(join(folder, 'gateway.db'));
  admin = adminOn(store);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const dollar = 10n ** 12n;
const credits = { monthlyGrantPicoUsd: 0n, picoUsdPerCredit: dollar / 100n };

test('changes of apps, budgets, keys and wallets are in the audit log, with values', async () => {
  await createApp(admin, 'tutor', { dailyBudgetPicoUsd: 20n * dollar, credits });
  await updateApp(admin, 'tutor', { dailyBudgetPicoUsd: 30n * dollar });
  const { id } = await issueKey(admin, { app: 'tutor', email: 'team@acme.example' });
  await disableKey(admin, id);
  const ada = { app: 'tutor', userId: 'ada' };
  await topUpWallet(admin, { ...ada, credits: '50', reference: 'order-1' });
  await debitWallet(admin, { ...ada, credits: '20', reference: 'refund-1' });

  // Lines of one millisecond have no order.
  const lines = (await auditLines()).sort((a, b) => (String(a.action) < String(b.action) ? -1 : 1));
  const keyName = 'llm::user::tutor::team@acme.example';
  expect(lines).toMatchObject([
    { action: 'app.create', subject: 'tutor', before: null, after: capOf(20n) },
    { action: 'app.update', subject: 'tutor', before: capOf(20n), after: capOf(30n) },
    { action: 'key.disable', subject: id, before: keyName, after: null },
    { action: 'key.issue', subject: id, before: null, after: keyName },
    {
      ...{ action: 'wallet.debit', subject: 'tutor/ada' },
      ...{ before: '50 credits', after: '30 credits, reference refund-1' },
    },
    {
      ...{ action: 'wallet.top-up', subject: 'tutor/ada' },
      ...{ before: '0 credits', after: '50 credits, reference order-1' },
    },
  ]);
  expect(new Set(lines.map(({ actor }) => actor))).toEqual(new Set([admin.actor]));
});

test('amounts of settings are read in USD, from lines that contain pico-USD', async () => {
  await createApp(admin, 'tutor', { dailyBudgetPicoUsd: 10n * dollar, credits });
  const now = await updateApp(admin, 'tutor', {
    ...{ dailyBudgetPicoUsd: 200n * dollar, perUserDailyPicoUsd: 1n },
  });
  expect(now).toMatchObject({ dailyBudgetUsd: '200' });
  const { result, lines } = await runAudited(admin, (context) =>
    updateApp(context, 'tutor', { dailyBudgetPicoUsd: 5n * dollar }),
  );
  expect(result).toMatchObject({ dailyBudgetUsd: '5' });
  const preview = await previewChange(admin, (context) =>
    updateApp(context, 'tutor', { dailyBudgetPicoUsd: 6n * dollar }),
  );
  const read = await listLines(admin, {
    ...{ subject: 'tutor', actor: undefined, since: undefined, limit: 9 },
    action: 'app.update',
  });
  expect(read).toHaveLength(2);
  for (const line of [...lines, ...preview, ...read]) {
    expect(JSON.stringify(line)).not.toMatch(/pico/i);
  }
  const first = read.at(-1) ?? expect.fail('there is no line');
  expect(JSON.parse(first.before ?? '')).toMatchObject({
    ...{ dailyBudgetUsd: '10', credits: { monthlyGrantUsd: '0', usdPerCredit: '0.01' } },
  });
  expect(JSON.parse(first.after ?? '')).toMatchObject({
    ...{ dailyBudgetUsd: '200', perUserDailyUsd: '0.000000000001' },
  });
  // The store's rows stay as they were hashed.
  const stored = (await auditLines()).map(({ after }) => String(after)).join();
  expect(stored).toContain('"dailyBudgetPicoUsd":"200000000000000"');
});

test.each([
  ['no note', undefined, null],
  ['a name', 'llm::user::picoUsd', 'llm::user::picoUsd'],
  ['a note that was cut off', '{"dailyBudgetPicoUsd":"1', '{"dailyBudgetPicoUsd":"1'],
  ['no amount', '{"dailyBudgetPicoUsd":"none"}', '{"dailyBudgetPicoUsd":"none"}'],
])('%s is as it was stored', (_, stored, shown) => {
  expect(noteText(stored)).toBe(shown);
});

test('a wallet is found under each key of the ring, in the order of the chain', async () => {
  const [first, second] = ['k1', 'k2'].map((id) => ({
    id,
    secret: `${id} ${'secret '.repeat(6)}`,
  }));
  assert(first !== undefined && second !== undefined);
  const path = join(folder, 'ring.db');
  const at = { ...systemClock, now: () => 1_795_000_000_000 };
  const wallet = { app: 'tutor', userId: 'ada', credits: '1' };
  const references = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'];
  for (const ring of [createKeyRing([first]), createKeyRing([second, first])]) {
    const ringed = openDirectStore(path, { ring });
    const operator = { ...adminOn(ringed), clock: at };
    if (ring.newest === 'k1') await createApp(operator, 'tutor', { credits });
    for (const reference of references.splice(0, 3)) {
      await topUpWallet(operator, { ...wallet, reference });
    }
    const lines = await listLines(operator, {
      ...{ subject: 'tutor/ada', actor: undefined, since: undefined, limit: 4 },
    });
    const expected = ring.newest === 'k1' ? ['r3', 'r2', 'r1'] : ['r6', 'r5', 'r4', 'r3'];
    expect(lines.map(({ after }) => after?.slice(-2))).toEqual(expected);
    expect(new Set(lines.map(({ subject }) => subject)).size).toBe(ring.keys().length);
    await ringed.close();
  }
});

test('a key and its secret are in no file of the store', async () => {
  await createApp(admin, 'search', {});
  const { id, key } = await issueKey(admin, { app: 'search', email: 'team@acme.example' });
  const files = await readdir(folder);
  const bytes = await Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')));
  const [, , secret = ''] = key.split('_');
  expect(secret.length).toBeGreaterThan(27);
  expect(bytes.some((text) => text.includes(id))).toBe(true);
  expect(bytes.some((text) => text.includes(secret))).toBe(false);
});

function capOf(usd: bigint) {
  return expect.stringContaining(String(usd));
}

function auditLines() {
  return store.read({
    sql: 'select actor, action, subject, before_value, after_value from audit_log order by id',
    values: [],
    map: (rows) =>
      rows.map((row) => ({
        actor: row.actor,
        action: row.action,
        subject: row.subject,
        before: row.before_value,
        after: row.after_value,
      })),
  });
}
