import type { Outcome, Script } from '@model-gateway/simulator';

/** A platform's error of a status, with words that no caller may see. */
export function platformError(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  code = 'some_error',
): Outcome {
  const message = 'account 111122223333 at arn:aws:bedrock-mantle:us-east-1 had an error';
  return { kind: 'error', error: { status, code, type: 'some_error', message }, headers };
}

/** A script of the outcomes of the first calls, in order; later calls follow their model. */
export function inOrder(...outcomes: readonly Outcome[]): Script {
  let calls = 0;
  return () => outcomes[calls++];
}

/**
 * A script that reads the platform's action from the prompt: `status 503` is an error of that
 * status, `retry-after 2` a throttle with that header. `once: ` before either means the first time
 * that this prompt is seen.
 */
export function asPrompted(): Script {
  const seen = new Set<string>();
  return ({ request }) => {
    const prompt = request.messages.at(-1)?.texts.join('') ?? '';
    if (prompt.startsWith('once: ') && seen.has(prompt)) return undefined;
    seen.add(prompt);
    const wish = prompt.replace('once: ', '');
    const status = /^status (\d{3})$/.exec(wish)?.[1];
    if (status !== undefined) return platformError(Number(status));
    const retryAfter = /^retry-after (.*)$/.exec(wish)?.[1];
    if (retryAfter === undefined) return undefined;
    return platformError(429, { 'retry-after': retryAfter }, 'rate_limit_exceeded');
  };
}
