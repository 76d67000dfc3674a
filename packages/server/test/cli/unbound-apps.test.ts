import { expect, test } from 'vitest';
import { openStack } from '../support/stack.ts';
import { openDesk } from './support/desk.ts';

const yaml = `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: sqlite:./gateway.db
platforms:
  sandbox: { kind: simulator }
  openai: { kind: openai, baseUrl: "http://127.0.0.1:9/v1", apiKey: test }
  claude: { kind: anthropic, baseUrl: "http://127.0.0.1:9", apiKey: test }
models:
  - { id: fast, route: [gpt-5.6-luna, sim-echo] }
apps:
  - { name: all }
  - { name: bound, models: [gpt-5.6-luna], projects: { openai: proj_bound } }
  - { name: by-alias, models: [fast] }
  - { name: off, enabled: false }
  - { name: simulated, models: [sim-echo] }
`;

const unbound = ['all on openai', 'all on claude', 'by-alias on openai'];

/** The apps that these lines name, each with its platform. */
function namedIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const found =
      /^the app (\S+) has no project on (\S+), so .* bind \1 \2 ID" for an existing one$/.exec(
        line,
      );
    return found === null ? [] : [`${found[1]} on ${found[2]}`];
  });
}

test.for(['config check', 'platforms check'])(
  '%s names each app without a project, with the command that binds it',
  async (command) => {
    const desk = await openDesk({ yaml });
    const run = (line: string) => desk.run([...line.split(' '), '--config', desk.file]);
    const check = async () => namedIn((await run(command)).errors);
    const first = await check();
    expect(first.toSorted()).toEqual(unbound.toSorted());

    expect((await run('projects bind all claude wrkspc_1')).code).toBe(0);
    expect((await run('apps create made --daily-budget-usd 5')).code).toBe(0);
    const second = await check();
    expect(second.toSorted()).toEqual(
      ['all on openai', 'by-alias on openai', 'made on claude', 'made on openai'].toSorted(),
    );
    await desk.close();
  },
);

test('a check without billing platforms, or with only bound apps, names none', async () => {
  const desk = await openDesk();
  for (const command of ['config check', 'platforms check']) {
    const { out, errors } = await desk.run([...command.split(' '), '--config', desk.file]);
    expect(out.length).toBeGreaterThan(0);
    expect(namedIn(errors)).toEqual([]);
  }
  await desk.close();
});

test('startup names at most ten of them, and the number of others', async () => {
  const many = Array.from({ length: 12 }, (_, at) => `  - { name: app-${at}, models: [fast] }\n`);
  const stack = await openStack({ yaml: yaml + many.join('') });
  const lines = stack.logLines.filter(({ level }) => level === 'warn');
  expect(namedIn(lines.map(({ message }) => message))).toHaveLength(10);
  const [more] = lines.filter(({ message }) => message.startsWith('more apps have no project'));
  expect(more?.fields).toMatchObject({ more: 5 });
  await stack.close();
});
