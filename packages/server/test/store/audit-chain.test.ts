import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/compose/open-store.ts';
import { createKeyRing, type KeyRing } from '../../src/lib/key-ring.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createApp, updateApp } from '../../src/operations/apps/apps.ts';
import { topUpWallet } from '../../src/operations/wallets/wallets.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { type ChainedLine, wholeStart } from '../../src/store/schema/audit-chain.ts';
import { insertAuditLine } from '../../src/store/schema/audit-lines.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { adminOn, count } from './support/books.ts';

const k1 = { id: 'k1', secret: 'the first secret of the operator' };
const k2 = { id: 'k2', secret: 'the second secret of the operator' };
const ring = createKeyRing([k1]);
const dollar = 10n ** 12n;
const credits = { monthlyGrantPicoUsd: 0n, picoUsdPerCredit: dollar / 100n };

describe.each(['sqlite', 'postgres'] as const)('the chain of the audit log on %s', (kind) => {
  let folder: string;
  let server: TestPostgres;
  let url: string;
  let told: ChainedLine[];
  let store: Store;
  const opened: Store[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'model-gateway-chain-'));
    server = await startPostgres();
    url = kind === 'postgres' ? await server.database() : join(folder, 'gateway.db');
    told = [];
    store = await open(ring);
    await fill('search');
  });
  afterEach(async () => {
    // Another test can have the database again only with all of its triggers.
    const guards = 'alter table audit_log enable trigger user';
    if (kind === 'postgres') await store.write([{ sql: guards, values: [] }]);
    for (const each of opened.splice(0)) await each.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(by: KeyRing | undefined): Promise<Store> {
    const onLines = (lines: readonly ChainedLine[]) => void told.push(...lines);
    const parts = { onDeath: () => undefined, log: silentLog, ring: by, onLines };
    const target = kind === 'postgres' ? ({ kind, url } as const) : ({ kind, path: url } as const);
    const each = await openStore({ ...parts, target });
    opened.push(each);
    return each;
  }

  /** Lines of both writers: an operator's statements, and the ledger's own. */
  async function fill(app: string, on = store) {
    const admin = adminOn(on);
    await createApp(admin, app, { credits, dailyBudgetPicoUsd: dollar });
    const wallet = { app, userId: 'ada', credits: '5' };
    await topUpWallet(admin, { ...wallet, reference: 'first' });
    await updateApp(admin, app, { dailyBudgetPicoUsd: 2n * dollar });
    await topUpWallet(admin, { ...wallet, reference: 'second' });
  }

  async function tamper(...statements: readonly string[]) {
    const free =
      kind === 'postgres'
        ? ['alter table audit_log disable trigger user']
        : ['keeps_lines', 'keeps_all_lines', 'keeps_ids'].map(
            (of) => `drop trigger audit_log_${of}`,
          );
    for (const sql of [...free, ...statements]) await store.write([{ sql, values: [] }]);
  }

  async function failing(on = store) {
    const { checks } = await audit(on, 0);
    return checks.flatMap(({ id, ok, figure }) => (ok ? [] : [`${id} ${figure}`]));
  }

  test('contains the lines of both writers, and a reader gets each once', async () => {
    expect(await audit(store, 0)).toMatchObject({ clean: true, unchainedLines: 0 });
    expect(told.map(({ seq, kid, action }) => [seq, kid, action])).toEqual([
      [1, 'k1', 'app.create'],
      [2, 'k1', 'wallet.top-up'],
      [3, 'k1', 'app.update'],
      [4, 'k1', 'wallet.top-up'],
    ]);
    expect(await count(store, 'select seq as n from audit_head')).toBe(4);
    // A rollback leaves no gap, and is not reported.
    const nothing = { sql: 'delete from app where name is null', values: [] };
    const [line] = told;
    if (line === undefined) expect.unreachable();
    const again = { ...line, id: 'log_again' };
    await store.write([{ ...nothing, abortIfNoRows: true }, insertAuditLine(again)]);
    expect(told.length).toBe(4);
    expect(await failing()).toEqual([]);
  });

  test.each([
    ['a line that is changed', ["update audit_log set actor = 'eve' where seq = 2"], 1],
    ['a line without its reason', ['update audit_log set after_value = null where seq = 4'], 1],
    ['the first line gone', ['delete from audit_log where seq = 1'], 1],
    ['two lines gone', ['delete from audit_log where seq in (2, 3)'], 2],
    ['the last line gone', ['delete from audit_log where seq = 4'], 1],
    ['all lines gone', ['delete from audit_log'], 4],
    [
      'two lines that changed places',
      [
        'update audit_log set seq = 9 where seq = 2',
        'update audit_log set seq = 2 where seq = 3',
        'update audit_log set seq = 3 where seq = 9',
      ],
      3,
    ],
    [
      'a line that is added',
      [
        `insert into audit_log (id, at, actor, action, subject, seq, kid, hmac)
         values ('log_x', 0, 'eve', 'app.update', 'search', 5, 'k1', 'made up')`,
      ],
      2,
    ],
    [
      'a line that is added with its head',
      [
        `insert into audit_log (id, at, actor, action, subject, seq, kid, hmac)
         values ('log_x', 0, 'eve', 'app.update', 'search', 5, 'k1', 'made up')`,
        "update audit_head set seq = 5, hmac = 'made up'",
      ],
      1,
    ],
    ['a head that is moved back', ['update audit_head set seq = 3'], 1],
    ['no head', ['delete from audit_head'], 1],
  ])('has %s', async (_what, statements, figure) => {
    await tamper(...statements);
    expect(await failing()).toEqual([`I16 ${figure}`]);
  });

  test('is followed over pages, and while lines are added', async () => {
    const [line] = told;
    if (line === undefined) expect.unreachable();
    const lines = Array.from({ length: 2_100 }, (_, index) =>
      insertAuditLine({ ...line, id: `log_${index}` }),
    );
    await store.write(lines);
    expect(await failing()).toEqual([]);
    await tamper('delete from audit_log where seq = 1500');
    expect(await failing()).toEqual(['I16 1']);
  });

  test('stays verified when a key is replaced, and reports the lines of a lost key', async () => {
    const rotated = await open(createKeyRing([k2, k1]));
    await fill('tutor', rotated);
    expect(told.at(-1)).toMatchObject({ seq: 8, kid: 'k2' });
    expect(await failing(rotated)).toEqual([]);
    expect(await failing(await open(createKeyRing([k2])))).toEqual(['I16-key 4']);
    await tamper("update audit_log set kid = '', hmac = 'x' where seq = 7");
    expect(await failing(rotated)).toEqual(['I16 1', 'I16-key 1']);
  });

  const withoutPlace = `
    insert into audit_log (id, at, actor, action, subject)
    values ('log_before', 0, 'cli:before', 'app.update', 'search')`;

  test('finds a line without a position in it, before and behind its first one', async () => {
    await store.write([{ sql: withoutPlace, values: [] }]);
    expect(await failing()).toEqual(['I16 1']);
    await tamper(
      'delete from audit_log where seq is not null',
      `update audit_head set seq = 0, kid = '', hmac = '${wholeStart}'`,
    );
    expect(await failing()).toEqual(['I16 1']);
  });

  test('works next to the lines of an earlier version, which it does not miss', async () => {
    // A store of an earlier version.
    await tamper('delete from audit_log', "update audit_head set seq = 0, kid = '', hmac = ''");
    await store.write([{ sql: withoutPlace, values: [] }]);
    await fill('tutor');
    expect(await audit(store, 0)).toMatchObject({ clean: true, unchainedLines: 1 });
    for (const from of ['seq is null', 'seq = 2']) {
      await store.write([{ sql: `delete from audit_log where ${from}`, values: [] }]);
    }
    expect(await failing()).toEqual(['I16 1']);
  });

  test('has a position for each concurrent writer, under two orders of the ring', async () => {
    const replicas = [await open(createKeyRing([k1, k2])), await open(createKeyRing([k2, k1]))];
    const apps = Array.from({ length: 8 }, (_, index) => `app-${index}`);
    await Promise.all(apps.map((app, index) => fill(app, replicas[index % 2])));
    expect(await failing(replicas[0])).toEqual([]);
    expect(await count(store, 'select seq as n from audit_head')).toBe(4 + 4 * apps.length);
    expect(new Set(told.map(({ seq }) => seq)).size).toBe(4 + 4 * apps.length);
    expect(new Set(told.map(({ kid }) => kid))).toEqual(new Set(['k1', 'k2']));
  });
});

test('without a ring lines are chained without a key', async () => {
  const onDeath = () => undefined;
  const server = await startPostgres();
  onTestFinished(() => server.close());
  const url = await server.database();
  const store = await openStore({ target: { kind: 'postgres', url }, onDeath, log: silentLog });
  await createApp(adminOn(store), 'search', {});
  await createApp(adminOn(store), 'tutor', {});
  expect(await audit(store, 0)).toMatchObject({ clean: true, unchainedLines: 0 });
  for (const sql of [
    'alter table audit_log disable trigger user',
    "update audit_log set subject = 'other' where seq = 1",
  ]) {
    await store.write([{ sql, values: [] }]);
  }
  expect(await audit(store, 0)).toMatchObject({ clean: false });
  await store.close();
});
