import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../harness/free-port.ts';
import { silentLog } from '../../src/lib/log.ts';
import { runBin } from '../../test/cli/support/bin.ts';
import { expectBooks, paid } from '../../test/support/books.ts';
import { meetChat } from '../../test/support/exchange.ts';
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts';
import { type PostgresServer, startPostgresServer } from '../../test/support/postgres-server.ts';
import { openPostgresStore } from '../../test/support/postgres-store.ts';
import { createSelfSigned } from '../../test/support/self-signed.ts';
import { openStack } from '../../test/support/stack.ts';

const yamlOn = (store: string) => `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: "${store}"
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

const own = createSelfSigned('localhost');
let folder: string;
let port: number;
let server: PostgresServer;
let plain: TestPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-tls-'));
  await writeFile(join(folder, 'ca.pem'), own.cert);
  await writeFile(join(folder, 'other.pem'), createSelfSigned('localhost').cert);
  port = await freePort();
  server = await startPostgresServer(port, [], own);
  plain = await startPostgres();
});
afterAll(async () => {
  await Promise.all([server.close(), plain.close()]);
  await rm(folder, { recursive: true, force: true });
});
const urlOf = (host: string, query: string) =>
  `postgres://postgres@${host}:${port}/postgres?${query}`;
const secure = (host: string, file = 'ca.pem') =>
  urlOf(host, `sslmode=verify-full&sslrootcert=${join(folder, file)}`);
const open = (url: string) => openPostgresStore({ url, log: silentLog });

test('every connection of a store uses TLS, and calls are booked over it', async () => {
  const stack = await openStack({ yaml: yamlOn(secure('localhost')) });
  await stack.key('search');
  expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
  await expectBooks(stack, 'search', { calls: [paid('0.000006')], billedUsd: '0.000006' });
  const connections = await stack.store.read({
    sql: `select ssl from pg_stat_ssl join pg_stat_activity using (pid)
           where application_name like 'model-gateway%'`,
    values: [],
    map: (rows) => rows.map(({ ssl }) => ssl),
  });
  expect(connections.length).toBeGreaterThan(2);
  expect(new Set(connections)).toEqual(new Set([true]));
  await stack.close();
});

test.each([
  [
    'other.pem',
    /an untrusted certificate authority \(DEPTH_ZERO_SELF_SIGNED_CERT\); add sslrootcert=FILE/,
  ],
  ['none.pem', /a certificate or key named in its URL cannot be read: ENOENT/],
])('%s is not its authority, and no password is sent', async (file, sentence) => {
  await expect(open(secure('localhost', file))).rejects.toThrow(sentence);
});

test('a certificate of another name, a server without TLS, a client without it', async () => {
  await expect(open(secure('127.0.0.1'))).rejects.toThrow(
    /cannot open the store \S+ on \S+: the database certificate has a different host name: .*127\.0\.0\.1/,
  );
  const target = new URL(await plain.database());
  target.search = new URL(secure('localhost')).search;
  await expect(open(target.href)).rejects.toThrow(
    /the database does not support TLS, .*turn on "ssl"/,
  );
  await expect(open(urlOf('localhost', ''))).rejects.toThrow(/no encryption/);
});

test('startup reports it in one line', async () => {
  await writeFile(join(folder, 'gateway.yaml'), yamlOn(secure('localhost', 'other.pem')));
  const { code, out, errors } = await runBin(['serve'], { cwd: folder });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  // Other log lines appear when their writer reaches them.
  const said = errors.split('\n').filter((line) => !line.startsWith('{'));
  expect(said).toEqual([expect.stringMatching(/^cannot open the store .* certificate /), '']);
  expect(errors).not.toMatch(/\bat .*:\d+:\d+|postgres:\/\//);
});
