import type { Stack } from '../../support/stack.ts';

/** A request of a client of either vendor, and its result so far. */
export interface RawCaller {
  status(): number;
  header(name: string): string | null;
  text(): string;
  /** Lets time pass until the condition is true. */
  until(isSo: () => boolean): Promise<void>;
  /** Lets time pass until it has ended, with or without an error. */
  untilEnd(): Promise<void>;
  leave(): void;
}

/** Sends a request with the app's key as a bearer token, and reads the response as it arrives. */
export async function startRaw(
  stack: Stack,
  app: string,
  path: string,
  { text, headers = {} }: { readonly text: string; readonly headers?: Record<string, string> },
): Promise<RawCaller> {
  const authorization = `Bearer ${await stack.key(app)}`;
  const leaving = new AbortController();
  let head: Response | undefined;
  let seen = '';
  let isEnded = false;
  let changed = Promise.withResolvers<void>();
  const work = read().then(end, end);
  return {
    status: () => head?.status ?? 0,
    header: (name) => head?.headers.get(name) ?? null,
    text: () => seen,
    until: (isSo) => stack.clock.run(wait(isSo)),
    untilEnd: () => stack.clock.run(work),
    leave: () => leaving.abort(new Error('the caller has left')),
  };

  async function read() {
    head = await stack.fetch(`http://gateway.test${path}`, {
      ...{ method: 'POST', body: text, signal: leaving.signal },
      headers: { authorization, 'content-type': 'application/json', ...headers },
    });
    const decoder = new TextDecoder();
    for await (const bytes of head.body ?? []) {
      seen += decoder.decode(bytes, { stream: true });
      change();
    }
  }

  async function wait(isSo: () => boolean) {
    while (!isSo()) {
      if (isEnded) throw new Error(`it ended before it came to it: ${head?.status} ${seen}`);
      await changed.promise;
    }
  }

  function end() {
    isEnded = true;
    change();
  }

  function change() {
    changed.resolve();
    changed = Promise.withResolvers();
  }
}
