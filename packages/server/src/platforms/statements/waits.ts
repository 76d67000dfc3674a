import type { Statement } from './statement.ts';

export interface WaitLine extends Statement {
  /** A lower-case header, or a path into the body to a duration or to headers. */
  readonly location: string;
  /** The header of the remainder; the reset counts when it is 0. */
  readonly remainingHeader?: string;
  /** Unitless numbers are milliseconds, not seconds. */
  readonly isMs?: true;
}

const openRouter = {
  vendor: 'OpenRouter',
  source: 'https://openrouter.ai/docs/api/reference/errors-and-debugging',
} as const;

/** `*` is the limited resource, such as `requests`. */
export const waitLines: readonly WaitLine[] = [
  {
    ...{ location: 'retry-after-ms', isMs: true, vendor: 'OpenAI, Azure' },
    source: 'https://github.com/openai/openai-node/blob/master/src/client.ts',
  },
  {
    ...{ location: 'x-ms-retry-after-ms', isMs: true, vendor: 'Azure' },
    source: 'https://learn.microsoft.com/azure/ai-services/openai/how-to/quota',
  },
  { location: 'retry-after', vendor: 'all', source: 'https://www.rfc-editor.org/rfc/rfc9110' },
  { location: 'error.metadata.headers', ...openRouter },
  {
    ...{ location: 'error.details[].retryDelay', vendor: 'Gemini' },
    source: 'https://docs.cloud.google.com/apis/design/errors',
  },
  {
    ...{ location: 'x-ratelimit-reset-*', remainingHeader: 'x-ratelimit-remaining-*' },
    ...{ vendor: 'OpenAI, Groq', source: 'https://platform.openai.com/docs/guides/rate-limits' },
  },
  {
    ...{
      location: 'anthropic-ratelimit-*-reset',
      remainingHeader: 'anthropic-ratelimit-*-remaining',
    },
    ...{ vendor: 'Anthropic', source: 'https://platform.claude.com/docs/en/api/rate-limits' },
  },
  { location: 'x-ratelimit-reset', remainingHeader: 'x-ratelimit-remaining', ...openRouter },
  {
    ...{
      location: 'ratelimitbysize-reset',
      remainingHeader: 'ratelimitbysize-remaining',
      vendor: 'Mistral',
    },
    source: 'https://docs.mistral.ai/deployment/laplateforme/tier/',
  },
  {
    ...{
      location: 'ratelimit-reset',
      remainingHeader: 'ratelimit-remaining',
      vendor: 'IETF draft',
    },
    source: 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/06/',
  },
];
