import { type Send, TransportFailure } from './transport.ts';

/** In a call the workspace that is to pay for it, in its answer the one that does. */
export const workspaceHeader = 'anthropic-workspace-id';

/**
 * Sends no further call of a workspace for which another one was billed. A key that belongs to one
 * workspace passes over the header, so that the calls of all apps would be paid by that one.
 */
export function createWorkspaceWatch(send: Send): Send {
  const payers = new Map<string, string>();
  return async (request) => {
    const named = request.headers[workspaceHeader];
    const payer = payers.get(named ?? '');
    if (payer !== undefined) throw misbilled(named, payer);
    const response = await send(request);
    const paying = response.headers[workspaceHeader];
    if (named !== undefined && paying !== undefined && paying !== named) payers.set(named, paying);
    return response;
  };
}

function misbilled(named: string | undefined, payer: string) {
  const message = `a call of the workspace ${named} was billed to ${payer}; use a key of the whole organization, or a platform for each workspace with its own key, then start again`;
  const parts = { kind: 'no-credentials', causeCode: 'OTHER_WORKSPACE', message } as const;
  return new TransportFailure({ ...parts, wasSent: false, answer: undefined });
}
