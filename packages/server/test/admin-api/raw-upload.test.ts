import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveConsole } from '../../src/admin-api/listener.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { issueToken } from '../../src/operations/access/tokens.ts';
import { selectInvoiceDays, selectInvoiceLines } from '../../src/store/queries/invoices.ts';
import { costReport } from '../invoices/read.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';

const path = '/admin/v1/reconcile/import';
const june = `${path}?platform=claude&month=2026-06`;
const range = { from: '2026-01-01', to: '2026-12-31' };
const head = 'date,app,model,usd';
/** A body that does not end. */
const never = Symbol('never');

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let server: TestServer;
  let token = '';
  const waits = new Set<() => void>();
  const clock: Pick<Clock, 'after'> = {
    after(delayMs, run, options) {
      if (delayMs < 15_000) return systemClock.after(delayMs, run, options);
      waits.add(run);
      return { cancel: () => void waits.delete(run) };
    },
  };
  const front = createServer((incoming, outgoing) => {
    const { console } = server.service;
    if (console === undefined) throw new Error('the configuration has no console');
    serveConsole(console, incoming, outgoing, undefined, clock);
  });

  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const store = (await postgres?.database()) ?? 'sqlite:./gateway.db';
    const yaml = `
company: acme
store: "${store}"
platforms:
  sandbox: { kind: simulator }
  claude: { kind: anthropic, apiKey: k }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;
    server = await startServer({ yaml });
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    const access = { name: 'upload', role: 'finance', apps: undefined, days: 1 } as const;
    token = (await issueToken(server.service.admin, access)).token;
  });
  afterAll(async () => {
    front.closeAllConnections();
    front.close();
    await server?.close();
    await postgres?.close();
  });

  function begin(url: string, type: string) {
    const address = front.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    return send({ method: 'POST', host: '127.0.0.1', port, path: url, headers });
  }

  async function upload(url: string, type: string, ...parts: (string | Buffer | typeof never)[]) {
    const sent = begin(url, type);
    const answered = once(sent, 'response');
    for (const part of parts) {
      if (part !== never) sent.write(part);
    }
    if (!parts.includes(never)) sent.end();
    const [response] = await answered;
    let text = '';
    for await (const chunk of response) text += chunk;
    sent.destroy();
    const { error, result } = JSON.parse(text);
    const { connection } = response.headers;
    return { status: response.statusCode, error, result, connection };
  }

  const store = () => server.service.admin.store;
  const lines = () => store().read(selectInvoiceLines('claude', range));

  test('a table, compressed or not, is imported with its month in the query', async () => {
    const table = [head, '2026-06-14,search,m,1.25', '2026-06-15,search,m,0.75'].join('\n');
    const planned = await upload(`${june}&dryRun=true`, 'text/csv', table);
    expect(planned).toMatchObject({ status: 200, result: { totalUsd: '2', lines: 2 } });
    expect(await lines()).toEqual([]);
    const made = await upload(`${june}&reason=June`, 'text/csv; charset=utf-8', table);
    expect(made.result).toEqual(planned.result);
    expect(await lines()).toHaveLength(2);
    expect((await upload(june, 'text/csv', table)).result).toMatchObject({ isRepeated: true });
    const packed = gzipSync(`${table}\n2026-06-16,search,m,3`);
    const half = packed.byteLength / 2;
    const parts = [packed.subarray(0, half), packed.subarray(half)];
    const more = await upload(june, 'application/octet-stream', ...parts);
    expect(more.result).toMatchObject({ changedDays: ['2026-06-16'], totalUsd: '5' });
  });

  test('JSON lines are pages of an invoice', async () => {
    const pageOf = (day: number) => {
      const at = (of: number) => `2026-06-${of}T00:00:00Z`;
      const { data } = JSON.parse(costReport({ amount: '100' }));
      const bucket = { ...data[0], starting_at: at(day), ending_at: at(day + 1) };
      return JSON.stringify({ data: [bucket], has_more: false, next_page: null });
    };
    const text = `${pageOf(20)}\n\n${pageOf(21)}\n`;
    const { result } = await upload(june, 'application/x-ndjson', text);
    expect(result).toMatchObject({ days: ['2026-06-20', '2026-06-21'], totalUsd: '2' });
    const twice = await upload(june, 'application/x-ndjson', `${pageOf(22)}\n${pageOf(22)}`);
    expect(twice.error.message).toContain(
      'the file, line 2: 2026-06-22 is also in the file, line 1',
    );
  });

  test('a bad file is rejected with its reason, changes nothing and frees its place', async () => {
    const before = await lines();
    const row = '2026-06-14,search,m,9';
    const [deep, names] = ['['.repeat(1_000_000), `{${'"n":1,'.repeat(100_000)}"n":1}`];
    for (const [url, type, body, fault] of [
      [june, 'text/csv', `${head}\n2026-07-01,search,m,1`, 'the file also contains 2026-07-01'],
      [june, 'text/csv', `${head}\n2026-06-14,search,m,much`, 'is not an amount'],
      [june, 'text/csv', deep, 'has more than'],
      [june, 'text/csv', names, 'the file'],
      [june, 'application/octet-stream', gzipSync(Buffer.alloc(50_000_000)), 'is longer than'],
      [june, 'application/octet-stream', gzipSync(row).subarray(0, 20), 'gzip is damaged'],
      [june, 'application/x-ndjson', `${head}\n${row}`, 'is incomplete or invalid JSON'],
      [`${path}?platform=claude`, 'text/csv', row, 'month: required in the query'],
      [`${path}?month=2026-06`, 'text/csv', row, 'platform: required in the query'],
      [`${path}?month=2026-06&platform=claud`, 'text/csv', row, 'unknown platform claud'],
      [`${path}?month=2026-13&platform=claude`, 'text/csv', row, 'month'],
      [june, 'application/json', '{}', 'platform: a JSON body contains its own fields'],
    ] as const) {
      const { status, error } = await upload(url, type, body);
      expect([status, error.code, error.message]).toEqual([
        ...[400, 'INVALID'],
        expect.stringContaining(fault),
      ]);
    }
    expect((await upload(june, 'text/html', row)).status).toBe(403);
    expect(await lines()).toEqual(before);
  });

  test('a rejected file gets a response before the rest of it arrives', async () => {
    const rejected = await upload(june, 'text/csv', `${head}\nnever,search,m,1\n`, never);
    expect(rejected).toMatchObject({ status: 400, connection: 'close' });
    expect((await upload(june, 'text/csv', head)).status).toBe(400);
  });

  test('a second simultaneous upload is rejected until the first one ends', async ({ signal }) => {
    const hold = () => {
      const held = begin(june, 'text/csv');
      held.on('error', () => undefined);
      held.on('response', () => held.destroy());
      held.write(`${head}\n`);
      return held;
    };
    const status = async () => (await upload(june, 'text/csv', head)).status;
    let first = hold();
    while (!signal.aborted && (await status()) !== 409) {
      // A busy machine might read the other upload first, which then rejects this one.
      if (first.destroyed) first = hold();
    }
    first.destroy();
    while (!signal.aborted && (await status()) !== 400);
    expect(signal.aborted).toBe(false);
  });

  test('a body that stalls is abandoned', async ({ signal }) => {
    waits.clear();
    const slow = upload(june, 'text/csv', `${head}\n`, never);
    while (!signal.aborted && waits.size === 0) await new Promise(setImmediate);
    for (const late of waits) late();
    expect(await slow).toMatchObject({ status: 408, error: { code: 'TIMED_OUT' } });
  });

  test('a day with more lines than one transaction is replaced as a whole', async () => {
    const rows = (count: number, usd: string) =>
      Array.from({ length: count }, (_none, n) => `2026-06-28,search,model-${n},${usd}`);
    const table = (count: number, usd: string) => [head, ...rows(count, usd)].join('\n');
    const large = await upload(june, 'text/csv', table(12_001, '0.5'));
    expect(large.result).toMatchObject({ lines: 12_001, totalUsd: '6000.5' });
    const ofDay = async () => (await lines()).filter(({ day }) => day === '2026-06-28');
    expect(await ofDay()).toHaveLength(12_001);
    const smaller = await upload(june, 'text/csv', table(7_000, '1'));
    expect(smaller.error).toBe(undefined);
    expect(smaller.result).toMatchObject({ changedDays: ['2026-06-28'], totalUsd: '7000' });
    expect((await ofDay()).reduce((sum, { amount }) => sum + amount, 0n)).toBe(7_000n * 10n ** 12n);
    const days = await store().read(selectInvoiceDays('claude', range));
    expect(days.map(({ day }) => day)).toContain('2026-06-28');
  });
});
