import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { run } from '../../harness/process.ts';
import { withScope } from '../../harness/scope.ts';
import { until } from '../../harness/until.ts';
import { buildBase, buildImage, rootFolder } from '../image/base.ts';
import { installContainers, openContainers } from '../image/containers.ts';
import { createSteps, expect } from '../image/steps.ts';
import { startDeployment } from './deployment.ts';
import { buildStandIns, findPromtool } from './stand-ins.ts';

const runMsMax = 1_800_000;
const image = 'localhost/model-gateway:compose';
const replicas = ['gateway-1', 'gateway-2'] as const;
const stopSeconds = '35';
/** The time between one replica's start and the next one's stop, and at both ends. */
const wholeMs = 3_000;

await withScope(runMsMax, async (scope) => {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-compose-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  await installContainers();
  const containers = await openContainers(scope, join(folder, 'containers'));
  const { podman, tryPodman } = containers;
  const { step, close } = createSteps();
  const base = await buildBase(containers, join(folder, 'base'), 'localhost/stand-in:26');
  await buildImage(containers, { base, tag: image, format: 'oci' });
  await buildStandIns(containers, join(folder, 'stand-ins'));
  const deployment = await startDeployment(scope, containers, { folder, image });
  const { curl, url, container } = deployment;
  const model = (service: string, ...argv: readonly string[]) =>
    podman('exec', container(service), 'model-gateway', ...argv, '--json');
  const holds = () => model('gateway-2', 'holds', 'list');
  const logOf = async (service: string) => (await tryPodman('logs', container(service))).output;
  const isReady = async (service: string) => {
    const readyScript =
      "fetch('http://127.0.0.1:8788/ready').then(({status})=>process.exit(status-200))";
    const { code } = await tryPodman('exec', container(service), 'node', '--eval', readyScript);
    return code === 0;
  };

  let key = '';
  await step('it starts with TLS and prints a first call, which succeeds', async () => {
    for (const service of replicas) await until(() => isReady(service));
    const log = await logOf('gateway-1');
    key = /mgk_\w+/.exec(log)?.[0] ?? /mgk_\w+/.exec(await logOf('gateway-2'))?.[0] ?? '';
    expect(key !== '', 'no key is shown');
    const body = { model: 'sim-echo', maxTokens: 50, messages: [{ role: 'user', content: 'Hi' }] };
    const json = ['--header', 'content-type: application/json', '--data', JSON.stringify(body)];
    const answer = await curl(`${url}/v1/chat`, '--header', `x-api-key: ${key}`, ...json);
    expect(answer.includes('"text":"Hi"'), answer);
  });
  await step('a replica that is killed leaves estimates, and no caller sees it', async () => {
    const end = deployment.startLoad(key);
    await sleep(wholeMs);
    // It goes directly to the replica that is killed: the replica ends while it waits for the
    // platform.
    const callScript = `fetch('http://127.0.0.1:8787/v1/chat', ${JSON.stringify(slowCall(key))})`;
    const lost = tryPodman('exec', container('gateway-1'), 'node', '--eval', callScript);
    await until(async () => (await holds()).includes('sim-slow'));
    await podman('kill', '--signal', 'KILL', container('gateway-1'));
    await sleep(wholeMs);
    await podman('start', container('gateway-1'));
    await until(() => isReady('gateway-1'));
    const { answered, failed } = await end();
    await lost;
    await until(async () => (await holds()).trim() === '[]');
    const { totals } = JSON.parse(await model('gateway-2', 'usage', 'search'));
    expect(totals.estimatedUsd !== '0', 'nothing is booked as estimated');
    await model('gateway-2', 'audit');
    expect(failed.length === 0, `${failed.length} failed: ${[...new Set(failed)].join(', ')}`);
    return `${answered} calls`;
  });
  await step('a rolling restart at 100 calls a second fails no call', async () => {
    const end = deployment.startLoad(key);
    for (const service of replicas) {
      await sleep(wholeMs);
      await podman('stop', '--time', stopSeconds, container(service));
      const code = await podman('inspect', '--format', '{{.State.ExitCode}}', container(service));
      expect(code.trim() === '0', `${service} ended with ${code}`);
      await podman('start', container(service));
      await until(() => isReady(service));
    }
    await sleep(wholeMs);
    const { answered, failed } = await end();
    await model('gateway-1', 'audit');
    expect(failed.length === 0, `${failed.length} failed: ${[...new Set(failed)].join(', ')}`);
    return `${answered} calls`;
  });
  await step('Prometheus takes its files, and Grafana’s are what it reads', async () => {
    const promtool = await findPromtool(join(folder, 'prometheus'));
    const of = (path: string) => join(rootFolder, path);
    await run(promtool, ['check', 'rules', of('docs/alerts.yml')]);
    const config = ['check', 'config', '--syntax-only', of('deploy/compose/prometheus.yml')];
    await run(promtool, config);
    const read = async (path: string) => readFile(of(path), 'utf8');
    const { datasources } = parse(await read('deploy/compose/grafana/datasource.yaml'));
    const { providers } = parse(await read('deploy/compose/grafana/dashboards.yaml'));
    const { panels } = JSON.parse(await read('docs/grafana-dashboard.json'));
    expect(datasources.length + providers.length === 2 && panels.length > 5, 'they are not whole');
  });
  close();
});

/** A call that takes some seconds at the simulator. */
function slowCall(key: string) {
  const messages = [{ role: 'user', content: 'Hello' }];
  return {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sim-slow', maxTokens: 50, messages }),
  };
}
