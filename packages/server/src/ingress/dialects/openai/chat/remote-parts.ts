import type { Part } from '@model-gateway/contract';
import type { CompletionRequest } from '../../../../calls/model-operations/completion.ts';

type VerbatimParts = NonNullable<CompletionRequest['modelRequest']['verbatim']>;

export interface RemoteParts {
  readonly parts: VerbatimParts;
  readonly path: string | undefined;
  /** Returns the part's placeholder in the conversation. */
  add(part: object, path: string): Part;
}

/** Create one per body. */
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

/** Only web URLs are forwarded. */
export function isRemote(url: string): boolean {
  return /^https?:\/\//i.test(url);
}
