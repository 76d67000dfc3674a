import { afterAll, beforeAll, expect, test } from 'vitest';
import { flagOf } from '../../src/cli/option-input.ts';
import { logins } from '../../src/operations/access/logins.ts';
import { tokens } from '../../src/operations/access/tokens.ts';
import { AdminError } from '../../src/operations/admin-error.ts';
import { apps } from '../../src/operations/apps/operations.ts';
import { budgets } from '../../src/operations/budgets/operations.ts';
import { calls } from '../../src/operations/calls/operations.ts';
import type { Field } from '../../src/operations/field.ts';
import { keys } from '../../src/operations/keys/operations.ts';
import type { Operating, Operation } from '../../src/operations/operation.ts';
import type { OperatingParts } from '../../src/operations/parts.ts';
import { InputError, readInput } from '../../src/operations/read-input.ts';
import { runs } from '../../src/operations/runs/operations.ts';
import { printable } from '../../src/operations/text-lines.ts';
import { consoleOf } from '../admin-api/support/asking.ts';
import { type Desk, openDesk } from '../cli/support/desk.ts';
import { openStack, type Stack } from '../support/stack.ts';

/** Values that are wrong for some fields, and right for others. */
const texts = [
  ...['', ' ', 'a\nforged line', 'a\u0007b', 'a\u200bb', 'a\u202eb', 'x'.repeat(600)],
  ...['-1', '0', '1.5', '1e2', '99999d', '999999999', '9223372036854775808', '0.0000000000001'],
  ...['2026-13-99', '2026-11-31', '2999-12-31', '2026-11-20T18:00Z', '2026-11-21 18:00'],
  ...['admin', 'No Such App,,x', 'search,search', 'search,nobody', 'nobody', 'a@b', 'a b@c'],
];

let desk: Desk;
let stack: Stack;
beforeAll(async () => {
  desk = await openDesk();
  stack = await openStack();
});
afterAll(async () => {
  await desk.close();
  await stack.close();
});

const nouns = [tokens, keys, budgets, runs, calls, apps, logins];
const operations = nouns
  .flatMap((noun) => noun.operations)
  .filter(({ http, input, commands: [form] }) => {
    if (http.length === 0 || form === undefined) return false;
    // A command that has other fields cannot be sent the same texts.
    return Object.keys(input).every((name) => Object.hasOwn(form.input ?? input, name));
  });
const rows = operations.flatMap((operation) =>
  Object.entries(operation.input).flatMap(([name, field]) =>
    // An option without a value takes no text.
    (field.placeholder === '' ? [] : texts).map((text) => ({ operation, name, field, text })),
  ),
);

interface Row {
  readonly operation: Operation;
  readonly name: string;
  readonly field: Field<unknown>;
  readonly text: string;
}

test.each(rows)('$operation.name takes $name $text by one rule', async (row) => {
  const { operation, name, text } = row;
  const example = { ...operation.example, [name]: text };
  // A path has no place for an empty name.
  if (text === '' && isInPath(row)) return;
  expect(await byRoute(row, example)).toEqual(await byCommand(row, example));
});

const changes = nouns
  .flatMap((noun) => noun.operations)
  .filter(({ kind, http }) => kind === 'change' && http.length > 0);

test.each(changes)(
  'the route of $name wants a reason',
  async ({ http: [address = ''], input, example }) => {
    const fields = Object.entries(input).flatMap(([name, field]): [string, unknown][] => {
      const given = Reflect.get(example, name) ?? field.initial;
      if (address.split('/').includes(`:${name}`)) return [];
      if (given !== undefined) return [[name, field.fromText(given, stack.clock.now())]];
      // No text stands for an object.
      return field.isRequired ? [[name, {}]] : [];
    });
    const ask = consoleOf(stack)('operator');
    const { status, body } = await ask(address, Object.fromEntries(fields));
    expect([status, body.error]).toMatchObject([
      400,
      { field: 'reason', message: expect.stringContaining('is missing') },
    ]);
  },
);

type Example = Readonly<Record<string, string | undefined>>;

function isInPath({ operation, name }: Row): boolean {
  return operation.http.some((address) => address.split('/').includes(`:${name}`));
}

/** The name that confirms a change; undefined where the input is wrong. */
async function subjectOf({ danger, input }: Operation, given: Readonly<Record<string, unknown>>) {
  const operating: Operating<keyof OperatingParts> = Object.create({ admin: stack.admin });
  try {
    return await danger?.subject(readInput(input, given), operating);
  } catch (error) {
    if (error instanceof InputError || error instanceof AdminError) return undefined;
    throw error;
  }
}

/** What a request came to: done, bad or refused, and the sentence without the name of the field. */
async function byRoute({ operation, name: changed }: Row, example: Example) {
  const [address = ''] = operation.http;
  const [method = '', path = ''] = address.split(' ');
  const entries = Object.entries(operation.input).flatMap(([name, field]) => {
    const given = example[name] ?? field.initial;
    return given === undefined ? [] : [[name, field.fromText(given, stack.clock.now())] as const];
  });
  const inPath = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(example[name] ?? ''),
  );
  const fields = Object.fromEntries(
    entries.filter(([name]) => !path.split('/').includes(`:${name}`)),
  );
  const ask = consoleOf(stack)('operator');
  const query = method === 'GET' ? `?${new URLSearchParams(textsOf(fields))}` : '';
  const confirm = await subjectOf(operation, Object.fromEntries(entries));
  const body = method === 'GET' ? undefined : { ...fields, reason: 'a test', confirm };
  const { status, body: answer } = await ask(`${method} ${inPath}${query}`, body);
  if (status < 300) return { verdict: 'done' };
  const sentence = String(answer.error.message);
  return { verdict: status === 400 ? 'bad' : 'refused', sentence: bare(sentence, changed) };
}

async function byCommand({ operation, name }: Row, example: Example) {
  const given = Object.entries(operation.input).flatMap(([each, field]) => {
    const value = example[each];
    return value === undefined ? [] : [{ field, flag: flagOf(each, field), value }];
  });
  const [arguments_, options] = [true, false].map((isArgument) =>
    given.filter(({ field }) => (field.isArgument === true) === isArgument),
  );
  const { code, errors } = await desk.run([
    ...operation.name.split(' '),
    ...(options ?? []).map(({ flag, value }) => `--${flag}=${value}`),
    ...['--config', desk.file, ...(operation.danger ? ['--yes'] : []), '--'],
    ...(arguments_ ?? []).map(({ value }) => value),
  ]);
  if (code === 0) return { verdict: 'done' };
  return { verdict: code === 2 ? 'bad' : 'refused', sentence: bare(errors.join(), name) };
}

/** A sentence without the name of the field, and a command's without its hint of a usage. */
function bare(sentence: string, name: string): string {
  const flag = flagOf(name, {});
  // A terminal gets a mark in the place of a character that would steer it.
  return printable(sentence)
    .replace(new RegExp(`^(--)?(${name}|${flag}|expires|grace)(\\[\\d+\\])?:? `), '')
    .replace(/\.$/, '');
}

function textsOf(fields: object): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}
