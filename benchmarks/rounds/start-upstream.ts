import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from '../../harness/scope.ts';
import { startServer } from '../../harness/server.ts';
import { createSelfSigned } from '../../packages/server/test/support/self-signed.ts';
import { scriptPath } from '../processes/script-path.ts';
import type { Scenario } from './scenario.ts';

export interface Upstream {
  readonly pid: number;
  readonly url: string;
  /** The environment with which a process trusts the upstream's certificate. */
  readonly environment: Readonly<Record<string, string>>;
  count(): Promise<number>;
}

/** Starts the upstream; for TLS, with a certificate that is made here. */
export async function startUpstream(
  scope: Scope,
  { scenario, folder }: { readonly scenario: Scenario; readonly folder: string },
): Promise<Upstream> {
  const { operation, upstreamMs } = scenario;
  const upstreamArguments = ['--delay-ms', String(upstreamMs), '--operation', operation];
  const argv = [scriptPath('upstream.ts'), ...upstreamArguments];
  if (!scenario.isUpstreamTls) {
    const { pid, url } = await startServer(scope, { argv });
    return { pid, url, environment: {}, count: () => numberAt(url) };
  }
  const host = 'localhost';
  const { key, cert } = createSelfSigned(host);
  mkdirSync(folder, { recursive: true });
  const keyFile = join(folder, 'upstream-key.pem');
  const certFile = join(folder, 'upstream-cert.pem');
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(certFile, cert);
  const secured = [...argv, '--tls-key', keyFile, '--tls-cert', certFile];
  const { pid, url } = await startServer(scope, { argv: secured });
  return {
    pid,
    url: `https://${host}:${await numberAt(`${url}/tls-port`)}`,
    environment: { NODE_EXTRA_CA_CERTS: certFile },
    count: () => numberAt(url),
  };
}

async function numberAt(url: string): Promise<number> {
  const response = await fetch(url);
  return Number(await response.text());
}
