import { gzipSync } from 'node:zlib';
import { readJsonBody } from '../../src/admin-api/http/http.ts';
import { checkFits } from '../../src/admin-api/http/validate.ts';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import { problemsOf } from '../config/load.ts';
import { fixture, openaiCosts, readFiles } from '../invoices/read.ts';
import { noParts } from '../support/console.ts';
import type { Reader } from './reader.ts';
import { inPlaces, json, raw, repeated, type Shapes } from './shapes.ts';

const [head = '', row = ''] = fixture('cur.csv').toString().split('\n');

const tables: Shapes = {
  ...within(raw, (text) => `${head}\n${text}`),
  'rows of an export': (length) => `${head}\n${repeated(`${row}\n`)(length)}`,
  'a long usage type': (length) =>
    `${head}\n${row.replace(/USE1-[^,]+/, repeated('-mantle-a')(length))}\n`,
  'a long quoted cell': (length) =>
    `${head}\n${row.replace(/USE1-[^,]+/, `"${repeated('a""\n')(length)}"`)}\n`,
  'a row of quoted cells': (length) => `${head}\n${repeated('"a",')(length)}"a"\n`,
  'a long head': (length) => `${head}${repeated(',a')(length)}\n${row}\n`,
};

const reports: Shapes = {
  ...within(json, (text) => openaiCosts('1', `"project_id":${text}`)),
};

const company = 'company: acme\nplatforms:\n  sandbox: { kind: simulator }\n';

/** The configuration, with each shape after its head. */
const files: Shapes = {
  ...within(raw, (text) => `${company}${text}`),
  'variables in brackets': (length) => `${company}a: [${repeated('$'.concat('{A}, '))(length)}`,
};

/** Operators' bodies, platforms' bills, and the configuration. */
export function fileReaders(): readonly Reader[] {
  return [
    { name: 'body of the console', shapes: json, read: readConsoleBody },
    {
      name: 'upload of the console',
      shapes: inPlaces('{"platform":"a","files":[{"name":"a","text":"~"}],"reason":"@"}'),
      read: readConsoleBody,
    },
    { name: 'table of costs', shapes: tables, read: readInvoice },
    {
      name: 'table of costs, compressed',
      shapes: tables,
      encode: (text) => gzipSync(text, { level: 1 }),
      read: readInvoice,
    },
    { name: 'report of costs', shapes: reports, read: readInvoice },
    { name: 'configuration', shapes: files, read: (text) => problemsOf(String(text)) },
  ];
}

const upload = (await loadRoutes()).find(({ path }) => path.endsWith('/reconcile/import'));

async function readConsoleBody(text: string | Uint8Array): Promise<void> {
  const request = {
    ...{ method: 'POST', url: '/admin/v1/reconcile/import', address: '127.0.0.1' },
    headers: { 'content-type': 'application/json' },
    body: async () => Buffer.from(text),
    chunks: noParts,
    disconnected: new AbortController().signal,
  };
  const body = readJsonBody(request, 20 * 1_048_576);
  await refused(async () => checkFits(upload?.files?.json ?? {}, await body));
}

function readInvoice(file: string | Uint8Array): Promise<void> {
  return refused(() => readFiles([file]));
}

/** Most shapes are rejected, and the test measures the reading before that. */
async function refused(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof TypeError) throw error;
  }
}

function within(shapes: Shapes, write: (text: string) => string): Shapes {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      return [name, (length: number) => write(shape(length))] as const;
    }),
  );
}
