import { type Client, createClient, type LlmError } from '@model-gateway/sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { count } from '../../test/store/support/books.ts';
import { openRelay, type Relay } from '../support/relay.ts';
import { openReplicaStores } from './replica-stores.ts';
import { expectHonestBooks, type Replicas } from './replicas.ts';

const stores = openReplicaStores();
let replicas: Replicas;
let relay: Relay;
beforeEach(async () => {
  relay = await openRelay();
});
afterEach(async () => {
  await relay.close();
});

const settledCalls = "select count(*) as n from call where code = 'OK'";
const anywhere = 'http://gateway.test';

/** A client with its own retries, and the failures before its response. */
function clientOf(urlOf: (attempt: number) => string) {
  let attempts = 0;
  const retried: LlmError[] = [];
  const replayed: (string | null)[] = [];
  const client = createClient({
    ...{ baseUrl: `${anywhere}/v1`, apiKey: replicas.apiKey, maxAttempts: 20 },
    async fetch(input, init) {
      const url = String(input).replace(anywhere, urlOf(attempts++));
      const response = await fetch(url, init);
      replayed.push(response.headers.get('idempotent-replayed'));
      return response;
    },
  });
  const chat = (model: string) =>
    client.chat(
      { model, maxTokens: 50, messages: [{ role: 'user', content: 'Hello' }] },
      { onRetry: ({ error }) => void retried.push(error) },
    );
  return { client, chat, retried, replayed };
}

/** Checks that there was one call in the bill, in the ledger, and in the app's usage. */
async function expectOneCall(client: Client, answer: { readonly cost: object }) {
  const { calls, costPicoUsd } = replicas.simulator.simulator.bill().total;
  const billedUsd = formatUsd(costPicoUsd);
  expect(calls).toBe(1);
  expect(answer.cost).toEqual({ usd: billedUsd, estimated: false });
  expect(await count(replicas.store, 'select count(*) as n from call')).toBe(1);
  const { budget, history } = await client.usage();
  expect(history).toMatchObject([{ calls: 1, costUsd: billedUsd }]);
  expect(budget).toMatchObject({ heldUsd: '0' });
}

describe.each(stores.all)('on %s', (_name, open) => {
  test('a call retried through a gateway that died after settling is billed once', async () => {
    replicas = await open();
    const first = await replicas.start();
    relay.aim(first.url);
    const { client, chat, retried, replayed } = clientOf(() => relay.url);
    relay.swallowAnswers(true);
    const answering = chat('sim-echo');
    await until(async () => (await count(replicas.store, settledCalls)) === 1);
    relay.aim(undefined);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    relay.swallowAnswers(false);
    const second = await replicas.start();
    relay.aim(second.url);

    const answer = await answering;
    expect(answer.text).toBe('Hello');
    expect(retried.map(({ code, status }) => [code, status])).toEqual([['NETWORK', 0]]);
    expect(replayed.at(-1)).toBe('true');
    await expectOneCall(client, answer);
    await expectHonestBooks(replicas, { answered: [answer], errors: [] });
    expect(await second.end('SIGTERM')).toBe(0);
  });

  const late = [
    ['the API', '{ modelCallMs: 500 }', 'TIMEOUT'],
    ['the gateway in front', '{ gatewayMs: 500 }', 'GATEWAY_TIMEOUT'],
  ] as const;
  test.each(late)(
    'a call that timed out in %s is collected with its key',
    async (_who, limits, code) => {
      replicas = await open({ limits });
      const only = await replicas.start();
      relay.aim(only.url);
      const { client, chat, retried, replayed } = clientOf(() => relay.url);
      const answer = await chat('sim-slow');
      expect(answer.text).toBe('Hello');
      expect(retried[0]).toMatchObject({ status: 504, code });
      expect(replayed.at(-1)).toBe('true');
      await expectOneCall(client, answer);
      const [record] = await codes();
      expect(record).toBe(code === 'TIMEOUT' ? 'TIMEOUT' : 'ABORTED');
      expect(await only.end('SIGTERM')).toBe(0);
    },
  );
});

describe('on PostgreSQL, over two replicas', () => {
  test('a call of a replica that died after settling is answered by the other', async () => {
    replicas = await stores.onPostgres();
    const [one, other] = await Promise.all([replicas.start(), replicas.start()]);
    relay.aim(one.url);
    relay.swallowAnswers(true);
    const { client, chat, retried, replayed } = clientOf((attempt) =>
      attempt === 0 ? relay.url : other.url,
    );
    const answering = chat('sim-echo');
    await until(async () => (await count(replicas.store, settledCalls)) === 1);
    expect(await one.end('SIGKILL')).toBe('SIGKILL');
    const answer = await answering;
    expect(retried.map(({ code }) => code)).toEqual(['NETWORK']);
    expect(replayed).toEqual(['true']);
    await expectOneCall(client, answer);
    await expectHonestBooks(replicas, { answered: [answer], errors: [] });
  });

  test('a call that timed out at one is collected at the other', async () => {
    replicas = await stores.onPostgres({ limits: '{ modelCallMs: 500 }' });
    const services = await Promise.all([replicas.start(), replicas.start()]);
    const { client, chat, retried, replayed } = clientOf(
      (attempt) => services[attempt % 2]?.url ?? '',
    );
    const answer = await chat('sim-slow');
    expect(retried[0]).toMatchObject({ status: 504, code: 'TIMEOUT' });
    expect(replayed.at(-1)).toBe('true');
    await expectOneCall(client, answer);
  });
});

function codes(): Promise<readonly string[]> {
  return replicas.store.read({
    sql: 'select code from call',
    values: [],
    map: (rows) => rows.map((row) => String(row.code)),
  });
}
