import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOf, type Options, start } from '../../harness/process.ts';
import { installProduction } from '../../packages/server/test/support/production-packages.ts';
import { copyOf, execForm, reachesBuilder, stagesOf, textsOf } from '../testing/dockerfile.ts';
import { readRepositoryFile, rootFolder } from '../testing/markdown.ts';

const stages = stagesOf(readRepositoryFile('Dockerfile').replace(/^ARG BASE=.*$/m, ''));
const image = stages.at(-1) ?? [];
const ignored = readRepositoryFile('.dockerignore');
const only = (name: string) => {
  const [first, ...others] = textsOf(image, name);
  expect(others).toEqual([]);
  return first ?? '';
};

// `npm run check:image` builds and runs the parts that need an engine: checks/image.
describe('the Dockerfile', () => {
  test('runs as a user without rights, from its command on', () => {
    const names = image.map(({ name }) => name);
    expect(only('USER')).toBe('1000:1000');
    expect(names.indexOf('USER')).toBeLessThan(names.indexOf('ENTRYPOINT'));
    expect(names).not.toContain('RUN');
    expect(only('FROM')).toBe('scratch');
  });

  test('starts the service without a shell, so SIGTERM reaches it', () => {
    expect(execForm(only('ENTRYPOINT')).slice(0, 2)).toEqual(['node', '--disable-sigusr1']);
    expect(execForm(only('CMD'))).toEqual(['serve']);
    expect(only('STOPSIGNAL')).toBe('SIGTERM');
    for (const run of stages.flatMap((stage) => textsOf(stage, 'RUN'))) execForm(run);
  });

  test('copies existing files that reach the builder', () => {
    const copied = stages.flat().flatMap(({ name, text }) => {
      return name === 'COPY' ? (copyOf(text)?.from ?? []) : [];
    });
    expect(copied.length).toBeGreaterThan(8);
    for (const path of copied) {
      expect([path, existsSync(join(rootFolder, path))]).toEqual([path, true]);
      expect([path, reachesBuilder(ignored, path)]).toEqual([path, true]);
    }
  });

  test('has the Node that the tests run on, and installs nothing for development', () => {
    const [major] = process.versions.node.split('.');
    const [base] = /^ARG BASE=(.*)$/m.exec(readRepositoryFile('Dockerfile'))?.slice(1) ?? [];
    expect(base).toBe(`docker.io/library/node:${major}-slim`);
    const [install] = textsOf(stages[0] ?? [], 'RUN').map(execForm);
    expect(install).toEqual(expect.arrayContaining(['ci', '--omit=dev', '--ignore-scripts']));
  });
});

test('no configuration, no data and no secret reaches the builder', () => {
  const secrets = ['gateway.yaml', 'gateway.env', 'data/gateway.db', '.git/config', 'backup.db'];
  const ballast = ['node_modules/pg/package.json', 'packages/server/test/cli', 'docs'];
  for (const path of [...secrets, ...ballast, 'deploy/compose/secrets/ca.pem']) {
    expect([path, reachesBuilder(ignored, path)]).toEqual([path, false]);
  }
});

/** A user without rights on any machine. */
const nobody = 65_534;
const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

let folder: string;
const inImage = (path: string) => join(folder, 'image', path);
const workdir = () => inImage(only('WORKDIR'));
const dataFolder = () => inImage(only('VOLUME'));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-image-'));
  await chmod(folder, 0o755);
  await layOut();
});
afterAll(async () => {
  await forFolders(folder, 0o755);
  await rm(folder, { recursive: true, force: true });
});

/** The files of the last stage, made by its own program. */
async function layOut() {
  const build = join(folder, 'build');
  await mkdir(build, { recursive: true });
  const filter = (source: string) =>
    source.startsWith(join(rootFolder, 'packages/console/dist')) ||
    reachesBuilder(ignored, source.slice(rootFolder.length));
  for (const path of ['package.json', 'package-lock.json', 'LICENSE', 'packages']) {
    await cp(join(rootFolder, path), join(build, path), { recursive: true, filter });
  }
  installProduction(build);
  const program = join(rootFolder, 'deploy/image/assemble.ts');
  const made = await endOf(process.execPath, [program, join(folder, 'image')], { cwd: build });
  expect(made).toMatchObject({ code: 0, stdout: '', stderr: '' });
  if (asNobody.uid !== undefined) await chown(dataFolder(), nobody, nobody);
  await writeFile(join(workdir(), 'gateway.yaml'), yaml());
  await forFolders(inImage('opt'), 0o555);
}

const yaml = () => `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: "sqlite:${dataFolder()}/gateway.db"
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

async function forFolders(path: string, mode: number): Promise<void> {
  await chmod(path, mode);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await forFolders(join(path, entry.name), mode);
  }
}

/** Words of the Dockerfile as the image runs them: with its user, folder and environment. */
function inIt(words: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const env = { NODE_ENV: 'production', PATH: inImage('usr/local/bin'), ...more };
  const [program = '', ...rest] = words.map((word) => {
    return word.startsWith('/opt/') ? inImage(word) : word;
  });
  const options: Options = { ...asNobody, cwd: workdir(), env };
  return [inImage(`usr/local/bin/${program}`), rest, options] as const;
}

describe('the layout of the image', () => {
  test('lets its user write the data folder, and nothing of the product', async () => {
    const write = (path: string) =>
      endOf(...inIt(['node', '-e', `require('node:fs').writeFileSync('${path}/probe', '')`]));
    const refused = await write(inImage('opt/model-gateway/packages/server/src'));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('EACCES')]);
    expect(await write(dataFolder())).toMatchObject({ code: 0 });
  });

  test('starts, answers a call, is healthy, and stops with 0', async () => {
    const words = [...execForm(only('ENTRYPOINT')), ...execForm(only('CMD'))];
    const service = start(...inIt(words));
    await service.printed(/^curl .*\n/m);
    const url = /http:\S+/.exec(service.stdout())?.[0] ?? '';
    const key = /mgk_\w+/.exec(service.stdout())?.[0] ?? '';

    const probe = execForm(only('HEALTHCHECK').replace(/^.* CMD /, ''));
    const healthy = await endOf(...inIt(probe, { GATEWAY_PORT: new URL(url).port }));
    expect(healthy).toMatchObject({ code: 0 });
    const away = await endOf(...inIt(probe, { GATEWAY_PORT: '9' }));
    expect(away).toMatchObject({ code: 1 });

    const messages = [{ role: 'user', content: 'Hello' }];
    const answer = await fetch(`${url}/v1/chat`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sim-echo', maxTokens: 50, messages }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { text: 'Hello' }]);

    const code = await service.end('SIGTERM');
    expect([code, service.stderr()]).toEqual([0, expect.stringContaining('"stopped"')]);
    expect(service.stderr()).not.toContain('runs as root');
  });
});
