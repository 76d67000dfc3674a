import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminError } from '../../src/operations/context/admin-error.ts';
import type { OperatingParts } from '../../src/operations/context/parts.ts';
import { type Field, type Fields, flagOf } from '../../src/operations/description/field.ts';
import type { Operating, Operation } from '../../src/operations/description/operation.ts';
import { InputError, readInput } from '../../src/operations/description/read-input.ts';
import { printable } from '../../src/operations/description/text-lines.ts';
import { allOperations } from '../../src/operations/nouns.ts';
import { consoleOf } from '../admin-api/support/console-of.ts';
import { type Desk, deskYaml, openDesk } from '../cli/support/desk.ts';
import { openStack, type Stack } from '../support/stack.ts';

/** Values that are invalid for some fields, and valid for others. */
const texts = [
  ...['', ' ', 'a\nforged line', 'a\u0007b', 'a\u200bb', 'a\u202eb', 'x'.repeat(600)],
  ...['-1', '0', '1.5', '1e2', '99999d', '999999999', '9223372036854775808', '0.0000000000001'],
  ...['2026-13-99', '2026-11-31', '2999-12-31', '2026-11-20T18:00Z', '2026-11-21 18:00'],
  ...['admin', 'No Such App,,x', 'search,search', 'search,nobody', 'nobody', 'a@b', 'a b@c'],
];

/** The input of operations with an upload. */
const file = { name: 'costs.csv', text: 'date,app,model,usd\n2026-06-14,search,m,1\n' };

let desk: Desk;
let stack: Stack;
beforeAll(async () => {
  desk = await openDesk();
  await writeFile(join(desk.folder, file.name), file.text);
  stack = await openStack({ yaml: deskYaml });
});
afterAll(async () => {
  await desk.close();
  await stack.close();
});

const operations = (await allOperations()).filter(({ http }) => http.length > 0);
const rows = operations.flatMap((operation) =>
  operation.commands.flatMap((form) =>
    Object.entries(form.input ?? operation.input)
      .filter(([, { placeholder, isCommandOnly }]) => placeholder !== '' && isCommandOnly !== true)
      .flatMap(([name, field]) =>
        texts.map((text) => {
          const command = form.name ?? operation.name;
          return { operation, form, command, name, field, text };
        }),
      ),
  ),
);

interface Row {
  readonly operation: Operation;
  readonly form: Operation['commands'][number];
  readonly command: string;
  readonly name: string;
  readonly field: Field<unknown>;
  readonly text: string;
}

test.each(rows)('$command parses $name $text by one rule', async (row) => {
  const { operation, form, name, field, text } = row;
  const example = { ...(form.example ?? operation.example), [name]: text };
  // A path has no place for an empty name.
  if (text === '' && isInPath(row)) return;
  const command = await byCommand(row, example);
  const isOwn = field !== operation.input[name];
  // For its own fields a command accepts less than the route: no credits below 0.
  if (isOwn && !isRead(form.input ?? {}, jsonOf(row, example))) {
    expect(command.verdict).toBe('bad');
    return;
  }
  const route = await byRoute(row, example);
  expect(isOwn ? route.verdict : route).toEqual(isOwn ? command.verdict : command);
});

function isRead(fields: Fields, given: Readonly<Record<string, unknown>>): boolean {
  try {
    readInput(fields, given);
    return true;
  } catch {
    return false;
  }
}

