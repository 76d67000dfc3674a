// A stand-in for `git clone ADDRESS FOLDER`: copies this working tree as it is, to test uncommitted
// changes too.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from '../../../harness/process.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const [command, , folder] = process.argv.slice(2);
if (command !== 'clone' || folder === undefined) throw new Error('say: git clone ADDRESS FOLDER');
const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
const paths = (await run('git', list, { cwd: root })).split('\0');
for (const path of paths) {
  if (path !== '') await cp(join(root, path), join(folder, path));
}
