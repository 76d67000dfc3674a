const runId = 'fake-run-of-agent';

/** Whether a call is that of `runAgent` for the run that holds it to its ceiling. */
export function isOfAgent({
  path,
  headers,
}: {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}): boolean {
  const key = headers['idempotency-key'] ?? '';
  return path === `/runs/${runId}` || (path === '/runs' && /:(re)?run\d*$/.test(key));
}

/** The service's answer to it. */
export function writeAgentRun(): Response {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'fake-request-run' };
  return new Response(JSON.stringify({ runId, endedAt: null }), { status: 201, headers });
}
