import { routes, streamingPaths } from '@model-gateway/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { selectOpenRuns } from '../packages/server/src/store/queries/runs.ts';
import { openStack, type Stack } from '../packages/server/test/support/stack.ts';
import { readRepositoryFile, tableRows, withoutQuotes } from './testing/markdown.ts';

const document = readRepositoryFile('docs/api.md');

/** An app that meters credits, as in the whole document. */
const yaml = `
company: acme
platforms: { sandbox: { kind: simulator } }
apps:
  - name: tutor
    dailyBudgetUsd: "20"
    monthlyBudgetUsd: "300"
    credits: { monthlyGrant: "1000", usdPerCredit: "0.01" }
    models: [sim-echo]
`;

/** A request of the document and the response below it. */
interface Exchange {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly answer: string;
}

const blocks =
  /^```http\n(\w+) (\S+)\n((?:[\w-]+: .*\n)*)(?:\n([\s\S]*?))?```\n\n```json\n([\s\S]*?)```$/gm;

const exchanges = [...document.matchAll(blocks)].map(
  ([, method = '', path = '', headers = '', body, answer = '']): Exchange => ({
    ...{ title: `${method} ${path}`, method, path, body, answer },
    headers: Object.fromEntries(
      headers
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(': ')),
    ),
  }),
);

/** The responses, in the order of the document: usage and credits count the calls before them. */
let answers: unknown[];
beforeAll(async () => {
  const stack = await openStack({ yaml });
  answers = [];
  for (const exchange of exchanges) answers.push(await answerOf(stack, exchange));
  await stack.close();
});

async function answerOf(stack: Stack, { method, path, headers, body }: Exchange): Promise<unknown> {
  const apiKey = await stack.key('tutor');
  const [run] = await stack.store.read(selectOpenRuns('tutor', stack.clock.now(), 1));
  const meant = path.replace('run_…', run?.id ?? '');
  const request = { method, headers: { 'x-api-key': apiKey, ...headers } };
  const whole = body === undefined ? request : { ...request, body };
  const response = await stack.clock.run(stack.fetch(`http://gateway.test${meant}`, whole));
  return JSON.parse(withoutIds(await response.text()));
}

/** Ids are random, and versions change: the document contains neither. */
function withoutIds(text: string): string {
  return text.replaceAll(/"(call|req|run|mgr)_\w{20,}"/g, '"$1_…"').replace('0.0.0-test', '…');
}

const [, shownStream = ''] = /^```sse\n([\s\S]*?)```$/m.exec(document) ?? [];

test('docs/api.md shows the stream of its chat', async () => {
  const stack = await openStack({ yaml: `${yaml}\nstreaming: true\n` });
  const [chat] = exchanges.filter(({ path }) => path === '/v1/chat');
  const answer = await stack.post('tutor', '/v1/chat/stream', chat?.body);
  const text = await stack.clock.run(answer.text());
  await stack.close();
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(withoutIds(text)).toBe(`${shownStream}\n`);
});

describe('docs/api.md', () => {
  test('shows an exchange of every route', () => {
    const shown = exchanges.map(
      ({ method, path }) =>
        `${method} ${path.replace('/ada', '/:userId').replace('run_…', ':runId')}`,
    );
    const all = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(shown)).toEqual(new Set(all));
    expect(document.match(/^```http$/gm)).toHaveLength(exchanges.length);
  });

  test('lists every route', () => {
    const listed = tableRows(document)
      .map(([route]) => withoutQuotes(route))
      .filter((route) => /^(GET|POST|DELETE) /.test(route));
    const all = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
    expect(listed.map((route) => route.replace(/\{(\w+)\}/, ':$1')).toSorted()).toEqual(
      all.toSorted(),
    );
    for (const path of streamingPaths) expect(document).toContain(`\`${path}\``);
  });

  test.each([...exchanges.entries()])('exchange %i gets the documented response', (index, of) => {
    expect(answers[index], of.title).toEqual(JSON.parse(of.answer));
  });
});
