import { freePort } from '../../harness/free-port.ts';
import { until } from '../../harness/until.ts';
import type { Containers } from './containers.ts';

/** The image in a container, as the documents run it: only its volume is writable. */
export interface RunningImage {
  readonly url: string;
  readonly name: string;
  /** From the command to the first response of `/health`. */
  readonly startMs: number;
  log(): Promise<string>;
  /** Sends a signal, waits for the end, and returns the exit code. */
  end(signal: 'TERM' | 'KILL'): Promise<number>;
}

export const locked = [
  ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
];

/** Starts an image with a volume at its data folder, and waits until it responds. */
export async function startImage(
  containers: Containers,
  parts: { readonly image: string; readonly volume: string; readonly more?: readonly string[] },
): Promise<RunningImage> {
  const { image, volume, more = [] } = parts;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const name = `model-gateway-${port}`;
  const from = performance.now();
  const { podman } = containers;
  await podman(
    ...['run', '--detach', '--name', name, ...locked, '--stop-timeout', '35'],
    ...['--publish', `127.0.0.1:${port}:8787`, '--volume', `${volume}:/var/lib/model-gateway`],
    ...[...more, image],
  );
  const log = () => containers.tryPodman('logs', name).then(({ output }) => output);
  await until(() => isHealthy(url)).catch(async () => {
    throw new Error(`it does not serve: ${await log()}`);
  });
  return {
    ...{ url, name, log, startMs: Math.round(performance.now() - from) },
    async end(signal) {
      await podman('kill', '--signal', signal, name);
      return Number(await podman('wait', name));
    },
  };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    // Nobody listens yet.
    return false;
  }
}

/** A call with the simulator's model; returns the status. */
export async function call(url: string, key: string, model = 'sim-echo'): Promise<number> {
  const messages = [{ role: 'user', content: 'Hello' }];
  const answer = await fetch(`${url}/v1/chat`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ model, maxTokens: 50, messages }),
  });
  await answer.arrayBuffer();
  return answer.status;
}
