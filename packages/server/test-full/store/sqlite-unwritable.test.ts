import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { findStorePath } from '../../src/store/sqlite/file/find-store-path.ts';
import { lockSqliteStore } from '../../src/store/sqlite/file/lock.ts';
import { runBin } from '../../test/cli/support/bin.ts';

const parts = { log: silentLog };
const nobody = 65_534;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-unwritable-'));
});
afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true, force: true });
});

/** Runs work as an unprivileged user: root may write anywhere. */
function asNobody(work: () => unknown): unknown {
  const { geteuid, seteuid } = process;
  if (geteuid === undefined || seteuid === undefined || geteuid() !== 0) return work();
  seteuid(nobody);
  try {
    return work();
  } finally {
    seteuid(0);
  }
}

const yamlOn = (store: string) => `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: "sqlite:${store}"
platforms: { sandbox: { kind: simulator } }
`;

test.each(['serve', 'audit'])(
  '%s on a store that cannot be created ends in one line',
  async (word) => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await mkdir(join(folder, 'taken.db.lock'));
    await mkdir(join(folder, 'folder.db'));
    const cases = [
      [
        join(file, 'gateway.db'),
        /^the folder of the store, \S+\/file, cannot be created \(E\w+\); give /,
      ],
      [join(folder, 'folder.db'), /^the store \S+\/folder.db is a folder; use a file in it$/],
      ...(word === 'serve'
        ? ([
            [join(folder, 'taken.db'), /^the store's file \S+.lock cannot be written \(EISDIR\)/],
          ] as const)
        : []),
    ] as const;
    for (const [store, line] of cases) {
      await writeFile(join(folder, 'gateway.yaml'), yamlOn(store));
      const { code, out, errors } = await runBin([word], { cwd: folder });
      expect({ code, out }).toEqual({ code: 1, out: '' });
      const last = errors.trimEnd().split('\n').at(-1);
      expect(last).toMatch(line);
      expect(errors).not.toMatch(/\bat .*:\d+:\d+/);
    }
  },
);

test('a folder of another user is named, with the user that lacks access', async () => {
  const path = join(folder, 'gateway.db');
  await chmod(folder, 0o555);
  const user = process.geteuid?.() === 0 ? nobody : process.geteuid?.();
  expect(() => asNobody(() => findStorePath(join(folder, 'data/gateway.db'), parts))).toThrow(
    `the folder of the store, ${folder}/data, cannot be created (EACCES); give the user ${user} write access, or use another path for the store`,
  );
  expect(() => asNobody(() => lockSqliteStore(path, parts))).toThrow(
    `the store's file ${path}.lock cannot be created (EACCES); give the user ${user} `,
  );
});
