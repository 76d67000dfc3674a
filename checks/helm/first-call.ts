import { run } from '../../harness/process.ts';
import { until } from '../../harness/until.ts';
import type { Containers } from '../image/containers.ts';
import { expect } from '../image/steps.ts';
import type { PlayedPod } from './cluster.ts';

const forwarded = 'http://127.0.0.1:8787';

export function commandsOf(notes: string): readonly string[] {
  const lines = notes.split('\n').filter((line) => line.startsWith('  '));
  return lines.map((line) => line.trim());
}

/**
 * Follows the notes of an installation on a pod: issues a key with their command, and makes their
 * call. Returns the same call with the same key, for another pod.
 */
export async function firstCall(
  { podman }: Containers,
  { notes, pod }: { readonly notes: string; readonly pod: PlayedPod },
): Promise<(pod: PlayedPod) => Promise<void>> {
  const commands = commandsOf(notes);
  const issue = commands.find((line) => line.includes(' exec '))?.split(' -- ')[1] ?? '';
  const curl = commands.at(-1) ?? '';
  expect(curl.startsWith(`curl -s ${forwarded}/`), `the notes end in ${curl}`);
  const argv = issue.replace('YOU@YOUR-COMPANY', 'team@acme.example').split(' ');
  const output = await podman('exec', pod.container, ...argv);
  const key = /mgk_\w+/.exec(output)?.[0];
  expect(key !== undefined, `${issue} says ${output}`);
  const call = async ({ url }: PlayedPod) => {
    const command = curl.replace(forwarded, url).replace('KEY', String(key));
    // A replica accepts a key of another replica within a second.
    await until(async () =>
      (await run('sh', ['-c', command])).includes('"text":"Hello, gateway!"'),
    );
  };
  await call(pod);
  return call;
}

/** The pod's user, and its writable paths. */
export async function inspectPod({ podman, tryPodman }: Containers, pod: PlayedPod) {
  const inside = (script: string) => ['exec', pod.container, 'node', '--print', script];
  const user = (await podman(...inside('process.getuid()'))).trim();
  const rights = (await podman('top', pod.container, 'capeff')).trim();
  expect(user === '1000' && /^none$/m.test(rights), `user ${user}, rights ${rights}`);
  const write = (path: string) => tryPodman(...inside(`fs.writeFileSync('${path}', '')`));
  expect((await write('/tmp/written')).code === 0, '/tmp cannot be written');
  const refused = await write('/etc/model-gateway/written');
  expect(refused.output.includes('EROFS'), `the configuration: ${refused.output}`);
  const root = await write('/opt/written');
  expect(root.output.includes('EROFS'), `the root: ${root.output}`);
}
