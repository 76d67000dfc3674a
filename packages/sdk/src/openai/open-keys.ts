import { createHash } from 'node:crypto';
import type { AskedRequest } from './read-asked.ts';

/** The keys of failed calls whose answer may still come, by what they asked. */
export interface OpenKeys {
  /** The key of such a call, for one that its client makes again; it is given to one alone. */
  claim(asked: AskedRequest): string | undefined;
  /** Keeps the key of a call that failed. */
  keep(asked: AskedRequest, key: string): void;
}

const keysMax = 1_000;

/** An empty list; of more than 1,000 keys the oldest goes. */
export function createOpenKeys(): OpenKeys {
  const open: { readonly digest: string; readonly key: string }[] = [];
  return {
    claim(asked) {
      // The clients that say so count their own retries.
      if (!/^[1-9]/.test(asked.headers.get('x-stainless-retry-count') ?? '')) return undefined;
      const digest = digestOf(asked);
      const index = open.findIndex((each) => each.digest === digest);
      return index < 0 ? undefined : open.splice(index, 1)[0]?.key;
    },
    keep(asked, key) {
      open.push({ digest: digestOf(asked), key });
      if (open.length > keysMax) open.shift();
    },
  };
}

/** What makes two requests one for the gateway, which refuses another under the same key. */
function digestOf({ method, path, headers, body = '' }: AskedRequest): string {
  const head = JSON.stringify([method, path, headers.get('x-user-id')]);
  return createHash('sha256').update(head).update(body).digest('base64');
}
