import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDesk } from '../packages/server/test/cli/support/desk.ts';
import { openStackAndDesk } from '../packages/server/test/cli/support/open-stack-and-desk.ts';
import { meetChat, prompted } from '../packages/server/test/support/exchange.ts';
import type { Stack } from '../packages/server/test/support/stack.ts';
import { codeBlocks, readRepositoryFile, sectionOf } from './testing/markdown.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5", tags: { cost-centre: "4711" } }
  - { name: tutor, credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
`;
const { messages } = prompted('All that a reader asked to have made shorter. '.repeat(40));
const section = sectionOf(readRepositoryFile('docs/finance.md'), 'Example: close a month');

let opened: Awaited<ReturnType<typeof openStackAndDesk>>;
beforeAll(async () => {
  opened = await openStackAndDesk(yaml, yaml, { MODEL_GATEWAY_ACTOR: 'ann' });
});
afterAll(async () => {
  await opened.desk.close();
  await opened.stack.close();
});

test('the commands of docs/finance.md print its month, to the last figure', async () => {
  const { stack } = opened;
  await november(stack);
  const printed: string[] = [];
  for (const block of codeBlocks(section, 'sh')) {
    const lines: string[] = [];
    for (const line of block.trim().split('\n')) lines.push(...(await printedBy(line)));
    printed.push(lines.join('\n'));
  }
  expect(printed).toEqual(codeBlocks(section, 'text').map((block) => block.trimEnd()));
  // The output contains the amounts of the sentences, except one sum.
  const amounts = (text: string) => new Set(text.match(/\$\d+\.\d+/g));
  const shown = amounts(printed.join('\n'));
  const documented = amounts(section.replaceAll(/```[^`]*```/g, ''));
  expect([...documented].filter((amount) => !shown.has(amount))).toEqual(['$0.090168']);
  expect(0.08982 + 0.000348).toBeCloseTo(0.090168, 12);
  expect(await stack.clock.run(stack.audit())).toMatchObject({ clean: true });
});

test('the CSV of docs/finance.md can be imported', async () => {
  const [, section = ''] = readRepositoryFile('docs/finance.md').split('### A CSV of your own\n');
  const desk = await openDesk();
  const file = join(desk.folder, 'invoice.csv');
  writeFileSync(file, codeBlocks(section, 'csv')[0] ?? '');
  const line = (codeBlocks(section, 'sh')[0] ?? '').trim().replace('npx model-gateway ', '');
  const words = line.split(' ').map((word) => (word === 'invoice.csv' ? file : word));
  const { out } = await desk.run([...words, '--config', desk.file]);
  await desk.close();
  expect(out).toEqual([(codeBlocks(section, 'text')[0] ?? '').trim()]);
});

/** The calls of a month: two days of calls, three disconnected calls, and one of another caller. */
async function november(stack: Stack) {
  for (const day of [12, 21]) {
    stack.clock.set(Date.UTC(2026, 10, day, 9));
    for (let call = 0; call < 10; call++) {
      await callApp(stack, 'search', 'sim-reasoning');
      await callApp(stack, 'tutor', 'sim-echo', `u${call % 3}`);
    }
  }
  for (let call = 0; call < 3; call++) await callApp(stack, 'search', 'sim-reset');
  const { id } = stack.simulator.createProject('prod-acme-core-search');
  const body = JSON.stringify({ model: 'sim-echo', messages });
  const headers = { 'content-type': 'application/json', 'openai-project': id };
  await stack.simulator.fetch(
    new Request('http://simulator.test/v1/chat/completions', { method: 'POST', headers, body }),
  );
}

function callApp(stack: Stack, app: string, model: string, userId?: string) {
  const more = { messages, maxTokens: 2_000, ...(userId === undefined ? {} : { userId }) };
  return meetChat(stack, app, model, more);
}

/** The time of each file's export, in UTC: the second export makes the days final. */
const exportedAt = new Map([
  ['november.csv', Date.UTC(2026, 11, 1, 9)],
  ['november-final.csv', Date.UTC(2026, 11, 3, 9)],
]);

/** Runs a line of the document, on the platform's files of their time. */
async function printedBy(line: string): Promise<readonly string[]> {
  const { stack, desk } = opened;
  const words = line.replace('npx model-gateway ', '').split(' ');
  for (const [name, time] of exportedAt) {
    const index = words.indexOf(name);
    if (index === -1) continue;
    stack.clock.set(time);
    // Activity between the exports: nothing can be learned from an export that is equal byte for
    // byte.
    await callApp(stack, 'tutor', 'sim-echo', 'u1');
    const bill = await stack.simulator.fetch(
      new Request('http://simulator.test/simulator/cur.csv'),
    );
    words[index] = join(desk.folder, name);
    writeFileSync(words[index], await bill.text());
  }
  const { out, errors } = await desk.run([...words, '--config', desk.file]);
  return [...out, ...errors].map((text) => text.trimEnd());
}
