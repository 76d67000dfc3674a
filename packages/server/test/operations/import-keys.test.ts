import { afterEach, beforeEach, expect, test } from 'vitest';
import { consoleOf } from '../admin-api/support/console-of.ts';
import { type Desk, deskYaml, openDesk } from '../cli/support/desk.ts';
import { openStack } from '../support/stack.ts';

const head = 'name,customerId,key';
const first = 'llm::user::search::a@b.example,search,made-elsewhere-0123456789';
const second = '"a name, with a comma",tutor,made-elsewhere-9876543210';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const command = ['keys', 'import-csv', '--csv-stdin'];
const lines = (...rows: readonly string[]) => `${[head, ...rows].join('\r\n')}\r\n`;
const names = async () => (await desk.records(['keys', 'list'])).map(({ name }) => name);

test('keys are added from a CSV once, and their secrets are not printed', async () => {
  const { code, out, errors } = await desk.run(
    [...command, '--config', desk.file],
    lines(first, second),
  );
  expect([code, errors]).toEqual([0, []]);
  expect(out.join('\n')).not.toContain('made-elsewhere');
  expect(out).toHaveLength(3);
  expect(await names()).toEqual(['llm::user::search::a@b.example', 'a name, with a comma']);
  const third = 'more,search,made-elsewhere-0000000000';
  const again = await desk.json(command, lines(first, second, third));
  expect(again).toMatchObject([
    { line: 2, isNew: false, customerId: 'search' },
    { line: 3, isNew: false, customerId: 'tutor' },
    { line: 4, isNew: true, name: 'more' },
  ]);
  expect(await names()).toHaveLength(3);
});

test('a dry run shows the keys that are new, and adds none', async () => {
  await desk.json(command, lines(first));
  const planned = await desk.json([...command, '--dry-run'], lines(first, second));
  expect(planned).toMatchObject([
    { line: 2, isNew: false, id: expect.any(String) },
    { line: 3, isNew: true, id: null },
  ]);
  expect(JSON.stringify(planned)).not.toContain('made-elsewhere');
  expect(await names()).toHaveLength(1);
});

test.each([
  ['another head', `name,key\n${first}`, 'the CSV must start with the line name,customerId,key'],
  ['nothing', '', 'must start with the line'],
  ['a line without a key', lines(first, 'n,search'), 'line 3 must have a name, a customerId'],
  ['a key that is none', lines(first, 'n,search,short'), 'the key of line 3 is not a valid key'],
  ['a key twice', lines(first, second, first), 'the key of line 4 is a duplicate'],
  ['a quote without an end', lines(first, '"n,search,k'), 'a quoted field has no closing quote'],
])('%s is rejected with its line, and nothing is added', async (_what, csv, sentence) => {
  const { code, out, errors } = await desk.run([...command, '--config', desk.file], csv);
  expect({ code, out }).toEqual({ code: 2, out: [] });
  expect(errors.join()).toContain(sentence);
  expect(errors.join()).not.toContain('made-elsewhere');
  expect(await names()).toEqual([]);
});

test('an app without room for more keys keeps those above the line', async () => {
  await desk.json(['apps', 'update', 'search', '--keys-max', '1']);
  const more = 'more,search,made-elsewhere-0000000000';
  const { code, errors } = await desk.run([...command, '--config', desk.file], lines(first, more));
  expect(code).toBe(1);
  expect(errors.join()).toMatch(
    /^line 3: the app search has reached keysMax, its limit of working keys \(1\); .* above it are imported/,
  );
  expect(await names()).toHaveLength(1);
});

test('the admin API accepts the same CSV', async () => {
  const stack = await openStack({ yaml: deskYaml });
  const request = consoleOf(stack)('operator');
  const body = { csv: lines(first, second), reason: 'the keys of the old gateway' };
  const { status, body: answer } = await request('POST /keys/import', body);
  expect([status, answer.result]).toMatchObject([200, [{ isNew: true }, { isNew: true }]]);
  expect(answer.changes).toHaveLength(2);
  expect(JSON.stringify(answer)).not.toContain('made-elsewhere');
  const wrong = await request('POST /keys/import', { ...body, csv: 'x' });
  expect([wrong.status, wrong.body.error.field]).toEqual([400, 'csv']);
  await stack.close();
});
