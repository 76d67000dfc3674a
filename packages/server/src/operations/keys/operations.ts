import { Readable } from 'node:stream';
import { csvRows } from '../../invoices/csv.ts';
import { InvoiceError } from '../../invoices/invoice-error.ts';
import { isPossibleKey } from '../../registry/key-format.ts';
import { hashKey } from '../../registry/key-ring.ts';
import { selectKeys } from '../../store/queries/registry.ts';
import { AdminError, badValue } from '../context/admin-error.ts';
import { renamed } from '../description/deprecated.ts';
import {
  app,
  argument,
  asOption,
  fromStandardInput,
  id,
  line,
  modelIds,
  optional,
  text,
  usd,
} from '../description/field.ts';
import { type Operating, type Operation, operation } from '../description/operation.ts';
import { tableLines, yesNo } from '../description/text-lines.ts';
import { minutes, time } from '../description/time-fields.ts';
import { disableKey, enableKey, importKey, issueKey, rotateKey } from './keys.ts';
import { guessableLines, importedLines, issuedLines } from './lines.ts';
import { counts, list } from './list-operations.ts';

const expiresAt = (about: string) => optional(asOption('expires', time(about)));

const issue = operation({
  name: 'keys issue',
  about: 'issue a key; it is shown once',
  right: 'keys',
  kind: 'change',
  http: ['POST /apps/:app/keys'],
  apps: 'own',
  status: 201,
  input: {
    app: app('app of the key'),
    email: line(254, 'email address of the owner (person or team)', 'address'),
    dailyUsd: optional(usd('daily cap (UTC)')),
    monthlyUsd: optional(usd('monthly cap (UTC)')),
    models: optional(modelIds("allowed models, for example a,b; a subset of the app's")),
    expiresAt: expiresAt('expiry time: 2026-12-31 (its start) or 2026-12-31T18:00Z (UTC)'),
    note: optional(line(200, 'note, shown by "keys list"')),
  },
  example: { app: 'search', email: 'team@acme.example' },
  result: async () => (await import('../documents/keys.ts')).IssuedKey,
  run: ({ admin }, { app: of, email, dailyUsd: dailyPicoUsd, monthlyUsd, ...limits }) => {
    const caps = { dailyPicoUsd, monthlyPicoUsd: monthlyUsd };
    return issueKey(admin, { app: of, email, limits: { ...limits, ...caps } });
  },
  lines: issuedLines,
});

const graceHelp = 'grace period of the old key, for example 24h (default: until disabled)';

const rotate = operation({
  name: 'keys rotate',
  about:
    'issue a replacement key with the same name and limits, shown once; the old key continues to work',
  right: 'keys',
  kind: 'change',
  http: ['POST /keys/:id/rotate'],
  apps: { of: 'key' },
  status: 201,
  input: {
    id: argument(id('id of the old key')),
    expiresAt: expiresAt(
      'expiry time of the new key, for example 2026-12-31 (default: as the old key)',
    ),
    graceMinutes: optional(asOption('grace-period', renamed('grace', minutes(graceHelp)))),
  },
  example: { id: 'key_01', graceMinutes: '24h' },
  result: async () => (await import('../documents/keys.ts')).RotatedKey,
  run: ({ admin }, { id: old, expiresAt: end, graceMinutes }) =>
    rotateKey(admin, old, {
      expiresAt: end,
      graceMs: graceMinutes === undefined ? undefined : graceMinutes * 60_000,
    }),
  lines: (key, { id: old }) => [
    ...issuedLines(key),
    key.oldEndsAt === undefined
      ? `The key ${old} also works until you disable it: "keys disable ${old}".`
      : `The key ${old} also works until ${key.oldEndsAt}.`,
  ],
});

const importOne = operation({
  name: 'keys import',
  about: 'import a key under a custom name',
  right: 'keys',
  kind: 'change',
  input: {
    name: text('key name: llm::<role>::<app>::<email>', 'name'),
    customerId: text('app of the key', 'id'),
    key: optional(
      fromStandardInput(
        'key-stdin',
        'read the key from standard input, one line (default: generate one)',
      ),
    ),
  },
  example: { name: 'llm::user::search::team@acme.example', customerId: 'search' },
  result: async () => (await import('../documents/keys.ts')).IssuedKey,
  run: ({ admin }, { name, customerId, key }) =>
    importKey(admin, { name, customerId, key: key?.replace(/(?<![\r\n])[\r\n]+$/, '') }),
  warnings: async (_operating, { key }) => (key === undefined ? [] : guessableLines(key)),
  // The owner already has an imported key, so logs of this output must not contain it.
  lines: (issued, { key }) => (key === undefined ? issuedLines : importedLines)(issued),
});

/** Throws errors that operators should not see. */
function messageOf(error: unknown): string {
  if (error instanceof AdminError) return error.message;
  throw error;
}

