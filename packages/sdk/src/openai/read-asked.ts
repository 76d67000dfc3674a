/** What a client of OpenAI's API asks its fetch. */
export interface AskedRequest {
  readonly method: string;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly headers: Headers;
  /** As it came, byte for byte. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal | undefined;
  /** All that it was given beside the URL, such as a dispatcher. */
  readonly init: RequestInit;
}

/** Reads what fetch was given; throws a TypeError for a URL outside the base, which has no key. */
export async function readAsked(
  baseUrl: string,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<AskedRequest> {
  // The signal is listened to once for all attempts, and not by this copy.
  const request = new Request(input, { ...init, signal: null });
  const { origin, pathname, search } = new URL(request.url);
  const url = origin + pathname;
  if (!url.startsWith(`${baseUrl}/`)) {
    throw new TypeError(
      `openai: ${url} is outside of ${baseUrl}, and would get the API key; give the client this ` +
        'baseURL',
    );
  }
  return {
    method: request.method,
    path: url.slice(baseUrl.length) + search,
    headers: request.headers,
    body: await readBytes(request, init),
    signal: init.signal ?? (input instanceof Request ? input.signal : undefined),
    init,
  };
}

async function readBytes(request: Request, { body }: RequestInit): Promise<AskedRequest['body']> {
  if (typeof body === 'string') return body;
  return request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
}
