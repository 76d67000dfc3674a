import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../src/compose/open-store.ts';
import { createKeyRing, type KeyRing } from '../../src/lib/key-ring.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-ring-'));
  path = join(folder, 'gateway.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const secret = '0123456789abcdef0123456789abcdef';

async function ringOf(ring?: KeyRing, log: Log = silentLog): Promise<KeyRing | undefined> {
  const target = { kind: 'sqlite', path } as const;
  const store = await openStore({ target, ring, log, onDeath: () => undefined });
  await store.close();
  return store.ring;
}

const idsOf = (ring: KeyRing | undefined) => ring?.keys().map(({ id }) => id);

test('a store without the operator’s ring has its own, created once', async () => {
  const first = await ringOf();
  const text = await readFile(`${path}.keys`, 'utf8');
  expect((await stat(`${path}.keys`)).mode & 0o777).toBe(0o600);
  expect(text).toMatch(/^made-[0-9a-f]{8}:[\w-]{43}\n$/);
  expect((await ringOf())?.keys()).toEqual(first?.keys());
  expect(await readFile(`${path}.keys`, 'utf8')).toBe(text);
});

test('concurrent commands create the same ring, and no other file', async () => {
  const rings = await Promise.all(Array.from({ length: 6 }, () => ringOf()));
  expect(new Set(rings.map((ring) => JSON.stringify(ring?.keys()))).size).toBe(1);
  const beside = (await readdir(folder)).filter((file) => file.includes('.keys'));
  expect(beside).toEqual(['gateway.db.keys']);
});

test('the operator’s ring comes before the store’s own, which opens its sealed data', async () => {
  const operators = createKeyRing([{ id: 'k1', secret }]);
  expect(idsOf(await ringOf(operators))).toEqual(['k1']);
  const made = await ringOf();
  const both = await ringOf(operators);
  expect(idsOf(both)).toEqual(['k1', made?.newest]);
  expect(both?.newest).toBe('k1');
});

test('an invalid ring, or a ring that others may read, is reported without a secret', async () => {
  await ringOf();
  await writeFile(`${path}.keys`, secret, { mode: 0o600 });
  const refusal = await ringOf().catch(String);
  expect(refusal).toContain(`${path}.keys is not a valid key ring: key 1 must be ID:SECRET`);
  expect(refusal).not.toContain(secret);
  await writeFile(`${path}.keys`, `k1:${secret}`);
  await chmod(`${path}.keys`, 0o644);
  const warned: string[] = [];
  await ringOf(undefined, { ...silentLog, warn: (_facts, line) => void warned.push(line) });
  expect(warned).toEqual([
    `key ring ${path}.keys has mode 644; other users can read its keys; run chmod 600 on it`,
  ]);
});
