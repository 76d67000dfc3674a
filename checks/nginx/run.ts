import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../harness/until.ts';
import { expectClean, heldBy, readCalls } from '../../packages/server/test/support/books.ts';
import { startServer, type TestServer } from '../../packages/server/test/support/server.ts';
import { type Front, startFront } from './front.ts';
import { findNginx } from './install.ts';
import { counted, startPlatform } from './platform.ts';

const words = 12;
/** Longer than nginx waits for the next bytes, which the comments are. */
const quietMs = 41_000;
/** Many times the duration of an unbuffered word. */
const heldMs = 2_000;
const waitMs = 30_000;

const folder = await mkdtemp(join(tmpdir(), 'model-gateway-nginx-'));
await chmod(folder, 0o755);
const nginx = await findNginx(folder);
const platform = await startPlatform();
const server = await startServer({ yaml: configuration(platform.url) });
const atGateway = { gatewayPort: server.port };
const front = await startFront(nginx, { ...atGateway, folder });
const deaf = await startFront(nginx, {
  ...{ ...atGateway, folder: join(folder, 'deaf') },
  more: 'proxy_ignore_headers X-Accel-Buffering;',
});
let surprises = 0;
try {
  await step('each event comes by itself, and finish is last', wholeStream);
  await step('a quiet stream is kept alive by comments', quietStream);
  await step('a proxy that takes no notice of our header would hold it back', heldBackStream);
  await step('who leaves nginx leaves the gateway, and is booked exactly', abandonedStream);
  await step('the audit is clean', () => expectClean(server));
  print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
  process.exitCode = surprises === 0 ? 0 : 1;
} finally {
  await front.close();
  await deaf.close();
  await server.close();
  platform.close();
  await rm(folder, { recursive: true, force: true });
}

async function step(name: string, work: () => Promise<void>) {
  try {
    await work();
    print(`${name}: yes`);
  } catch (error) {
    surprises += 1;
    print(`${name}: NO, ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function wholeStream() {
  const stream = await open(front, server);
  const { headers } = stream.response;
  expect(headers['content-type'] === 'text/event-stream; charset=utf-8', 'its content type');
  expect(headers['content-length'] === undefined, 'it has no length');
  for (let word = 0; word < words; word++) {
    await stream.has(`word${word} `);
    // The next word is sent only now: a buffered word would never be read.
    if (word + 1 < words) platform.next();
  }
  platform.finish();
  await stream.has('event: finish');
  await stream.ended();
}

async function quietStream() {
  const stream = await open(front, server);
  await stream.has('word0 ');
  await sleep(quietMs);
  const comments = stream.text().match(/^:/gm) ?? [];
  expect(comments.length >= 4, `${comments.length} comments in ${quietMs / 1_000} s`);
  platform.finish();
  await stream.has('event: finish');
}

async function heldBackStream() {
  const opening = open(deaf, server);
  await sleep(heldMs);
  // Its head might be buffered too.
  const early = await Promise.race([opening, Promise.resolve(undefined)]);
  const come = early?.text() ?? '';
  platform.finish();
  const stream = await opening;
  expect(!come.includes('word0 '), 'it came though it was to be buffered');
  await stream.has('event: finish');
  await stream.ended();
}

async function abandonedStream() {
  const stream = await open(front, server);
  await stream.has('word0 ');
  stream.leave();
  await sleep(1_000);
  platform.next();
  platform.finish();
  await until(async () => (await heldBy(server.store, 'search')) === 0);
  const day = new Date(server.clock.now()).toISOString().slice(0, 10);
  const last = (await readCalls(server.store, 'search', day)).at(-1);
  const cost =
    BigInt(counted.prompt_tokens) * 150_000n + BigInt(counted.completion_tokens) * 600_000n;
  expect(last?.code === 'ABORTED', `its code is ${last?.code}`);
  expect(last?.cost === cost && last.basis === 'exact', `it is booked with ${last?.cost}`);
}

function expect(isSo: boolean, what: string) {
  if (!isSo) throw new Error(what);
}

/** A stream through nginx, read as it comes. */
async function open({ port, hostName, cert }: Front, { key }: TestServer) {
  const headers = {
    ...{ host: hostName, 'x-api-key': await key('search') },
    'content-type': 'application/json',
  };
  const messages = [{ role: 'user', content: 'Twelve words.' }];
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const pending = request(
      {
        ...{ host: '127.0.0.1', port, servername: hostName, ca: cert },
        ...{ method: 'POST', path: '/v1/chat/stream', headers },
      },
      resolve,
    );
    pending.on('error', reject);
    pending.setTimeout(waitMs, () => pending.destroy(new Error('nothing comes')));
    pending.end(JSON.stringify({ model: 'told', maxTokens: 100, messages }));
  });
  let text = '';
  response.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  response.on('error', () => undefined);
  return {
    ...{ response, text: () => text, leave: () => void response.destroy() },
    has: (part: string) =>
      until(
        () => text.includes(part),
        () => `${part} after ${text.slice(-200)}`,
      ),
    ended: () => until(() => response.complete),
  };
}

function configuration(platformUrl: string): string {
  return `
company: acme
store: sqlite:./gateway.db
streaming: true
streams: { idleMs: 60000 }
trustedProxies: [127.0.0.1]
platforms:
  up: { kind: openai-compatible, baseUrl: "${platformUrl}", apiKey: some-key }
apps:
  - { name: search, dailyBudgetUsd: "5" }
models:
  - { id: told, platform: up, inputUsdPerMillion: "0.15", outputUsdPerMillion: "0.6", contextTokens: 128000, maxOutputTokens: 16384 }
`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
