import { afterAll, beforeAll, expect, test } from 'vitest';
import { leavesOf, loadCommandTree } from './support/command-tree.ts';
import { type Desk, documentOf, openDesk } from './support/desk.ts';

let desk: Desk;
let other: Desk;
beforeAll(async () => {
  desk = await openDesk();
  const yaml = 'company: other\nplatforms: { a: { kind: simulator } }\napps: [{ name: alone }]\n';
  other = await openDesk({ yaml });
});
afterAll(() => Promise.all([desk.close(), other.close()]));

const places: readonly ((config: readonly string[], words: readonly string[]) => string[])[] = [
  (config, words) => ['--json', ...config, ...words],
  (config, words) => [...config, ...words, '--json'],
  (config, words) => ['--json', ...words, ...config],
  (config, words) => [...words, '--json', ...config],
  (config, words) => [...words.slice(0, 1), '--json', ...config, ...words.slice(1)],
];

/** Finds models without a price in this configuration, and therefore fails. */
const refusing = ['models', 'check'];

const commands = [
  refusing,
  ['apps', 'list'],
  ['keys', 'list'],
  ['usage'],
  ['usage', 'search'],
  ['holds', 'list'],
  ['models', 'list'],
  ['audit'],
  ['migrate'],
];

test.each(commands.map((words) => ({ words })))(
  'they can be anywhere around $words',
  async ({ words }) => {
    const answers: string[] = [];
    for (const place of places) {
      const result = await desk.run(place([`--config=${desk.file}`], words));
      expect(result.code).toBe(words === refusing ? 1 : 0);
      expect(result.errors).toHaveLength(result.code);
      answers.push(JSON.stringify(documentOf(result)));
    }
    expect(new Set(answers).size).toBe(1);
  },
);

test('the file comes from --config, else from MODEL_GATEWAY_CONFIG', async () => {
  const environment = { MODEL_GATEWAY_CONFIG: other.file };
  const elsewhere = await openDesk({ environment });
  const ofVariable = await elsewhere.run(['apps', 'list', '--json']);
  expect(documentOf(ofVariable)).toMatchObject([{ name: 'alone' }]);
  const ofOption = await elsewhere.run(['--config', desk.file, 'apps', 'list', '--json']);
  expect(documentOf(ofOption)).toMatchObject([{ name: 'search' }, { name: 'tutor' }]);
  await elsewhere.close();
});

test('without --json the same commands print lines for people', async () => {
  for (const words of commands) {
    const { code, out } = await desk.run([...words, '--config', desk.file]);
    expect(code).toBe(words === refusing ? 1 : 0);
    expect(out.length).toBeGreaterThan(0);
    expect(out.join('\n')).not.toMatch(/^[[{]/);
  }
});

test('every command but serve and simulator offers --json', async () => {
  const leaves = leavesOf(await loadCommandTree());
  const silent = leaves.filter(([, { options }]) =>
    options.every(({ long, hidden }) => long !== '--json' || hidden),
  );
  expect(leaves.length).toBeGreaterThan(50);
  expect(silent.map(([path]) => path)).toEqual(['serve', 'simulator']);
});
