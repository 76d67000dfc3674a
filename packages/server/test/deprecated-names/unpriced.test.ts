import { afterAll, beforeAll, expect, test } from 'vitest';
import { configSchema } from '../../src/config/file-keys.ts';
import { type Desk, deskYaml, openDesk } from '../cli/support/desk.ts';
import { configOf } from '../config/load.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const yamlWith = (word: string) =>
  `${deskYaml}  - { name: free, unpriced: ${word} }\nunpriced: ${word}\n`;

test('highest and dearest are one configuration, with one hash', () => {
  const [highest, dearest] = ['highest', 'dearest'].map((word) => configOf(yamlWith(word)));
  expect(highest).toEqual(dearest);
  expect(highest).toMatchObject({ unpriced: 'dearest', hash: dearest?.hash });
  expect(highest?.apps.at(-1)).toMatchObject({ unpriced: 'dearest' });
});

test('the schema lists highest first', () => {
  expect(JSON.stringify(configSchema())).toContain('["highest","dearest","refuse","free"');
});

test.each(['highest', 'dearest'])('--unpriced %s sets the same policy', async (word) => {
  const created = await desk.record(['apps', 'create', `app-${word}`, '--unpriced', word]);
  expect(created.unpriced).toBe('dearest');
  const { errors } = await desk.run(['apps', 'list', '--config', desk.file]);
  expect(errors).toEqual([]);
});
