import { chownSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { takeBase } from './base.ts';
import { billOf, type Lock } from './bill.ts';
import { copyTree, isRead, makeFolder, putFile } from './files.ts';

const user = 1_000;
const product = 'opt/model-gateway';

/** The runtime parts: their sources, and the built pages of the console. */
const parts = [
  ...['contract/src', 'lab/src', 'sdk/src', 'server/src', 'server/bin', 'simulator/src'],
  ...['console/dist', 'console/package.json', 'contract/package.json', 'lab/package.json'],
  ...['sdk/package.json', 'server/package.json', 'simulator/package.json'],
].map((path) => `packages/${path}`);

/** Makes the root folder of the image, of a repository with its packages, in an empty folder. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // The root of Debian, and its Node: this machine's by default.
    base: { type: 'string', default: '/' },
    node: { type: 'string', default: process.execPath },
  },
});
const [image] = positionals;
if (image === undefined) throw new Error('write the folder that is to be the root of the image');
assemble(resolve(image));

function assemble(to: string): void {
  const folder = process.cwd();
  putProduct(folder, join(to, product));
  putFolders(to);
  const { packages: debian } = takeBase(values.base, values.node, to);
  const lock: Lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  putFile(join(to, 'usr/share/model-gateway/sbom.spdx.json'), billOf(lock, debian));
}

function putProduct(from: string, to: string): void {
  for (const name of ['package.json', 'LICENSE']) {
    putFile(join(to, name), readFileSync(join(from, name)));
  }
  copyTree(join(from, 'node_modules'), join(to, 'node_modules'), isRead);
  for (const path of parts) {
    if (!existsSync(join(from, path))) throw new Error(`${path} is not there`);
    makeFolder(join(to, path, '..'));
    copyTree(join(from, path), join(to, path), isRead);
  }
  const { COMMIT: gitHead = '' } = process.env;
  if (gitHead === '') return;
  const manifest = 'packages/server/package.json';
  const published = JSON.parse(readFileSync(join(from, manifest), 'utf8'));
  putFile(join(to, manifest), `${JSON.stringify({ ...published, gitHead }, null, 2)}\n`);
}

/** The requirements of a program without a Debian around it, and the writable folders. */
function putFolders(to: string): void {
  const name = 'model-gateway';
  const home = `/var/lib/${name}`;
  putFile(
    join(to, 'etc/passwd'),
    `root:x:0:0:root:/:/nologin\n${name}:x:${user}:${user}::${home}:/nologin\n`,
  );
  putFile(join(to, 'etc/group'), `root:x:0:\n${name}:x:${user}:\n`);
  putFile(join(to, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
  const file = new URL('gateway.yaml', import.meta.url);
  putFile(join(to, 'etc/model-gateway/gateway.yaml'), readFileSync(file));
  // Commands in a container: only the script's first line can name its program.
  const command = `#!/usr/local/bin/node\nimport('/${product}/packages/server/bin/${name}.js');\n`;
  putFile(join(to, 'usr/local/bin', name), command, 0o755);
  makeFolder(join(to, 'tmp'), 0o1777);
  makeFolder(join(to, home), 0o700);
  if (process.getuid?.() === 0) chownSync(join(to, home), user, user);
}
