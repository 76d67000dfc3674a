import { afterAll, beforeAll, expect, test } from 'vitest';
import { estimateReasons } from '../../src/domain/doubt.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import { readEstimates } from '../../src/operations/reports/estimates.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { type OpenAiServer, openAiKey, startOpenAiServer } from '../support/openai-server.ts';
import { startServer, type TestServer } from '../support/server.ts';

let platform: OpenAiServer;
let server: TestServer;
beforeAll(async () => {
  platform = await startOpenAiServer();
  server = await startServer({
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms:
  local: { kind: openai-compatible, baseUrl: "${platform.baseUrl}", apiKey: ${openAiKey} }
defaultPlatform: local
ingress: { openai: true }
streaming: true
retry: { attempts: 1 }
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
models:
  - id: mini
    platform: local
    upstreamModel: mini-latest
    inputUsdPerMillion: "1"
    cachedInputUsdPerMillion: "0.5"
    outputUsdPerMillion: "2"
    maxOutputTokens: 1000
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
  });
});
afterAll(async () => {
  await server.close();
  await platform.close();
});

const counts = (prompt: number, completion: number) =>
  `"usage":{"prompt_tokens":${prompt},"completion_tokens":${completion}}`;
const hi =
  '"choices":[{"index":0,"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}]';
const piece = '"choices":[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]';
const whole = (fields: string) => ({ status: 200, body: `{${hi},${fields}}` });
const stream = (...chunks: readonly string[]) => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: [`{${piece}}`, ...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join(''),
});
/** The cost of 20 input tokens and 10 output tokens. */
const cost = 20n * 1_000_000n + 10n * 2_000_000n;

async function call(path: string, isStream: boolean): Promise<void> {
  const key = await server.key('search');
  const isOpenAi = path.startsWith('/openai');
  const suffix = isStream && !isOpenAi ? '/stream' : '';
  const response = await fetch(server.url + path + suffix, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(isOpenAi ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }),
    },
    body: JSON.stringify({
      model: 'mini',
      messages: [{ role: 'user', content: 'Hi' }],
      ...(isOpenAi ? { max_tokens: 100 } : { maxTokens: 100 }),
      ...(isStream && isOpenAi ? { stream: true } : {}),
    }),
  });
  expect(response.status, await response.text()).toBe(200);
}

async function lastCall() {
  const calls = await readCalls(server.store, 'search', utcDayOf(server.clock.now()));
  await expectClean(server);
  const last = calls.at(-1);
  if (last === undefined) throw new Error('no call was booked');
  return last;
}

const rows = [
  ['counts', counts(20, 10), undefined],
  ['the priced tier', `${counts(20, 10)},"service_tier":"default"`, undefined],
  ['another tier', `${counts(20, 10)},"service_tier":"priority"`, 'other-tier'],
  ['a cheaper tier', `${counts(20, 10)},"service_tier":"batch"`, 'other-tier'],
  ['its usage twice', `${counts(20, 10)},${counts(2, 1)}`, 'contradicting-counts'],
  ['its usage, then null', `${counts(20, 10)},"usage":null`, 'contradicting-counts'],
] as const;

test.each(
  ['/v1/chat', '/openai/v1/chat/completions'].flatMap((path) =>
    rows.flatMap((row) => [false, true].map((isStream) => [path, isStream, ...row] as const)),
  ),
)('%s, streamed: %s, with %s', async (path, isStream, _what, fields, reason) => {
  platform.next(isStream ? stream(`{"choices":[],${fields}}`) : whole(fields));
  await call(path, isStream);
  const last = await lastCall();
  expect(last).toMatchObject({ cost, basis: reason === undefined ? 'exact' : 'estimated' });
  expect(last.estimateReason).toBe(reason);
});

test.each(['/v1/chat', '/openai/v1/chat/completions'])(
  'a stream of %s whose last report is lower is booked with the highest',
  async (path) => {
    platform.next(stream(`{"choices":[],${counts(20, 10)}}`, `{"choices":[],${counts(2, 0)}}`));
    await call(path, true);
    expect(await lastCall()).toMatchObject({ cost, estimateReason: 'contradicting-counts' });
    // Counts of zero are not a report.
    platform.next(stream(`{"choices":[],${counts(20, 10)}}`, `{"choices":[],${counts(0, 0)}}`));
    await call(path, true);
    expect(await lastCall()).toMatchObject({ cost, basis: 'exact' });
  },
);

test('the receipt has the reason in a sentence, and a field is logged once', async () => {
  platform.next(whole(`${counts(20, 10)},"service_tier":"priority"`));
  await call('/v1/chat', false);
  const { callId } = await lastCall();
  const receipt = await readReceipt(server.service.admin, callId);
  expect(receipt.remarks).toEqual([`its cost is an estimate: ${estimateReasons['other-tier']}`]);
  expect(receipt.call).toMatchObject({
    ...{ estimateReason: 'other-tier', attempts: [{ estimateReason: 'other-tier' }] },
  });
  const lines = server.logLines.filter(({ fields }) => fields.field === 'service_tier');
  expect(lines).toHaveLength(1);
});

test('estimates are reported by reason, platform and model, until one is corrected', async () => {
  const day = utcDayOf(server.clock.now());
  const wanted = { from: day, to: day, apps: ['search'] };
  const read = () => readEstimates(server.service.admin, wanted);
  const before = await read();
  const all = await readCalls(server.store, 'search', day);
  const estimates = all.filter(({ estimated }) => estimated > 0n);
  const tiers = estimates.filter(({ estimateReason }) => estimateReason === 'other-tier');
  expect(before.rows).toContainEqual({
    ...{ reason: 'other-tier', platform: 'local', model: 'mini', calls: tiers.length },
    estimatedUsd: formatUsd(BigInt(tiers.length) * cost),
  });
  expect(before.totalUsd).toBe(formatUsd(BigInt(estimates.length) * cost));
  const [first] = tiers;
  const correction = { callId: first?.callId ?? '', usd: '0.00001', reference: 'invoice-1' };
  await correctCall(server.service.admin, correction);
  const corrected = (await readCalls(server.store, 'search', day)).find(
    ({ callId }) => callId === first?.callId,
  );
  expect(corrected?.estimateReason).toBeUndefined();
  expect((await read()).totalUsd).toBe(formatUsd(BigInt(estimates.length - 1) * cost));
  await expect(
    readEstimates(server.service.admin, { ...wanted, apps: ['none'] }),
  ).rejects.toThrow();
});
