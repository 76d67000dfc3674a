import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../harness/free-port.ts';
import { start } from '../../harness/process.ts';
import { until } from '../../harness/until.ts';
import { createSelfSigned } from '../../packages/server/test/support/self-signed.ts';

/** nginx in front of a gateway. */
export interface Front {
  readonly port: number;
  readonly hostName: string;
  /** The authority that its clients trust. */
  readonly cert: string;
  close(): Promise<void>;
}

const document = fileURLToPath(new URL('../../docs/operations.md', import.meta.url));
const hostName = 'gateway.acme.example';

/** Its folder, its target, and lines of its location in addition to the document. */
export interface FrontOptions {
  readonly folder: string;
  readonly gatewayPort: number;
  readonly more?: string;
}

/** Starts nginx in front of a port, with the configuration of the operators' document. */
export async function startFront(nginx: string, options: FrontOptions): Promise<Front> {
  const { folder } = options;
  const port = await freePort();
  const { key, cert } = createSelfSigned(hostName);
  await mkdir(join(folder, 'logs'), { recursive: true });
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 });
  await writeFile(join(folder, 'cert.pem'), cert);
  const file = join(folder, 'nginx.conf');
  await writeFile(file, await configuration(port, options));
  const argv = ['-p', folder, '-c', file, '-g', 'daemon off;'];
  const front = start(nginx, argv);
  await until(() => !front.isRunning() || isListening(port));
  if (!front.isRunning()) throw new Error(`nginx does not serve: ${front.stderr()}`);
  return { port, hostName, cert, close: async () => void (await front.end()) };
}

/**
 * The document's configuration, with the ports and files of this run, and nginx' required frame.
 */
async function configuration(
  port: number,
  { folder, gatewayPort, more = '' }: FrontOptions,
): Promise<string> {
  const text = await readFile(document, 'utf8');
  const shown = /```nginx\n(.*?)```/s.exec(text)?.[1];
  if (shown === undefined) throw new Error('docs/operations.md shows no configuration of nginx');
  const site = shown
    .replaceAll(/server 127\.0\.0\.1:\d+/g, `server 127.0.0.1:${gatewayPort}`)
    .replace('location / {', `location / { ${more}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${join(folder, 'cert.pem')};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${join(folder, 'key.pem')};`);
  const directories = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${join(folder, name)};`,
  );
  // As root it would give its work to a user who may not read this folder.
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  return `${user}worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log stderr warn;
events {}
http {
  access_log off;
${directories.join('\n')}
${site}
}
`;
}

async function isListening(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}`);
    return true;
  } catch {
    // Nobody listens yet.
    return false;
  }
}
