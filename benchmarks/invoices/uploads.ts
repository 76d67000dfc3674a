import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { run } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import { startServer } from '../../harness/server.ts';
import { adminUrlIn } from '../processes/admin-url.ts';
import { peakMegabytesOf } from '../processes/peak-memory.ts';

const addedMegabytesMax = 150;
const lines = 500_000;

interface Parts {
  readonly folder: string;
  readonly launcher: string;
  readonly report: string;
}

/** Uploads raw files to a service, one service a file, and prints the memory that each adds. */
export async function measureUploads(scope: Scope, parts: Parts): Promise<boolean> {
  const files = {
    'the report, compressed': () => createReadStream(parts.report),
    '500,000 different lines': () => Readable.from(differentLines()),
    '500,000 different lines of one day': () => Readable.from(differentLines('2026-11-01')),
    '500,000 projects': () => Readable.from(differentLines(undefined, 'a-project-of-a-long-name-')),
    'a gzip bomb': () => Readable.from(sameLines()).pipe(createGzip({ level: 1 })),
    'a list in a list': () => Readable.from('['.repeat(20 * 1_048_576)),
  };
  let isWithin = true;
  for (const [name, open] of Object.entries(files)) {
    const added = await measureUpload(scope, parts, { name, open });
    isWithin &&= added <= addedMegabytesMax;
  }
  return isWithin;
}

async function measureUpload(
  scope: Scope,
  { folder, launcher }: Parts,
  { name, open }: { readonly name: string; readonly open: () => Readable },
): Promise<number> {
  const path = join(folder, name.replaceAll(/\W/g, '-'));
  const config = `${path}.yaml`;
  writeFileSync(
    config,
    [
      `company: acme\nstore: sqlite:${path}.db\nlisten: { port: 0 }\nadmin: { port: 0 }`,
      'console: { enabled: true }',
      'platforms: { aws: { kind: bedrock-mantle, region: us-east-1, apiKey: none } }',
      'apps: [{ name: search }]\n',
    ].join('\n'),
  );
  const words = ['tokens', 'issue', '--name', 'bench', '--role', 'finance', '--json'];
  await run(process.execPath, [launcher, 'migrate', '--config', config]);
  const issued = await run(process.execPath, [launcher, ...words, '--config', config]);
  const { token }: { readonly token: string } = JSON.parse(issued);
  const logFile = `${path}.log`;
  const server = await startServer(scope, {
    argv: [launcher, 'serve', '--config', config],
    logFile,
  });
  const { pid } = server;
  const before = peakMegabytesOf(pid);
  const startedMs = performance.now();
  const uploading = upload(`${await adminUrlIn(logFile)}/admin/v1/reconcile/import`, token, open());
  const longest = await longestWait(server.url, uploading);
  const { status, result, error } = await uploading;
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  const added = peakMegabytesOf(pid) - before;
  const outcome = result === undefined ? (error?.message ?? '') : `${result.lines} lines`;
  console.log(
    `upload of ${name}: ${status} in ${seconds} s, ${added} MB more than ${before}, ` +
      `longest wait of a caller ${longest.toFixed(0)} ms; ${outcome.slice(0, 120)}`,
  );
  await server.stop();
  return added;
}

interface Reply {
  readonly status: number;
  readonly result?: { readonly lines: number };
  readonly error?: { readonly message: string };
}

async function upload(url: string, token: string, body: Readable): Promise<Reply> {
  const response = await fetch(`${url}?platform=aws&month=2026-11`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body,
    duplex: 'half',
  });
  return { status: response.status, ...Object(await response.json()) };
}

/** The longest wait for a response until the work was done, in ms. */
async function longestWait(url: string, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  void work.then(end, end);
  let longest = 0;
  while (!isDone) {
    const askedMs = performance.now();
    await (await fetch(`${url}/v1/nothing`)).arrayBuffer();
    longest = Math.max(longest, performance.now() - askedMs);
  }
  return longest;
}

const head = 'date,app,model,usd\n';

/** The maximum number of lines of an import, all different. */
function* differentLines(day?: string, app = 'app-'): Generator<string> {
  yield head;
  for (let piece = 0; piece < lines; piece += 1_000) {
    yield Array.from({ length: 1_000 }, (_none, at) => lineAt(piece + at, day, app)).join('');
  }
}

function lineAt(at: number, day: string | undefined, app: string): string {
  const on = day ?? `2026-11-${String(1 + (at % 30)).padStart(2, '0')}`;
  return `${on},${app}${app === 'app-' ? at % 2_000 : at},model-${at % 500_009},0.${at}\n`;
}

/** 8 GiB of the same line, which compress to a thousandth. */
function* sameLines(): Generator<string> {
  yield head;
  const many = '2026-11-01,search,m,0.000001\n'.repeat(36_000);
  for (let mebibyte = 0; mebibyte < 8_192; mebibyte++) yield many;
}
