import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importKey } from '../../src/operations/keys/keys.ts';
import { adminOn } from '../../test/store/support/books.ts';
import { expectClean } from '../../test/support/books.ts';
import { chatOf } from '../../test/support/exchange.ts';
import { openRaw, type RawAnswer, type RawConnection } from '../../test/support/raw-http.ts';
import { startServer, type TestServer } from '../../test/support/server.ts';
import { expectInContract } from './contract.ts';
import { type FuzzedRequest, type Keys, requestsWith } from './requests.ts';

// `npm run fuzz` sends 100,000 requests: FUZZ sets the number, and FUZZ_SEED repeats a run.
const requests = Number(process.env.FUZZ ?? 2_500);
const isLong = process.env.FUZZ !== undefined;
const seed = Number(process.env.FUZZ_SEED ?? (isLong ? Date.now() % 1_000_000_000 : 1));
/** Sequential requests on one connection, and concurrent connections. */
const [inTurn, atOnce] = [8, 8];

const plan = '{ ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 }';
const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
retry: { attempts: 1 }
plans: { user: ${plan} }
apps:
  - { name: search, dailyBudgetUsd: "1000000" }
  - { name: tutor, dailyBudgetUsd: "1000000", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
  - { name: poor, dailyBudgetUsd: "0.001" }
  - { name: few, dailyBudgetUsd: "1000000", models: [sim-echo], requirePriced: true }
  - { name: closed, enabled: false }
`;

let server: TestServer;
let keys: Keys;
beforeAll(async () => {
  server = await startServer({ yaml });
  const admin = adminOn(server.store);
  const imported = async (name: string, customerId: string) =>
    (await importKey(admin, { name, customerId, key: undefined })).key;
  keys = {
    ...{ search: await server.key('search'), tutor: await server.key('tutor') },
    ...{ poor: await server.key('poor'), few: await server.key('few') },
    closed: await server.key('closed'),
    nobodys: await imported('llm::user::gone::a@acme.example', 'gone'),
    odd: await imported('a name off the convention', 'search'),
  };
  await server.service.registry.refresh();
});
afterAll(() => server.close());

test(`${requests} requests of all kinds are answered within the contract`, async () => {
  const seen = new Map<string, number>();
  const lists = fc.array(fc.array(requestsWith(keys), { minLength: inTurn, maxLength: inTurn }), {
    minLength: atOnce,
    maxLength: atOnce,
  });
  await fc.assert(
    fc.asyncProperty(lists, async (connections) => {
      await Promise.all(connections.map((list) => sendInTurn(list, seen)));
    }),
    {
      ...{ seed, numRuns: Math.ceil(requests / (inTurn * atOnce)) },
      // The seed reproduces a failure: shrinking would send as much again.
      endOnFailure: true,
    },
  );
  if (isLong) console.log(seed, Object.fromEntries([...seen].sort()));
  // All kinds were met: a kind that never gets a response proves nothing.
  for (const kind of ['200 POST /v1/chat', '400 INVALID', '400 Bad Request', '404 NOT_FOUND']) {
    expect(seen.get(kind), kind).toBeGreaterThan(0);
  }
  const last = await send(wellFormed());
  expect(last?.status).toBe(200);
  await expectClean(server);
}, 3_600_000);

/** One after the other, on one connection for as long as it is open. */
async function sendInTurn(list: readonly FuzzedRequest[], seen: Map<string, number>) {
  let connection: RawConnection | undefined;
  for (const request of list) {
    const sent = request.bytes.toString('latin1');
    const isReusable = request.isFramed && !request.isHead;
    const on = (isReusable ? connection : undefined) ?? (await openRaw(server.port));
    connection = undefined;
    const answer = await ask(on, request);
    const isKept = isReusable && answer?.headers.get('connection') !== 'close';
    if (isKept) connection = on;
    else on.socket.resetAndDestroy();
    if (answer === undefined) {
      expect(request.isFramed, `no answer to ${JSON.stringify(sent)}`).toBe(false);
      continue;
    }
    if (request.isHead || answer.status < 200) continue;
    const kind = check(answer, sent);
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }
  connection?.socket.resetAndDestroy();
}

function check(answer: RawAnswer, sent: string): string {
  try {
    return expectInContract(answer, sent);
  } catch (cause) {
    const met = `${answer.status} ${answer.text.slice(0, 500)}`;
    throw new Error(`${met} to ${JSON.stringify(sent.slice(0, 5_000))}`, { cause });
  }
}

/** The response; undefined if incomplete bytes got none. */
async function ask(on: RawConnection, request: FuzzedRequest): Promise<RawAnswer | undefined> {
  on.socket.write(request.bytes);
  const answer = on.answer({ hasBody: !request.isHead });
  if (request.isFramed) return answer;
  // A client that stops sending gets a response or is disconnected.
  on.socket.end();
  return answer.catch(() => undefined);
}

async function send(request: FuzzedRequest): Promise<RawAnswer | undefined> {
  const connection = await openRaw(server.port);
  const answer = await ask(connection, request);
  connection.close();
  return answer;
}

function wellFormed(): FuzzedRequest {
  const body = JSON.stringify(chatOf('sim-echo'));
  const head = `POST /v1/chat HTTP/1.1\r\nhost: a\r\nx-api-key: ${keys.search}\r\n`;
  const type = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return { bytes: Buffer.from(head + type + body), isFramed: true, isHead: false };
}
