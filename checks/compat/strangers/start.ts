import type { Scope } from '../../../harness/scope.ts';
import { startOnPort } from '../../../harness/server.ts';
import type { Stranger } from './stranger.ts';

/** Starts a server on a free port and gives its URL once it answers. */
export async function startStranger(
  scope: Scope,
  { stranger, folder }: { readonly stranger: Stranger; readonly folder: string },
): Promise<string> {
  const command = (port: number) => stranger.command({ folder, port });
  return (await startOnPort(scope, { command, readyPath: '/health' })).url;
}
