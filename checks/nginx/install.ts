import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run, runs } from '../../harness/process.ts';

/** The path of an nginx: the machine's, or else Debian's package unpacked into a folder. */
export async function findNginx(folder: string): Promise<string> {
  for (const path of ['nginx', '/usr/sbin/nginx']) {
    if (await runs(path, ['-v'])) return path;
  }
  const at = { cwd: folder };
  await run('apt-get', ['download', 'nginx'], at).catch(async () => {
    // Without an earlier update, apt lists no package.
    await run('apt-get', ['update'], at);
    await run('apt-get', ['download', 'nginx'], at);
  });
  const file = (await readdir(folder)).find((name) => /^nginx_.*\.deb$/.test(name)) ?? '';
  await run('dpkg-deb', ['--extract', file, 'nginx'], at);
  const path = join(folder, 'nginx/usr/sbin/nginx');
  if (await runs(path, ['-v'])) return path;
  throw new Error('nginx of Debian does not run here: install nginx, and call this again');
}
