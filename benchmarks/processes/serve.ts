import type { Server } from 'node:net';
import process from 'node:process';

/**
 * Listens on a free port of this machine and prints the URL. Ends with SIGTERM, or when the parent
 * process has ended.
 */
export function serveUntilParentEnds(server: Server) {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no port to listen on');
    process.stdout.write(`ready at http://127.0.0.1:${address.port}\n`);
  });
  // Ended only by a signal, Node would write no profile.
  for (const end of ['SIGTERM', 'disconnect'] as const) process.on(end, () => process.exit());
}
