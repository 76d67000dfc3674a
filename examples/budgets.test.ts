import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../packages/server/src/cli/program.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createIds } from '../packages/server/src/lib/id.ts';
import { setBudget } from '../packages/server/src/operations/budgets/budgets.ts';
import { openStackAndDesk } from '../packages/server/test/cli/support/open-stack-and-desk.ts';
import { chatOf, meetChat } from '../packages/server/test/support/exchange.ts';
import { maximumCostPicoUsd } from '../packages/server/test/support/maximum-cost.ts';
import { onStack } from '../packages/server/test/support/on-stack.ts';
import { defaultYaml } from '../packages/server/test/support/stack.ts';
import { codeBlocks, readRepositoryFile, sectionOf } from './testing/markdown.ts';

const document = readRepositoryFile('docs/budgets.md');

test(
  'docs/budgets.md shows a rejection as the service returns it',
  onStack(async (stack) => {
    const group = { apps: 'all', dailyPicoUsd: maximumCostPicoUsd(chatOf('sim-echo')) } as const;
    await stack.clock.run(setBudget(stack.admin, 'research', group, []));
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    const { body } = await meetChat(stack, 'search', 'sim-echo');
    expect(body).toEqual(JSON.parse(codeBlocks(document, 'json')[0] ?? ''));
  }),
);

test('docs/budgets.md explains a budget to finance', async () => {
  const { stack, desk } = await openStackAndDesk(defaultYaml);
  try {
    await meetChat(stack, 'search', 'sim-echo');
    const group = { apps: ['search', 'tutor'], dailyPicoUsd: 60n * 10n ** 12n };
    await stack.clock.run(setBudget(stack.admin, 'research', group, []));
    await stack.clock.run(stack.service.registry.refresh());
    await meetChat(stack, 'search', 'sim-echo');
    await meetChat(stack, 'search', 'sim-no-usage');
    const section = sectionOf(document, 'Explain a figure');
    const commands = codeBlocks(section, 'sh').join('').trim().split('\n');
    const answers: (readonly string[])[] = [];
    for (const command of commands) {
      const { code, out } = await desk.run([...command.split(' ').slice(2), '--config', desk.file]);
      expect(code, command).toBe(0);
      answers.push(out);
    }
    expect(answers[0]).toEqual(codeBlocks(section, 'text')[0]?.trimEnd().split('\n'));
    expect(answers[1]).toContainEqual(expect.stringMatching(/^group-day:research +\$60: /));
  } finally {
    await desk.close();
    await stack.close();
  }
});

test('the commands of docs/budgets.md do what the text describes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-budgets-'));
  await writeFile(join(folder, 'gateway.yaml'), readRepositoryFile('gateway.yaml'));
  const run = async (words: readonly string[]) => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const exitCode = await runCommand(words, {
      ...{ clock: systemClock, ids: createIds(systemClock), print, warn: print },
      environment: { MODEL_GATEWAY_CONFIG: join(folder, 'gateway.yaml') },
      readStandardInput: async () => '',
    });
    expect(exitCode, `${words.join(' ')}: ${printed.join('\n')}`).toBe(0);
  };
  const lines = codeBlocks(sectionOf(document, 'Common tasks'), 'sh').join('').trim().split('\n');
  expect(lines).toHaveLength(7);
  for (const line of lines) await run(line.split(' ').slice(2));
  await rm(folder, { recursive: true });
});
