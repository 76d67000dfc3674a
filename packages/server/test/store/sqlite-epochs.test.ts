import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteEngine, type SqliteEngine } from '../../src/store/sqlite/engine.ts';
import { search } from '../conformance/operations.ts';

let folder: string;
let path: string;
let nowMs: number;
let engine: SqliteEngine;
let opened: SqliteEngine[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-epochs-'));
  path = join(folder, 'gateway.db');
  nowMs = 0;
  opened = [];
  engine = open();
});
afterEach(async () => {
  for (const one of opened) one.close();
  await rm(folder, { recursive: true, force: true });
});

function open(at = path): SqliteEngine {
  const one = openSqliteEngine(at, { clock: { monotonic: () => nowMs } });
  opened.push(one);
  return one;
}

function close(one: SqliteEngine) {
  opened = opened.filter((other) => other !== one);
  one.close();
}

/** A change whose loss would be noticed. */
function spend(name: string, on = engine) {
  on.write([
    {
      sql: "insert into audit_log (id, at, actor, action, subject) values ($1, 0, 't', 't', 't')",
      values: [name],
    },
  ]);
  on.tidy();
}

function spent(on: SqliteEngine): readonly unknown[] {
  return on.read({ sql: 'select id from audit_log order by id', values: [] }).map(({ id }) => id);
}

let images = 0;

/** The files after a kill or a power loss; without the named ones. */
async function image(without: readonly string[] = []): Promise<string> {
  const at = join(folder, `image-${images++}.db`);
  for (const end of ['', '-wal', '.epoch'].filter((name) => !without.includes(name))) {
    await copyFile(`${path}${end}`, `${at}${end}`);
  }
  return at;
}

/** The result of `vacuum into` on the store: the backup of the documents. */
function backup(): string {
  const at = join(folder, `backup-${images++}.db`);
  const other = new DatabaseSync(path);
  other.prepare('vacuum into ?').run(at);
  other.close();
  return at;
}

/** The finding of a service that starts on the files. */
function originAt(at: string): string {
  const one = open(at);
  const origin = one.epochs.readOrigin();
  close(one);
  return origin;
}

const begin = () => engine.epochs.begin('store_1');

describe('a store is whole', () => {
  test('when it is new, and after each clean shutdown', () => {
    for (let life = 0; life < 3; life++) {
      expect(engine.epochs.readOrigin()).toBe('whole');
      begin();
      spend(`life ${life}`);
      engine.epochs.end();
      close(engine);
      engine = open();
    }
    expect(spent(engine)).toHaveLength(3);
  });

  test('after a kill, with any opening in between, with or without its log', async () => {
    begin();
    spend('a');
    const at = await image();
    expect(originAt(at)).toBe('whole');
    // A command that is the last to close the file removes its log: nothing is lost by that.
    expect(await readFile(`${at}-wal`).catch(() => 'none')).toBe('none');
    expect(originAt(at)).toBe('whole');
    const foreign = new DatabaseSync(at);
    foreign.exec('create table theirs (a)');
    foreign.close();
    expect(originAt(at)).toBe('whole');
  });

  test('after a kill between a checkpoint and its epoch file', async () => {
    begin();
    const before = await readFile(`${path}.epoch`);
    engine.epochs.advance();
    const at = await image();
    await writeFile(`${at}.epoch`, before);
    expect(originAt(at)).toBe('whole');
  });

  test('as a copy that was made after a clean shutdown, to make the file smaller', () => {
    begin();
    spend('a');
    engine.epochs.end();
    close(engine);
    const at = backup();
    return copyFile(`${path}.epoch`, `${at}.epoch`).then(() => expect(originAt(at)).toBe('whole'));
  });

  test('while it is served by a version without epochs, and when it was', () => {
    expect(engine.epochs.readOrigin()).toBe('whole');
    spend('a');
    close(engine);
    expect(originAt(path)).toBe('whole');
  });
});

describe('a store is older', () => {
  test('without its log after a kill, however young it is', async () => {
    begin();
    expect(originAt(await image(['-wal']))).toBe('older');
    spend('a');
    expect(originAt(await image(['-wal']))).toBe('older');
    engine.epochs.advance();
    expect(originAt(await image(['-wal']))).toBe('older');
  });

  test('with a log that was emptied', async () => {
    begin();
    spend('a');
    const at = await image();
    await truncate(`${at}-wal`, 0);
    expect(originAt(at)).toBe('older');
  });

  test('when a backup of the running service is restored after a kill', async () => {
    begin();
    spend('a');
    const at = backup();
    spend('b');
    const lost = await image();
    await copyFile(`${lost}.epoch`, `${at}.epoch`);
    // A command may read it first.
    expect(originAt(at)).toBe('older');
    expect(originAt(at)).toBe('older');
    const one = open(at);
    expect(spent(one)).toEqual(['a']);
    one.epochs.begin('store_2');
    expect(one.epochs.readOrigin()).toBe('whole');
  });

  test.each(['an end in order', 'another life', 'a checkpoint'])(
    'when a backup is restored that was made before %s',
    async (what) => {
      begin();
      const at = backup();
      if (what === 'a checkpoint') engine.epochs.advance();
      else engine.epochs.end();
      if (what === 'another life') begin();
      await copyFile(`${path}.epoch`, `${at}.epoch`);
      expect(originAt(at)).toBe('older');
    },
  );

  test('when a copy of only the file is restored, which is not a backup', async () => {
    begin();
    spend('a');
    engine.epochs.advance();
    expect(originAt(await image(['-wal']))).toBe('older');
  });

  test('when it belongs to a version without epochs, and has calls', async () => {
    spend('a');
    engine.write([{ sql: 'delete from store_epoch', values: [] }]);
    engine.write([
      {
        sql: "insert into budget_day values ('search', '2026-11-21', null, null, 1, 0, 0, 0)",
        values: [],
      },
    ]);
    const at = backup();
    begin();
    await copyFile(`${path}.epoch`, `${at}.epoch`);
    expect(originAt(at)).toBe('older');
  });
});

