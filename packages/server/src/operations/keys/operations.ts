import { appRow } from '../apps/apps.ts';
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
} from '../field.ts';
import { type Operation, operation } from '../operation.ts';
import { minutes, time } from '../time-fields.ts';
import { disableKey, enableKey, importKey, issueKey, rotateKey } from './keys.ts';
import { guessableLines, importedLines, issuedLines, keysLines } from './lines.ts';
import { listKeys } from './list-keys.ts';

const list = operation({
  name: 'keys list',
  about: 'list keys with their last use (the secrets are not stored)',
  right: 'look',
  http: ['GET /keys', 'GET /apps/:app/keys'],
  apps: 'own',
  input: { app: optional(app('only those of one app')) },
  example: { app: 'search' },
  result: async () => (await import('./documents.ts')).KeysInUse,
  async run({ admin, apps }, input) {
    if (input.app !== undefined) await appRow(admin, input.app);
    const keys = await listKeys(admin, input.app);
    return keys.filter((key) => apps?.includes(key.app ?? key.customerId) !== false);
  },
  lines: keysLines,
});

const expiresAt = (about: string) => optional(asOption('expires', time(about)));

const issue = operation({
  name: 'keys issue',
  about: 'make a key, shown once',
  right: 'keys',
  kind: 'change',
  http: ['POST /apps/:app/keys'],
  apps: 'own',
  status: 201,
  input: {
    app: app('the app that the key is for'),
    email: line(254, 'the person or team that gets it', 'address'),
    dailyUsd: optional(usd('the most that it may spend in a UTC day')),
    monthlyUsd: optional(usd('the most that it may spend in a UTC month')),
    models: optional(modelIds('the models it may ask, such as a,b, of those of its app')),
    expiresAt: expiresAt('when it ends: 2026-12-31, its start, or 2026-12-31T18:00Z (UTC)'),
    note: optional(line(200, 'what it is for; "keys list" shows it')),
  },
  example: { app: 'search', email: 'team@acme.example' },
  result: async () => (await import('./documents.ts')).IssuedKey,
  run({ admin }, { dailyUsd, monthlyUsd, ...input }) {
    const { models, note } = input;
    const limits = { dailyPicoUsd: dailyUsd, monthlyPicoUsd: monthlyUsd, models, note };
    const { expiresAt: end, email } = input;
    return issueKey(admin, { app: input.app, email, limits: { ...limits, expiresAt: end } });
  },
  lines: issuedLines,
});

const rotate = operation({
  name: 'keys rotate',
  about: "make another key with a key's name and limits, shown once; the old one works on",
  right: 'keys',
  kind: 'change',
  http: ['POST /keys/:id/rotate'],
  apps: { of: 'key' },
  status: 201,
  input: {
    id: argument(id('the id of the old key')),
    expiresAt: expiresAt('when the new one ends, such as 2026-12-31; else as the old one'),
    graceMinutes: optional(
      asOption('grace', minutes('how long the old one works on, such as 24h; else until disabled')),
    ),
  },
  example: { id: 'key_01', graceMinutes: '24h' },
  result: async () => (await import('./documents.ts')).RotatedKey,
  run: ({ admin }, { id: old, expiresAt: end, graceMinutes }) =>
    rotateKey(admin, old, {
      expiresAt: end,
      graceMs: graceMinutes === undefined ? undefined : graceMinutes * 60_000,
    }),
  lines: (key, { id: old }) => [
    ...issuedLines(key),
    key.oldEndsAt === undefined
      ? `The key ${old} works as well until it is disabled: "keys disable ${old}".`
      : `The key ${old} works as well until ${key.oldEndsAt}.`,
  ],
});

const importOne = operation({
  name: 'keys import',
  about: 'add a key under a name of your own',
  right: 'keys',
  kind: 'change',
  input: {
    name: text('the name of the key: llm::<role>::<app>::<email>', 'name'),
    customerId: text('the app that it belongs to', 'id'),
    key: optional(
      fromStandardInput('key-stdin', 'read the key from standard input, one line; else make one'),
    ),
  },
  example: { name: 'llm::user::search::team@acme.example', customerId: 'search' },
  result: async () => (await import('./documents.ts')).IssuedKey,
  run: ({ admin }, { name, customerId, key }) =>
    importKey(admin, { name, customerId, key: key?.replace(/(?<![\r\n])[\r\n]+$/, '') }),
  warnings: async (_operating, { key }) => (key === undefined ? [] : guessableLines(key)),
  // The owner of a key that was given has it already: a log that keeps this output must not.
  lines: (issued, { key }) => (key === undefined ? issuedLines : importedLines)(issued),
});

const disable = operation({
  name: 'keys disable',
  about: 'disable a key: within 1 s its callers are refused',
  right: 'keys',
  kind: 'change',
  http: ['POST /keys/:id/disable'],
  apps: { of: 'key' },
  input: { id: argument(id('the id of the key')) },
  example: { id: 'key_01' },
  result: async () => (await import('./documents.ts')).KeyDocument,
  run: ({ admin }, input) => disableKey(admin, input.id),
  lines: (key) => [
    `The key ${key.id} of ${key.customerId} is disabled: callers get 403 Forbidden within 1 s.`,
  ],
});

const enable = operation({
  name: 'keys enable',
  about: 'enable a disabled key',
  right: 'keys',
  kind: 'change',
  http: ['POST /keys/:id/enable'],
  apps: { of: 'key' },
  input: { id: argument(id('the id of the key')) },
  example: { id: 'key_01' },
  result: async () => (await import('./documents.ts')).KeyDocument,
  run: ({ admin }, input) => enableKey(admin, input.id),
  lines: (key) => [
    `The key ${key.id} of ${key.customerId} is enabled: its callers are known again within 1 s.`,
  ],
});

/** The API keys of apps. */
export const keys: readonly Operation[] = [list, issue, rotate, importOne, disable, enable];
