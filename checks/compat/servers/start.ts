import type { Scope } from '../../../harness/scope.ts';
import { startOnPort } from '../../../harness/server.ts';
import type { ForeignServer } from './foreign-server.ts';

/** Starts a server on a free port and returns its URL once it responds. */
export async function startForeignServer(
  scope: Scope,
  { server, folder }: { readonly server: ForeignServer; readonly folder: string },
): Promise<string> {
  const command = (port: number) => server.command({ folder, port });
  return (await startOnPort(scope, { command, readyPath: '/health' })).url;
}
