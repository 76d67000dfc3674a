import { describe, expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { disableKey, issueKey, rotateKey } from '../../src/operations/keys/keys.ts';
import { readCurves } from '../../src/operations/reports/day-forecast.ts';
import { readToday } from '../../src/operations/reports/overview.ts';
import { refusalsOfApp } from '../../src/operations/reports/refusals.ts';
import { makeKey, makeRunKey } from '../../src/registry/key-format.ts';
import { type Exchange, send } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack, type Stack } from '../support/stack.ts';

const noon = Date.parse('2026-11-23T12:00:00Z');

const yamlOn = (store: string) => `
company: acme
adminEmail: admin@acme.example
store: ${store}
platforms:
  sandbox: { kind: simulator }
apps:
  - { name: search, dailyBudgetUsd: "5" }
`;

/** Keys of an app that are rejected, each for another reason. */
async function rejectedKeys({ admin, clock, key, service }: Stack) {
  const made = await key('search');
  const asked = { app: 'search', email: 'team@acme.example' };
  const [disabled, rotated, expired] = await clock.run(
    Promise.all([
      issueKey(admin, asked),
      issueKey(admin, asked),
      issueKey(admin, { ...asked, limits: { expiresAt: clock.now() + 1_000 } }),
    ]),
  );
  await clock.run(disableKey(admin, disabled.id));
  await clock.run(rotateKey(admin, rotated.id, { graceMs: 1_000 }));
  await clock.advance(1_001);
  await clock.run(service.registry.refresh());
  return { made, disabled, rotated, expired };
}

type Headers = Readonly<Record<string, string>>;

/** The headers of an unauthenticated client, by the reason that its operator sees. */
async function rowsOf(stack: Stack): Promise<readonly (readonly [string, Headers])[]> {
  const { made, disabled, rotated, expired } = await rejectedKeys(stack);
  const { ids } = stack.admin;
  return [
    ['no-header', {}],
    ['no-header', { 'x-api-key': '' }],
    ['wrong-scheme', { authorization: `Basic ${btoa(`user:${made}`)}` }],
    ['wrong-scheme', { authorization: made }],
    ['wrong-scheme', { authorization: 'Bearer short' }],
    ['wrong-scheme', { 'x-api-key': `Bearer ${made}` }],
    ['wrong-scheme', { 'api-key': made }],
    ['ingress-off', { authorization: `Bearer ${made}` }],
    ['ingress-off', { authorization: `Bearer ${makeKey(ids).key}` }],
    ['checksum', { 'x-api-key': made.slice(0, -1) }],
    ['checksum', { 'x-api-key': `${made}a` }],
    ['unknown', { 'x-api-key': makeKey(ids).key }],
    ['unknown', { 'x-api-key': 'sk-of-another-maker-altogether' }],
    ['disabled', { 'x-api-key': disabled.key }],
    ['ended', { 'x-api-key': rotated.key }],
    ['ended', { 'x-api-key': expired.key }],
    ['run', { 'x-api-key': makeRunKey(ids) }],
    ['run', { 'x-api-key': made, 'x-run-id': 'run_nobody' }],
  ];
}

/** The parts of a response that an unauthenticated client can compare, without the request id. */
function seenOf({ status, text, headers }: Exchange) {
  const names = [...headers].filter(([name]) => name !== 'x-request-id');
  return { status, text, names };
}

