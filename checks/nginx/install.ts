import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const installMs = 120_000;

/** The path of an nginx: the machine's, or else Debian's package unpacked into a folder. */
export async function findNginx(folder: string): Promise<string> {
  for (const path of ['nginx', '/usr/sbin/nginx']) {
    if (await runs(path)) return path;
  }
  const at = { cwd: folder, timeout: installMs };
  await execute('apt-get', ['download', 'nginx'], at).catch(async () => {
    // A machine that has never asked knows no package.
    await execute('apt-get', ['update'], at);
    await execute('apt-get', ['download', 'nginx'], at);
  });
  const file = (await readdir(folder)).find((name) => /^nginx_.*\.deb$/.test(name)) ?? '';
  await execute('dpkg-deb', ['--extract', file, 'nginx'], at);
  const path = join(folder, 'nginx/usr/sbin/nginx');
  if (await runs(path)) return path;
  throw new Error('nginx of Debian does not run here: install nginx, and call this again');
}

async function runs(path: string): Promise<boolean> {
  try {
    await execute(path, ['-v']);
    return true;
  } catch {
    // It is not there, or lacks a library.
    return false;
  }
}
