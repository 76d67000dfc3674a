import { isFailure, type Send, type TransportFailure } from '../http/transport.ts';

/** In a call the workspace to bill, in its answer the billed one. */
export const workspaceHeader = 'anthropic-workspace-id';

/**
 * Stops calls of a workspace after another was billed. A key bound to one workspace ignores the
 * header, so it would pay for all apps.
 */
export function createWorkspaceWatch(send: Send): Send {
  const payers = new Map<string, string>();
  return async (request) => {
    const named = request.headers[workspaceHeader];
    const payer = payers.get(named ?? '');
    if (payer !== undefined) return misbilled(named, payer);
    const response = await send(request);
    if (isFailure(response)) return response;
    const paying = response.headers[workspaceHeader];
    if (named !== undefined && paying !== undefined && paying !== named) payers.set(named, paying);
    return response;
  };
}

function misbilled(named: string | undefined, payer: string): TransportFailure {
  const message = `a call of the workspace ${named} was billed to ${payer}; use a key of the whole organization, or a platform for each workspace with its own key, then start again`;
  return {
    kind: 'no-credentials',
    wasSent: false,
    causeCode: 'OTHER_WORKSPACE',
    message,
    answer: undefined,
  };
}
