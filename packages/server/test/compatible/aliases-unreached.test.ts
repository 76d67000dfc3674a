import { afterAll, beforeAll, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { bindProject } from '../../src/operations/projects/bindings.ts';
import { billedUsd, expectClean, readAttempts, readCalls } from '../support/books.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { routes } from './support/paid-routes.ts';

const prices = 'inputUsdPerMillion: "1", outputUsdPerMillion: "1"';
const free = 'inputUsdPerMillion: "1"';
/** Of each route: the unreachable address, the first model's row, and the second's. */
const pairs = {
  'chat completions': ['chats', prices, 'sim-told', `pathFamily: v1-chat, ${prices}`],
  responses: [
    ...['responses', `pathFamily: v1-responses, ${prices}`],
    ...['sim-told', `pathFamily: v1-responses, ${prices}`],
  ],
  messages: ['messages', prices, 'sim-told', `pathFamily: anthropic-v1-messages, ${prices}`],
  embeddings: [
    ...['chats', `kind: embeddings, ${free}`],
    ...['sim-embed-told', `kind: embeddings, ${free}`],
  ],
} as const;

const rows = Object.entries(pairs).map(
  ([name, [platform, first, upstream, second]]) => `
  - { id: "away ${name}", platform: ${platform}, ${first} }
  - { id: "here ${name}", platform: sandbox, upstreamModel: ${upstream}, ${second} }
  - { id: "alias ${name}", route: ["away ${name}", "here ${name}"] }
`,
);

const yaml = `
company: acme
store: sqlite:./gateway.db
streaming: true
ingress: { openai: true, anthropic: true }
retry: { attempts: 3, baseMs: 1, capMs: 2 }
platforms:
  sandbox: { kind: simulator }
  chats: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
  responses: { kind: openai, baseUrl: "http://127.0.0.1:1/v1", apiKey: key-of-the-test }
  messages: { kind: anthropic, baseUrl: "http://127.0.0.1:1", apiKey: key-of-the-test }
apps:
${Object.keys(routes)
  .flatMap((name) => [appOf(name, false), appOf(name, true)])
  .map((app) => `  - { name: ${app}, dailyBudgetUsd: "5" }`)
  .join('\n')}
models:
${rows.join('')}
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ yaml });
});
afterAll(async () => {
  await expectClean(server);
  await server.close();
});

const cases = Object.entries(routes).flatMap(([name, route]) =>
  [false, ...(route.canStream ? [true] : [])].map((isStream) => ({ name, route, isStream })),
);

test.each(cases)(
  'an unreachable model is followed by the next, $name, streamed $isStream',
  async ({ name, route, isStream }) => {
    const app = appOf(name, isStream);
    const { admin, registry } = server.service;
    for (const platform of ['responses', 'messages']) {
      await bindProject(admin, { app, platform, projectId: `proj_${app}` });
    }
    await registry.refresh();
    const body = {
      ...route.body('Hello'),
      model: `alias ${name}`,
      ...(isStream && { stream: true }),
    };
    const response = await fetch(`${server.url}${route.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await server.key(app)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(response.headers.get('x-served-by')).toBe(encodeURIComponent(`here ${name}`));
    expect(text).toContain(`"model":"alias ${name}"`);
    const [call] = await readCalls(server.store, app, utcDayOf(server.clock.now()));
    expect(call).toMatchObject({ code: 'OK', basis: 'exact', usageModel: `here ${name}` });
    const attempts = await readAttempts(server.store, call);
    expect(attempts.map(({ model }) => model)).toEqual([
      ...[`away ${name}`, `away ${name}`, `here ${name}`],
    ]);
    expect(attempts.map(({ costUsd }) => costUsd === '0')).toEqual([true, true, false]);
    expect(billedUsd(server, app)).not.toBe('0');
  },
);

/** Each call has its own app. */
function appOf(name: string, isStream: boolean): string {
  return `${name.replace(' ', '-')}-${isStream ? 'streamed' : 'whole'}`;
}
