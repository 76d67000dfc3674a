import type { Statement } from './statement.ts';

/** A place where a response states when a call may be repeated. */
export interface WaitLine extends Statement {
  /** A header in lower case, or a path into the body, of a duration or of headers within it. */
  readonly place: string;
  /** Of a reset: the header of what is left. The reset counts where that is 0. */
  readonly left?: string;
  /** A number without a unit: milliseconds rather than seconds. */
  readonly isMs?: true;
}

const openRouter = {
  vendor: 'OpenRouter',
  source: 'https://openrouter.ai/docs/api/reference/errors-and-debugging',
} as const;

/** Every such place; `*` is what is limited, for example `requests`. */
export const waitLines: readonly WaitLine[] = [
  {
    ...{ place: 'retry-after-ms', isMs: true, vendor: 'OpenAI, Azure' },
    source: 'https://github.com/openai/openai-node/blob/master/src/client.ts',
  },
  {
    ...{ place: 'x-ms-retry-after-ms', isMs: true, vendor: 'Azure' },
    source: 'https://learn.microsoft.com/azure/ai-services/openai/how-to/quota',
  },
  { place: 'retry-after', vendor: 'all', source: 'https://www.rfc-editor.org/rfc/rfc9110' },
  { place: 'error.metadata.headers', ...openRouter },
  {
    ...{ place: 'error.details[].retryDelay', vendor: 'Gemini' },
    source: 'https://docs.cloud.google.com/apis/design/errors',
  },
  {
    ...{ place: 'x-ratelimit-reset-*', left: 'x-ratelimit-remaining-*' },
    ...{ vendor: 'OpenAI, Groq', source: 'https://platform.openai.com/docs/guides/rate-limits' },
  },
  {
    ...{ place: 'anthropic-ratelimit-*-reset', left: 'anthropic-ratelimit-*-remaining' },
    ...{ vendor: 'Anthropic', source: 'https://platform.claude.com/docs/en/api/rate-limits' },
  },
  { place: 'x-ratelimit-reset', left: 'x-ratelimit-remaining', ...openRouter },
  {
    ...{ place: 'ratelimitbysize-reset', left: 'ratelimitbysize-remaining', vendor: 'Mistral' },
    source: 'https://docs.mistral.ai/deployment/laplateforme/tier/',
  },
  {
    ...{ place: 'ratelimit-reset', left: 'ratelimit-remaining', vendor: 'IETF draft' },
    source: 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/06/',
  },
];