describe('the age is unknown', () => {
  test('when its epoch file is missing, or unreadable', async () => {
    begin();
    const at = await image(['.epoch']);
    expect(originAt(at)).toBe('missing');
    for (const text of ['', 'store_1', 'store_1 x open', 'store_1 5', '{}']) {
      await writeFile(`${at}.epoch`, text);
      expect(originAt(at)).toBe('foreign');
    }
  });

  test('when the epoch file belongs to another store, or a new store is there', async () => {
    begin();
    const at = await image(['', '-wal']);
    expect(originAt(at)).toBe('foreign');
    const other = open(join(folder, 'other.db'));
    other.epochs.begin('store_2');
    await copyFile(`${path}.epoch`, join(folder, 'other.db.epoch'));
    expect(other.epochs.readOrigin()).toBe('foreign');
    other.epochs.begin('store_3');
    expect(other.epochs.readOrigin()).toBe('whole');
    expect(await readFile(join(folder, 'other.db.epoch'), 'utf8')).toMatch(/^store_2 \d+ open \n$/);
  });
});

test('a process that has not begun records nothing at its end', async () => {
  begin();
  spend('a');
  const before = await readFile(`${path}.epoch`, 'utf8');
  const command = open();
  command.epochs.end();
  command.tidy();
  close(command);
  expect(await readFile(`${path}.epoch`, 'utf8')).toBe(before);
  expect(originAt(await image(['-wal']))).toBe('older');
});

describe('a checkpoint', () => {
  const inDatabase = async () => {
    const at = await image(['-wal', '.epoch']);
    const one = new DatabaseSync(at);
    const rows = one.prepare('select id from audit_log order by id').all();
    one.close();
    return rows.map(({ id }) => id);
  };

  test('comes after five minutes, however little there is', async () => {
    begin();
    spend('a');
    nowMs = 299_999;
    spend('b');
    expect(await inDatabase()).toEqual([]);
    nowMs = 300_000;
    spend('c');
    expect(await inDatabase()).toEqual(['a', 'b', 'c']);
    spend('d');
    nowMs = 599_999;
    spend('e');
    expect(await inDatabase()).toEqual(['a', 'b', 'c']);
    nowMs = 600_000;
    engine.tidy();
    expect(await inDatabase()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('comes after 24,000 pages, and begins an epoch that is lost with its log', async () => {
    begin();
    const page = 'x'.repeat(4_000);
    // About 3,000 pages each.
    const fill = (name: string) => {
      const values = Array.from({ length: 1_500 }, (_, index) => ({
        sql: "insert into audit_log (id, at, actor, action, subject, before_value) values ($1, 0, 't', 't', 't', $2)",
        values: [`${name} ${index}`, page],
      }));
      engine.write(values);
      engine.tidy();
    };
    const walBytes = async () => (await readFile(`${path}-wal`)).length;
    for (let step = 0; step < 40; step++) fill(`step ${step}`);
    expect(await walBytes()).toBeLessThan(140_000_000);
    expect((await inDatabase()).length).toBeGreaterThan(10_000);
    expect(originAt(await image(['-wal']))).toBe('older');
  });
});

describe('a log that is lost while the store is served', () => {
  const lost = /gateway\.db-wal has lost committed data; restart the service, /;
  const call = () => engine.commit([search.reserve('a', 1n)]);
  beforeEach(() => {
    begin();
    spend('a');
  });

  test('is noticed before the next commit, and before the next checkpoint', async () => {
    await truncate(`${path}-wal`, 0);
    expect(() => spend('b')).toThrow(lost);
    expect(call()).toEqual([
      { ok: false, kind: 'unavailable', error: expect.stringMatching(lost) },
    ]);
    nowMs = 300_000;
    expect(() => engine.tidy()).toThrow(lost);
    // It is retried in its time, and not after each commit.
    expect(() => engine.tidy()).not.toThrow();
    expect(() => engine.epochs.end()).toThrow(lost);
    close(engine);
    expect(originAt(path)).toBe('older');
  });

  test('is noticed when it is truncated, and when it begins with a hole', async () => {
    const whole = await readFile(`${path}-wal`);
    await truncate(`${path}-wal`, 100);
    expect(() => spend('b')).toThrow(lost);
    await writeFile(`${path}-wal`, whole);
    spend('c');
    await writeFile(`${path}-wal`, Buffer.alloc(whole.length * 3));
    expect(() => spend('d')).toThrow(lost);
  });

  test('is distinct from legal actions of other processes', async () => {
    const other = new DatabaseSync(path);
    const modes = ['passive', 'full', 'restart', 'truncate', 'noop'];
    for (let round = 0; round < 200; round++) {
      const mode = modes[round % modes.length];
      other.exec(`pragma wal_checkpoint(${mode})`);
      if (round % 3 === 0) other.exec(`update store_epoch set copied = 0 where ${round} = 0`);
      if (round % 7 === 0) other.exec(`insert into lease values ('${round}', 'o', 1)`);
      spend(`round ${String(round).padStart(3, '0')}`);
      if (round === 100) engine.epochs.advance();
    }
    other.close();
    expect(spent(engine)).toHaveLength(201);
    expect(originAt(await image())).toBe('whole');
  });
});
