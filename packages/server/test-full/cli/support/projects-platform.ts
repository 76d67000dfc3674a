import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { pause } from '../../../../../harness/pause.ts';

export interface MadeProject {
  readonly id: string;
  readonly name: string;
  readonly status: 'active';
}

/** A Projects API on a socket that allows two projects with one name, as some platforms do. */
export interface ProjectsPlatform {
  readonly url: string;
  readonly projects: readonly MadeProject[];
  requests(): number;
  /** After this number of creations it drops connections without a response. */
  goAwayAfter(creations: number): void;
  comeBack(): void;
  close(): Promise<void>;
}

/** Starts on a free port; every response takes `answerMs`, so two clients overlap. */
export async function startProjectsPlatform(answerMs: number): Promise<ProjectsPlatform> {
  const projects: MadeProject[] = [];
  let creationsLeft = Number.POSITIVE_INFINITY;
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests += 1;
    const body = await text(request);
    // The list has the state at the time of the request, as with a slow front end.
    const listed = [...projects];
    await pause(answerMs);
    const isCreation = request.method === 'POST';
    if (creationsLeft <= 0) {
      request.socket.destroy();
      return;
    }
    response.setHeader('content-type', 'application/json');
    if (!isCreation) {
      response.end(JSON.stringify({ object: 'list', data: listed, has_more: false }));
      return;
    }
    creationsLeft -= 1;
    const { name } = JSON.parse(body);
    const project = { id: `proj_${projects.length + 1}`, name, status: 'active' } as const;
    projects.push(project);
    response.end(JSON.stringify(project));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    projects,
    requests: () => requests,
    goAwayAfter(creations) {
      creationsLeft = creations;
    },
    comeBack() {
      creationsLeft = Number.POSITIVE_INFINITY;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