describe.each(storeKinds)('a rejected key on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(await openStack({ yaml: yamlOn(store), hasConsole: true, startMs: noon })),
  );

  test('gets one response, and has a reason only for operators', async () => {
    const { stack } = shared();
    const { admin, clock } = stack;
    const rows = await rowsOf(stack);
    const seen: unknown[] = [];
    const ids: (string | null)[] = [];
    for (const [reason, headers] of rows) {
      // Each is the first rejection of its second, so it is logged.
      await clock.advance(2_001);
      const before = stack.logLines.length;
      const answer = await send(stack, '/v1/usage', { headers });
      expectGateway(answer, 'FORBIDDEN');
      seen.push(seenOf(answer));
      ids.push(answer.headers.get('x-request-id'));
      const lines = stack.logLines.slice(before).map(({ fields }) => fields);
      expect(lines, reason).toMatchObject([{ method: 'GET', path: '/v1/usage', reason }]);
      const whole = JSON.stringify(lines);
      for (const text of Object.values(headers)) {
        if (text.length > 30) expect(whole).not.toContain(text.slice(20));
      }
      const isOfKey = reason === 'disabled' || reason === 'ended' || 'x-run-id' in headers;
      expect(lines[0]?.app, reason).toBe(isOfKey ? 'search' : undefined);
      expect(lines[0]?.keyId !== undefined, reason).toBe(isOfKey);
    }
    for (const one of seen) expect(one).toEqual(seen[0]);

    const page = await clock.run(Promise.resolve(stack.service.monitor.pages['/metrics']?.()));
    for (const [reason, count] of Object.entries(countsOf(rows))) {
      const sample = `model_gateway_keys_rejected_total{reason="${reason}"} ${count}`;
      expect(page?.text.split('\n')).toContain(sample);
    }

    await clock.advance(10_001);
    const curves = await clock.run(readCurves(admin));
    const today = await clock.run(readToday(admin, { apps: undefined, curves }));
    const shown = new Map(today.refusals.map((each) => [each.code, each]));
    for (const [reason, count] of Object.entries(countsOf(rows))) {
      // A request of a run has a valid key.
      const own = reason === 'run' ? 1 : count;
      expect(shown.get(`FORBIDDEN:${reason}`), reason).toMatchObject({
        app: reason === 'disabled' || reason === 'ended' ? 'search' : '-',
        count: own,
        lastMessage: expect.stringMatching(/^for operators only: .*; last: GET \/v1\/usage from /),
        lastRequestId: expect.stringMatching(/^req_/),
      });
    }
    expect(shown.get('FORBIDDEN:ended')?.lastRequestId).toBe(ids[15]);
    const ofApp = await clock.run(refusalsOfApp(admin, 'search', 1));
    expect(ofApp.map(({ code }) => code)).toContain('FORBIDDEN:disabled');
    const ofTeam = await clock.run(readToday(admin, { apps: ['search'], curves }));
    expect(ofTeam.refusals.every(({ app }) => app === 'search')).toBe(true);
  });

  test('is counted by reason and request in the line of a second', async () => {
    const { stack } = shared();
    const { clock, logLines } = stack;
    await clock.advance(3_000);
    const before = logLines.length;
    const { key: unknown } = makeKey(stack.admin.ids);
    const ask = (path: string, headers: Headers = {}) => send(stack, path, { headers });
    await ask('/v1/usage');
    for (let n = 0; n < 3; n++) await ask('/v1/models', { 'x-api-key': unknown });
    await ask('/v1/chat/completions', { authorization: 'Basic YTpi' });
    await ask(`/of/nobody/${unknown}`);
    await clock.advance(1_000);
    const [first, summed, ...more] = logLines.slice(before).map(({ fields }) => fields);
    expect(first).toMatchObject({ reason: 'no-header', path: '/v1/usage' });
    expect(summed).toEqual({
      ...{ remote: 'unknown', refused: 5, status: 403, code: 'FORBIDDEN' },
      reasons: { unknown: 3, 'wrong-scheme': 1, 'no-header': 1 },
      requests: { 'GET /v1/models': 3, 'GET /v1/chat/completions': 1, 'GET other': 1 },
    });
    expect(more).toEqual([]);
  });

  test('of a disabled app has that reason in the metric and in its line', async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const key = await stack.key(app);
    await stack.clock.run(updateApp(stack.admin, app, { enabled: false }));
    await stack.clock.run(stack.service.registry.refresh());
    const answer = await send(stack, '/v1/usage', { headers: { 'x-api-key': key } });
    expect(answer.body).toMatchObject({ error: { code: 'DISABLED' } });
    const { fields } = stack.logLines.at(-1) ?? expect.fail();
    expect(fields).toMatchObject({ code: 'DISABLED', reason: 'disabled', app });
  });
});

function countsOf(rows: readonly (readonly [string, unknown])[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [reason] of rows) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