test.each(operations.filter(({ kind }) => kind === 'change'))(
  'the route of $name requires a reason',
  async ({ http: [address = ''], input, example }) => {
    const fields = Object.entries(input).flatMap(([name, field]): [string, unknown][] => {
      const given = Reflect.get(example, name) ?? field.initial;
      if (address.split('/').includes(`:${name}`)) return [];
      if (given !== undefined) return [[name, field.fromText(given, stack.clock.now())]];
      // Text cannot represent an object.
      return field.isRequired ? [[name, {}]] : [];
    });
    const request = consoleOf(stack)('operator');
    const { status, body } = await request(address, Object.fromEntries(fields));
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

/** The name that confirms a change; undefined if the input is invalid. */
async function subjectOf({ danger, input }: Operation, given: Readonly<Record<string, unknown>>) {
  const operating: Operating<keyof OperatingParts> = Object.create({ admin: stack.admin });
  try {
    return await danger?.subject(readInput(input, given), operating);
  } catch (error) {
    if (error instanceof InputError || error instanceof AdminError) return undefined;
    throw error;
  }
}

/** The JSON values of a command's options. */
function jsonOf({ operation, form }: Row, example: Example): Readonly<Record<string, unknown>> {
  const entries = Object.entries(form.input ?? operation.input).flatMap(([name, field]) => {
    const given = example[name] ?? field.initial;
    return given === undefined ? [] : [[name, field.fromText(given, stack.clock.now())] as const];
  });
  return Object.fromEntries(entries);
}

/** Commands that end with 2 for a name that the file does not contain. */
const unknownIsBad = ['notify test'];

/** A request's result: done, bad or refused, and the sentence without the name of the field. */
async function byRoute(row: Row, example: Example) {
  const { operation, form } = row;
  const [address = ''] = operation.http;
  const [method = '', path = ''] = address.split(' ');
  const given = jsonOf(row, example);
  const values = form.toInput?.(given, {}) ?? given;
  const inPath = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(values[name] ?? '')),
  );
  const fields = Object.fromEntries(
    Object.entries(values).filter(([name]) => !path.split('/').includes(`:${name}`)),
  );
  const request = consoleOf(stack)('operator');
  const query = method === 'GET' ? `?${new URLSearchParams(textsOf(fields))}` : '';
  const confirm = await subjectOf(operation, values);
  const change = operation.kind === 'change' ? { reason: 'a test', confirm } : {};
  const sent = { ...fields, ...change, ...(operation.upload && { files: [file] }) };
  const body = method === 'GET' ? undefined : sent;
  const { status, body: answer } = await request(`${method} ${inPath}${query}`, body, '*');
  if (status < 300) return { verdict: 'done' };
  const sentence = String(answer.error.message);
  const isBad = status === 400 || (status === 404 && unknownIsBad.includes(operation.name));
  return { verdict: isBad ? 'bad' : 'refused', sentence: bare(sentence, row) };
}

async function byCommand(row: Row, example: Example) {
  const { operation, form, command } = row;
  const needsConfirmation = operation.danger !== undefined && form.needsConfirmation !== false;
  const given = Object.entries(form.input ?? operation.input).flatMap(([each, field]) => {
    const value = example[each];
    return value === undefined ? [] : [{ field, flag: flagOf(each, field), value }];
  });
  const [arguments_, options] = [true, false].map((isArgument) =>
    given.filter(({ field }) => (field.isArgument === true) === isArgument),
  );
  const { code, errors } = await desk.run([
    ...command.split(' '),
    ...(options ?? []).map(({ field, flag, value }) =>
      field.placeholder === '' ? `--${flag}` : `--${flag}=${value}`,
    ),
    ...(operation.upload ? ['--file', join(desk.folder, file.name)] : []),
    ...['--config', desk.file, ...(needsConfirmation ? ['--yes'] : []), '--'],
    ...(arguments_ ?? []).map(({ value }) => value),
  ]);
  if (code === 0) return { verdict: 'done' };
  return { verdict: code === 2 ? 'bad' : 'refused', sentence: bare(errors.join(), row) };
}

/** A sentence without the name of a field, and a command's without its usage hint. */
function bare(sentence: string, { operation, form }: Row): string {
  const fields = { ...operation.input, ...form.input };
  const names = Object.entries(fields).flatMap(([name, field]) => [name, flagOf(name, field)]);
  const any = [...names, 'files'].join('|');
  // A terminal gets a placeholder for a character that would control it.
  return printable(sentence)
    .replace(
      new RegExp(
        `^(--(${any})(\\[\\d+\\])?:? |(${any})(\\[\\d+\\])?(: | (?=must|needs|takes|is missing)))`,
      ),
      '',
    )
    .replace(/\.$/, '');
}

function textsOf(fields: object): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}