const columns = ['name', 'customerId', 'key'];

const importCsv = operation({
  name: 'keys import-csv',
  about: 'import keys of another system from a CSV file; existing keys stay unchanged',
  // A team issues keys only for its own apps.
  right: 'operate',
  kind: 'change',
  http: ['POST /keys/import'],
  input: {
    csv: fromStandardInput('csv-stdin', 'read lines of name,customerId,key from standard input'),
  },
  example: { csv: `${columns.join()}\nbatch,search,sk-0123456789abcdef` },
  async result() {
    const { default: Type } = await import('typebox');
    const { KeyDocument } = await import('../documents/keys.ts');
    const { id: keyId, name, customerId } = KeyDocument.properties;
    const known = { id: Type.Union([keyId, Type.Null()]), isNew: Type.Boolean() };
    return Type.Array(Type.Object({ line: Type.Integer(), ...known, name, customerId }));
  },
  async plan({ admin }, { csv }) {
    const result = await withExistingIds(admin, csv);
    const made = result.filter(({ isNew }) => isNew);
    const issued = { action: 'key.issue', subject: 'a new key', before: null };
    const shown = result.map(({ key: _, ...row }) => row);
    return { changes: made.map(({ name }) => ({ ...issued, after: name })), result: shown };
  },
  async run({ admin }, { csv }) {
    const result = [];
    for (const { key, ...row } of await withExistingIds(admin, csv)) {
      const made = row.isNew ? await importKey(admin, { ...row, key }).catch(messageOf) : row;
      if (typeof made === 'string') throw new AdminError(`line ${row.line}: ${made}; ${aboveLine}`);
      result.push({ ...row, id: made.id });
    }
    return result;
  },
  lines: (imported) =>
    tableLines(
      ['line', 'key', 'name', 'customer', 'new'],
      imported.map(({ line: at, id: keyId, name, customerId, isNew }) => {
        return [String(at), keyId ?? 'not created yet', name, customerId, yesNo(isNew)];
      }),
      'The CSV contains no keys.',
    ),
});

const aboveLine = 'the keys above it are imported and stay unchanged if you repeat the import';

/** Throws the AdminError of the first wrong line. */
async function keysIn(csv: string) {
  const refuse = (message: string) => badValue('csv', message);
  const rows: { line: number; name: string; customerId: string; key: string }[] = [];
  const seen = new Set<string>();
  let head: readonly string[] | undefined;
  try {
    for await (const { line: at, fields } of csvRows('the CSV', Readable.from([csv]))) {
      const [name = '', customerId = '', key = ''] = fields;
      if (head === undefined) head = fields;
      else if (fields.length !== columns.length || name === '' || customerId === '')
        throw refuse(`line ${at} must have a name, a customerId and a key`);
      else if (!isPossibleKey(key) || seen.has(key))
        throw refuse(
          `the key of line ${at} is ${seen.has(key) ? 'a duplicate' : 'not a valid key'}`,
        );
      else rows.push({ line: at, name, customerId, key });
      seen.add(key);
    }
  } catch (error) {
    if (error instanceof InvoiceError) throw refuse(error.message);
    throw error;
  }
  if (head?.join() === columns.join()) return rows;
  throw refuse(`the CSV must start with the line ${columns.join()}`);
}

async function withExistingIds({ store }: Operating['admin'], csv: string) {
  const known = new Map((await store.read(selectKeys)).map((row) => [row.hash, row.id]));
  return (await keysIn(csv)).map((row) => {
    const keyId = known.get(hashKey(row.key)) ?? null;
    return { ...row, id: keyId, isNew: keyId === null };
  });
}

const oneKey = {
  ...({ right: 'keys', kind: 'change', apps: { of: 'key' } } as const),
  input: { id: argument(id('key id')) },
  example: { id: 'key_01' },
  result: async () => (await import('../documents/keys.ts')).KeyDocument,
};

const disable = operation({
  name: 'keys disable',
  about: 'disable a key; its callers are rejected within 1 s',
  http: ['POST /keys/:id/disable'],
  ...oneKey,
  run: ({ admin }, input) => disableKey(admin, input.id),
  lines: (key) => [
    `The key ${key.id} of ${key.customerId} is disabled. Callers get 403 Forbidden within 1 s.`,
  ],
});

const enable = operation({
  name: 'keys enable',
  about: 'enable a disabled key',
  http: ['POST /keys/:id/enable'],
  ...oneKey,
  run: ({ admin }, input) => enableKey(admin, input.id),
  lines: (key) => [`The key ${key.id} of ${key.customerId} is enabled. It works again within 1 s.`],
});

export const keys: readonly Operation[] = [
  list,
  counts,
  issue,
  rotate,
  importOne,
  importCsv,
  disable,
  enable,
];
