import type { Part } from '@model-gateway/contract';
import type { CompletionRequest } from '../../../../calls/model-operations/completion.ts';

type VerbatimParts = NonNullable<CompletionRequest['asked']['verbatim']>;

/** Parts of a body that go to the platform as they are, and the path of the first. */
export interface RemoteParts {
  readonly parts: VerbatimParts;
  readonly path: string | undefined;
  /** What stands in the conversation for such a part. */
  add(part: object, path: string): Part;
}

/** Those of one body. */
export function createRemoteParts(): RemoteParts {
  const parts = new Map<Part, object>();
  let first: string | undefined;
  return {
    parts,
    get path() {
      return first;
    },
    add(sent, path) {
      first ??= path;
      const part: Part = { type: 'text', text: '[file]' };
      parts.set(part, sent);
      return part;
    },
  };
}

/** Whether an image is at a URL of the web; no other URL is passed on. */
export function isRemote(url: string): boolean {
  return /^https?:\/\//i.test(url);
}
