import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { run } from '../../harness/process.ts';
import { withScope } from '../../harness/scope.ts';
import { until } from '../../harness/until.ts';
import { arm64, buildBase, buildImage, layOutBase, rootFolder } from './base.ts';
import { installContainers, openContainers } from './containers.ts';
import { findingsIn, machinesIn, sharedContents } from './contents.ts';
import { call, locked, startImage } from './start-image.ts';
import { createSteps, expect } from './steps.ts';

const runMsMax = 1_800_000;
const bytesMax = 190_000_000;
const image = 'localhost/model-gateway:check';
const volume = 'model-gateway-data';
const digest = '{{.Digest}}';
const booked = 'reservations of an earlier process were booked as estimated';

await withScope(runMsMax, async (scope) => {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-image-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  await installContainers();
  const containers = await openContainers(scope, join(folder, 'containers'));
  const { podman, tryPodman } = containers;
  const { step, close } = createSteps();
  const start = (more?: readonly string[]) =>
    startImage(containers, { image, volume, ...(more && { more }) });
  const holdsOf = async (name: string) => {
    const list = await podman('exec', name, 'model-gateway', 'holds', 'list', '--json');
    const holds: readonly unknown[] = JSON.parse(list);
    return holds.length;
  };
  const inspect = async (tag: string, format: string) =>
    (await podman('image', 'inspect', '--format', format, tag)).trim();

  const base = await buildBase(containers, join(folder, 'base'), 'localhost/stand-in:26');
  const oci = `${image}-oci`;
  await step('the Dockerfile builds', () =>
    buildImage(containers, { base, tag: oci, format: 'oci' }),
  );
  await step('twice it has one digest', async () => {
    await buildImage(containers, { base, tag: `${image}-again`, format: 'oci' });
    const [one, two] = [await inspect(oci, digest), await inspect(`${image}-again`, digest)];
    expect(one === two, `${one} and ${two}`);
    return one;
  });
  await step('it declares its health check', () =>
    buildImage(containers, { base, tag: image, format: 'docker' }),
  );
  await step('it has at most 190 MB', async () => {
    const bytes = Number(await inspect(image, '{{.Size}}'));
    expect(bytes <= bytesMax, `${bytes} bytes`);
    return `${Math.round(bytes / 1e6)} MB`;
  });
  const root = join(folder, 'mounted');
  await step('it has what runs, and no test, shell, setuid file or other package', async () => {
    const mounted = (await podman('image', 'mount', image)).trim();
    await run('cp', ['--archive', mounted, root]);
    await podman('image', 'unmount', image);
    const findings = findingsIn(root);
    expect(findings.length === 0, findings.slice(0, 20).join('; '));
  });
  await step('for AArch64 it has the same product, and that machine’s Node', async () => {
    const other = join(folder, 'arm64');
    const debian = await layOutBase(other, arm64);
    await assemble(root, join(other, 'image'), debian);
    expect(machinesIn(root).join() === '62', `x86-64 has ${machinesIn(root)}`);
    const machines = machinesIn(join(other, 'image'));
    expect(machines.join() === '183', `AArch64 has ${machines}`);
    const [one, two] = [sharedContents(root), sharedContents(join(other, 'image'))];
    const differing = [...new Set([...one.keys(), ...two.keys()])].filter(
      (path) => one.get(path) !== two.get(path),
    );
    expect(differing.length === 0, differing.slice(0, 20).join(', '));
    return `${one.size} files`;
  });

  let key = '';
  await step('without a configuration it starts, prints a first call, and answers it', async () => {
    const service = await start();
    const log = await service.log();
    key = /mgk_\w+/.exec(log)?.[0] ?? '';
    expect(/^curl -s http:\/\/127\.0\.0\.1:8787\/v1\/chat/m.test(log), log);
    expect((await call(service.url, key)) === 200, 'the call is refused');
    const [user, rights] = await Promise.all([
      podman('exec', service.name, 'node', '--print', 'process.getuid()'),
      podman('top', service.name, 'capeff'),
    ]);
    expect(user.trim() === '1000' && /^none$/m.test(rights.trim()), `${user} ${rights}`);
    await podman('healthcheck', 'run', service.name);
    const listed = await podman('exec', service.name, 'model-gateway', 'keys', 'list', '--json');
    expect(listed.includes('search'), listed);
    const refused = await tryPodman('exec', service.name, '/bin/sh', '-c', 'true');
    expect(refused.code !== 0, 'it has a shell');
    expect((await service.end('TERM')) === 0, 'SIGTERM does not end it with 0');
    return `/health after ${service.startMs} ms`;
  });
  await step('its volume is there for the next one, and kill -9 leaves estimates', async () => {
    const first = await start();
    expect((await call(first.url, key)) === 200, 'the key is lost');
    const lost = call(first.url, key, 'sim-timeout').catch(() => 0);
    await until(async () => (await holdsOf(first.name)) === 1);
    await first.end('KILL');
    expect((await lost) === 0, 'the call was answered');
    const second = await start();
    await until(async () => (await second.log()).includes(booked));
    expect((await holdsOf(second.name)) === 0, 'a hold is left');
    await podman('exec', second.name, 'model-gateway', 'audit', '--json');
    expect((await second.end('TERM')) === 0, 'SIGTERM does not end it with 0');
  });
  await step('SIGHUP makes it reload the file', async () => {
    const config = join(rootFolder, 'deploy/image/gateway.yaml');
    const mount = `${config}:/etc/model-gateway/gateway.yaml:ro`;
    const service = await start(['--volume', mount]);
    await podman('kill', '--signal', 'HUP', service.name);
    await until(async () => (await service.log()).includes('configuration reloaded'));
    expect((await service.end('TERM')) === 0, 'SIGTERM does not end it with 0');
  });
  await step('a folder that it may not write is one line', async () => {
    const data = join(folder, 'data');
    await mkdir(data);
    expect((await stat(data)).uid === process.getuid?.(), 'the folder is somebody else’s');
    const argv = [
      'run',
      '--rm',
      '--no-healthcheck',
      ...locked,
      '--volume',
      `${data}:/var/lib/model-gateway`,
      image,
    ];
    const { code, output } = await tryPodman(...argv);
    expect(code === 1 && output.trim().split('\n').length === 1, `${code}: ${output}`);
    return output.trim();
  });
  close();
});

/** Makes the image of another machine by hand: this machine cannot run that machine's programs. */
async function assemble(made: string, to: string, base: string): Promise<void> {
  const folder = `${to}-build`;
  await mkdir(folder, { recursive: true });
  await run('cp', ['--archive', `${join(made, 'opt/model-gateway')}/.`, folder]);
  await run('cp', ['--archive', join(rootFolder, 'package-lock.json'), folder]);
  const node = join(base, 'usr/local/bin/node');
  const program = join(rootFolder, 'deploy/image/assemble.ts');
  await run(process.execPath, [program, to, '--base', base, '--node', node], { cwd: folder });
}
