import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatOf, meetWithKey } from '../support/exchange.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';
import type { Desk } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

let stack: Stack;
let desk: Desk;
beforeAll(async () => {
  ({ stack, desk } = await openStackAndDesk(defaultYaml));
});
afterAll(async () => {
  await desk.close();
  await stack.close();
});

async function issue(...more: readonly string[]) {
  const words = ['keys', 'issue', '--app', 'search', '--email', 'team@acme.example', ...more];
  const { id, key } = await desk.record(words);
  await stack.clock.advance(1_000);
  return { id: String(id), key: String(key) };
}

async function listed(id: string) {
  const keys = await desk.records(['keys', 'list', '--app', 'search']);
  return keys.find((key) => key.id === id);
}

const chat = (key: string) => meetWithKey(stack, key, (client) => client.chat(chatOf('sim-echo')));

test('a key shows its last use, and its cost today', async () => {
  const { id, key } = await issue('--note', 'nightly');
  expect(await listed(id)).toMatchObject({
    ...{ lastUsedAt: null, callsToday: 0, spentTodayUsd: '0', note: 'nightly' },
  });
  for (let call = 0; call < 3; call++) expect((await chat(key)).status).toBe(200);
  const usedAt = stack.clock.now();
  await stack.clock.advance(2_000);
  const used = await listed(id);
  expect(used).toMatchObject({ callsToday: 3, spentTodayUsd: '0.000018' });
  const lastUsedMs = Date.parse(String(used?.lastUsedAt));
  expect(lastUsedMs - usedAt).toBeLessThanOrEqual(2_000);
  // The last use of each key is stored at most once a minute.
  await chat(key);
  await stack.clock.advance(61_000);
  expect(Date.parse(String((await listed(id))?.lastUsedAt))).toBeGreaterThan(lastUsedMs);
  const { out } = await desk.run(['keys', 'list', '--app', 'search', '--config', desk.file]);
  expect(out[0]).toMatch(/name +last used +calls today +spent today +note$/);
  expect(out.find((line) => line.startsWith(id))).toMatch(/Z +4 +\$0.000024 +nightly$/);
});

test('a key that is rotated with a grace period ends with it, and not before', async () => {
  const old = await issue();
  const rotated = await desk.record(['keys', 'rotate', old.id, '--grace-period', '2h']);
  const endsAt = new Date(stack.clock.now() + 7_200_000).toISOString();
  expect(rotated.oldEndsAt).toBe(endsAt);
  expect(await listed(old.id)).toMatchObject({ enabled: true, expiresAt: endsAt });
  expect(await listed(String(rotated.id))).not.toHaveProperty('expiresAt');
  await stack.clock.advance(7_200_000 - 5_000);
  expect((await chat(old.key)).status).toBe(200);
  await stack.clock.advance(5_000);
  expect((await chat(old.key)).status).toBe(403);
  expect((await chat(String(rotated.key))).status).toBe(200);
});

test('a grace period extends no key, and a key without one shows none', async () => {
  const old = await issue('--expires', '2026-11-22');
  const rotated = await desk.record(['keys', 'rotate', old.id, '--grace-period', '7d']);
  expect(rotated.oldEndsAt).toBe('2026-11-22T00:00:00.000Z');
  expect(await listed(old.id)).toMatchObject({ expiresAt: '2026-11-22T00:00:00.000Z' });
  const again = await desk.record(['keys', 'rotate', String(rotated.id)]);
  expect(again).not.toHaveProperty('oldEndsAt');
});

test.each(['soon', '0h', '1w', '-1h', ''])('%j is not a grace period', async (grace) => {
  const { id } = await issue();
  const rotate = ['keys', 'rotate', id, `--grace-period=${grace}`, '--config', desk.file];
  const { code, errors } = await desk.run(rotate);
  expect(code).toBe(2);
  expect(errors[0]).toBe(
    `--grace-period must be 1 to 527040 minutes (366 days); as an option, for example 30m, 24h or 7d; it is ${grace === '0h' ? 0 : JSON.stringify(grace)}`,
  );
});

test('a page of keys has their cost, the highest first', async () => {
  const { id, key } = await issue('--note', 'page');
  for (let call = 0; call < 9; call++) expect((await chat(key)).status).toBe(200);
  const page = (...options: readonly string[]) =>
    desk.records(['keys', 'list', '--app', 'search', ...options]);
  expect(await page('--sort=-spent', '--limit', '1')).toMatchObject([
    { id, state: 'active', contact: 'team@acme.example', callsToday: 9 },
  ]);
  expect((await page('--sort=spent')).at(-1)).toMatchObject({ id });
  expect((await page('--find', 'PAGE')).map((each) => each.id)).toEqual([id]);
  expect(await page()).not.toContainEqual(expect.objectContaining({ state: 'active' }));
});
