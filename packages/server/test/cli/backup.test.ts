import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ringFileOf } from '../../src/store/sqlite/file/ring-file.ts';
import { startServed } from '../support/process.ts';
import { type Desk, deskYaml, openDesk, textOf } from './support/desk.ts';
import { chat } from './support/polling.ts';

const simulatorYaml = deskYaml.replace(/ {2}local:.*\nmodels:\n(?: {2}- .*\n)+/, '');

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ yaml: simulatorYaml });
});
afterAll(() => desk.close());

test('backup copies a store in use, whole, for its owner only', async () => {
  const issued = await desk.record(['keys', 'issue', '--app', 'search', '--email', 'a@b.example']);
  const key = textOf(issued, 'key');
  const service = await startServed(['serve', '--config', desk.file]);
  const { status, body } = await chat(service.url, key);
  expect(status).toBe(200);
  const file = join(desk.folder, 'backup.db');
  const made = await desk.record(['backup', file]);
  expect(made).toEqual({
    store: join(desk.folder, 'gateway.db'),
    file,
    bytes: statSync(file).size,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await service.end('SIGTERM')).toBe(0);

  const yaml = simulatorYaml.replace('sqlite:./gateway.db', `sqlite:${file}`);
  writeFileSync(join(desk.folder, 'restored.yaml'), yaml);
  const restored = ['--config', join(desk.folder, 'restored.yaml'), '--json'];
  const shown = await desk.run(['calls', 'show', String(body.id), ...restored]);
  expect(JSON.parse(shown.out.join(''))).toMatchObject({ app: 'search', code: 'OK' });

  // Without its key file the copy cannot prove its audit log lines. Everything else is correct.
  const alone = JSON.parse((await desk.run(['audit', ...restored])).out.join(''));
  const breaches = alone.checks.filter(({ ok }: { ok: boolean }) => !ok);
  expect(breaches).toMatchObject([{ id: 'I16-key' }]);
  copyFileSync(ringFileOf(join(desk.folder, 'gateway.db')), ringFileOf(file));
  const audited = await desk.run(['audit', ...restored]);
  expect(JSON.parse(audited.out.join(''))).toMatchObject({ clean: true });
});

test('backup overwrites no file, and creates none for a missing store', async () => {
  const file = join(desk.folder, 'kept.db');
  writeFileSync(file, 'kept');
  const refused = await desk.run(['backup', file, '--config', desk.file]);
  expect([refused.code, refused.errors]).toEqual([
    1,
    [`${file} already exists; choose a new file name`],
  ]);
  expect(readFileSync(file, 'utf8')).toBe('kept');
  const empty = await openDesk();
  const none = await empty.run(['backup', join(empty.folder, 'b.db'), '--config', empty.file]);
  await empty.close();
  expect(none.code).toBe(1);
  expect(none.errors.join()).toMatch(/^no store exists at .*gateway\.db/);
});

test('backup refers a PostgreSQL store to pg_dump', async () => {
  const yaml = deskYaml.replace('sqlite:./gateway.db', 'postgres://gateway@127.0.0.1:9/gateway');
  const other = await openDesk({ yaml });
  const refused = await other.run(['backup', 'b.db', '--config', other.file]);
  await other.close();
  expect([refused.code, refused.errors.join()]).toEqual([1, expect.stringContaining('pg_dump')]);
});
