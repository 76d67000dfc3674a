import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../../../harness/free-port.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL from which the workers of a run request the URL of its PostgreSQL. */
    readonly postgresPort: number;
  }
}

/** No test on this server proves durability. Its 100 connections would not do for 8 workers. */
const settings = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  'max_connections=500',
];

/**
 * Runs one PostgreSQL for all workers. The first request for its URL starts it, because most runs
 * of a single file need none.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | undefined;
  const desk = createServer((_request, response) => {
    started ??= freePort().then((own) => startPostgresServer(own, settings));
    started.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const port = await freePort();
  await once(desk.listen(port, '127.0.0.1'), 'listening');
  project.provide('postgresPort', port);
  return async () => {
    desk.close();
    await (await started?.catch(() => undefined))?.close();
  };
}
