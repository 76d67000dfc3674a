import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { openDesk } from './support/desk.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const good = readFileSync(new URL('../invoices/fixtures/cur.csv', import.meta.url), 'utf8');
const yaml = (store: string) => `
company: acme
store: "${store}"
platforms:
  aws: { kind: bedrock-mantle, region: us-east-1, apiKey: none }
apps:
  - { name: search }
`;

/** A fault in one of two parts, and its error message. */
const bad = [
  [good.replace('pricing_unit', 'unit'), 'the column pricing_unit is missing'],
  [good.replace('0.05280600,USD', '0.05280600,EUR'), 'line_item_currency_code "EUR" is not USD'],
  [good.replace('0.0528', 'x.0528'), 'line_item_unblended_cost "x.05280600"'],
] as const;

test.each(storeKinds)(
  'a bad part changes nothing, nor does the same file twice, on %s',
  async (kind) => {
    const store = kind === 'postgres' ? await server.database() : 'sqlite:./gateway.db';
    const desk = await openDesk({ yaml: yaml(store) });
    const put = (name: string, text: string) => {
      const path = join(desk.folder, name);
      writeFileSync(path, text);
      return path;
    };
    const importing = (...files: readonly string[]) => {
      return ['reconcile', 'import', '--platform', 'aws', '--file', ...files];
    };
    const show = () => desk.run(['reconcile', 'show', '--json', '--month', '2026-11', ...config]);
    const config = ['--config', desk.file];
    const whole = put('whole.csv', good.replace('0.05280600,USD', '0.0528060000005,USD'));
    const empty = await show();
    for (const [text, words] of bad) {
      const result = await desk.run([...importing(whole, put('bad.csv', text)), ...config]);
      expect(result.code).toBe(2);
      expect(result.errors.join()).toContain(words);
      expect(await show()).toEqual(empty);
    }
    // Half a pico-USD is rounded up, and counted.
    const read = { lines: 3, roundedAmounts: 1, totalUsd: '0.121696550001', isRepeated: false };
    expect(await desk.record(importing(whole))).toMatchObject(read);
    const shown = await show();
    expect(shown).not.toEqual(empty);
    expect(await desk.record(importing(whole))).toMatchObject({ isRepeated: true });
    expect(await show()).toEqual(shown);
    for (const [text] of bad) await desk.run([...importing(put('bad.csv', text)), ...config]);
    expect(await show()).toEqual(shown);
    expect((await desk.run(['audit', ...config])).code).toBe(0);
    await desk.close();
  },
);
