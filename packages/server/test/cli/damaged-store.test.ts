import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk } from './support/desk.ts';

const pageBytes = 4_096;
const cure = 'Stop the service, keep a copy of its files, and restore a backup';
const notDatabase =
  'the file is not a SQLite database, or its header is damaged; restore a backup, or correct "store" in the configuration';

let desk: Desk;
let store: string;
let whole: string;
beforeAll(async () => {
  desk = await openDesk();
  store = join(desk.folder, 'gateway.db');
  whole = join(desk.folder, 'whole.db');
  await desk.record(['keys', 'issue', '--app', 'search', '--email', 'a@b.example']);
  copyFileSync(store, whole);
});
beforeEach(() => {
  for (const file of ['-wal', '-shm']) rmSync(`${store}${file}`, { force: true });
  copyFileSync(whole, store);
});
afterAll(() => desk.close());

/** Overwrites bytes of the store. */
function overwrite(bytes: Uint8Array, at: number): void {
  const file = openSync(store, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** The last line of standard error. The command must fail. */
async function failure(...commandLine: string[]): Promise<string> {
  const { code, errors } = await desk.run([...commandLine, '--config', desk.file]);
  expect(code).toBe(1);
  expect(errors).toHaveLength(1);
  expect(errors.join()).not.toMatch(/\n|\bat .*:\d+:\d+/);
  return errors.join();
}

const backup = () => join(desk.folder, 'backup.db');

test('audit and backup report 8 KiB of noise, and no copy is made', async () => {
  overwrite(new Uint8Array(2 * pageBytes).fill(0xa5), 29 * pageBytes);
  const bytes = readFileSync(store);
  const refused = await failure('backup', backup());
  expect(refused).toMatch(/^cannot back up the store \S+: the file is damaged \(.+\); stop the /);
  expect(existsSync(backup())).toBe(false);
  const { code, out, errors } = await desk.run(['audit', '--json', '--config', desk.file]);
  expect({ code, errors }).toEqual({
    code: 1,
    errors: [`the store file is damaged, so nothing else was checked. ${cure}`],
  });
  const { clean, checks } = JSON.parse(out.join(''));
  expect({ clean, checks }).toEqual({
    clean: false,
    checks: [{ id: 'file', ok: false, figure: expect.any(Number), rows: expect.any(Array) }],
  });
  expect(readFileSync(store).equals(bytes)).toBe(true);
});

test.each(['keys list', 'usage', 'log list', 'days prune --before 2020-01-01 --yes', 'serve'])(
  '%s on tables and indexes of noise ends in one sentence',
  async (words) => {
    const database = new DatabaseSync(store);
    const roots = database.prepare('select rootpage from sqlite_schema where rootpage > 0').all();
    const page = new Uint8Array(pageBytes).fill(0xa5);
    database.close();
    for (const { rootpage } of roots) overwrite(page, (Number(rootpage) - 1) * pageBytes);
    expect(await failure(...words.split(' '))).toContain(`the file is damaged (`);
  },
);

test('backup copies no store with a wrong count of free pages', async () => {
  // Source: "Database File Format", sqlite.org: offset 36 has the number of free pages.
  overwrite(Uint8Array.of(0, 0, 0, 5), 36);
  expect(await failure('backup', backup())).toContain('the file is damaged (');
  expect(existsSync(backup())).toBe(false);
});

const commands = [['serve'], ['audit'], ['keys', 'list'], ['migrate'], ['users', 'scrub']];

test.each([
  ['a damaged header', () => overwrite(new Uint8Array(100).fill(0xa5), 0)],
  ['a foreign file', () => writeFileSync(store, 'company: acme\n'.repeat(1_000))],
])('%s is one message, and stays unchanged', async (_, damage) => {
  damage();
  const bytes = readFileSync(store);
  for (const command of commands) {
    const verb = command[0] === 'users' ? 'scrub' : 'open';
    expect(await failure(...command)).toBe(`cannot ${verb} the store ${store}: ${notDatabase}`);
  }
  expect(await failure('backup', backup())).toBe(
    `cannot back up the store ${store}: ${notDatabase}`,
  );
  expect(existsSync(backup())).toBe(false);
  expect(readFileSync(store).equals(bytes)).toBe(true);
});

test('a foreign file gets no key ring, and another program’s database no table', async () => {
  for (const file of readdirSync(desk.folder)) {
    if (file.startsWith('gateway.db')) rmSync(join(desk.folder, file));
  }
  const database = new DatabaseSync(store);
  database.exec('create table other (id integer)');
  database.close();
  const bytes = readFileSync(store);
  for (const command of [['serve'], ['audit']]) {
    expect(await failure(...command)).toBe(
      `cannot open the store ${store}: the file is the database of another program; correct "store" in the configuration`,
    );
  }
  expect(readFileSync(store).equals(bytes)).toBe(true);
  expect(existsSync(`${store}.keys`)).toBe(false);
});

test('backup makes no copy of an empty file', async () => {
  writeFileSync(store, '');
  expect(await failure('backup', backup())).toMatch(/^no store exists at \S+gateway\.db/);
  expect(existsSync(backup())).toBe(false);
});
