import { expect, test } from 'vitest';
import { send } from '../support/exchange.ts';
import { expectError, expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { exchangeRaw } from '../support/raw-http.ts';
import { startServer } from '../support/server.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';

const twoKeys = {
  status: 400,
  code: 'BAD_REQUEST',
  says: ['x-api-key and authorization contain different keys', 'send one key'],
} as const;

const usage = (stack: Stack, headers: Record<string, string>) =>
  send(stack, '/v1/usage', { headers });

test.each(['openai', 'anthropic'])(
  'a bearer token is a key under /v1 where %s is on',
  (api: string) =>
    onStack(
      async (stack) => {
        const key = await stack.key('search');
        const other = await stack.key('tutor');
        const bearer = { authorization: `Bearer ${key}` };
        for (const headers of [bearer, { ...bearer, 'x-api-key': key }]) {
          const answer = await usage(stack, headers);
          expect([answer.status, answer.body]).toMatchObject([200, { app: 'search' }]);
        }
        // Not a key, so it does not conflict with the other header.
        const basic = await usage(stack, { authorization: 'Basic YTpi', 'x-api-key': other });
        expect(basic.body).toMatchObject({ app: 'tutor' });
        for (const second of [other, 'nobody', '']) {
          expectError(await usage(stack, { ...bearer, 'x-api-key': second }), twoKeys);
        }
        // Two unknown keys get the same response, which reveals nothing about either.
        const strange = { authorization: 'Bearer nobody', 'x-api-key': 'nobody else' };
        expectError(await usage(stack, strange), twoKeys);
        expectGateway(await usage(stack, { authorization: 'Bearer nobody' }), 'FORBIDDEN');
        expectGateway(await usage(stack, {}), 'FORBIDDEN');
      },
      { yaml: `${defaultYaml}ingress: { ${api}: true }\n` },
    )(),
);

test(
  'an unauthenticated client with two keys fills no log, and is counted',
  onStack(
    async (stack) => {
      const headers = { authorization: 'Bearer nobody', 'x-api-key': 'nobody else' };
      const before = stack.logLines.length;
      for (let n = 0; n < 20; n++) await usage(stack, headers);
      await stack.clock.advance(1_000);
      const lines = stack.logLines.slice(before).map(({ fields }) => fields);
      expect(lines).toMatchObject([
        { status: 400, code: 'BAD_REQUEST', reason: 'two-keys' },
        { refused: 19, reasons: { 'two-keys': 19 } },
      ]);
      const page = await stack.clock.run(
        Promise.resolve(stack.service.monitor.pages['/metrics']?.()),
      );
      expect(page?.text).toContain('model_gateway_keys_rejected_total{reason="two-keys"} 20');
    },
    { yaml: `${defaultYaml}ingress: { openai: true }\n` },
  ),
);

test(
  'without ingress it is not read: x-api-key decides',
  onStack(async (stack) => {
    const key = await stack.key('search');
    const authorization = `Bearer ${await stack.key('tutor')}`;
    expectGateway(await usage(stack, { authorization }), 'FORBIDDEN');
    const both = await usage(stack, { authorization, 'x-api-key': key });
    expect([both.status, both.body]).toMatchObject([200, { app: 'search' }]);
  }),
);

test('two lines of authorization are two keys, even if they are equal', async () => {
  const server = await startServer({ yaml: `${defaultYaml}ingress: { openai: true }\n` });
  const bearer = `authorization: Bearer ${await server.key('search')}`;
  const ask = (...lines: readonly string[]) =>
    exchangeRaw(server.port, `GET /v1/usage HTTP/1.1\r\nhost: a\r\n${lines.join('\r\n')}\r\n\r\n`);
  expect((await ask(bearer)).status).toBe(200);
  const { status, text } = await ask(bearer, bearer);
  expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: 'BAD_REQUEST' } }]);
  await server.close();
});
