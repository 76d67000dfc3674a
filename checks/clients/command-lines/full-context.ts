import type { SimulatorOptions } from '@model-gateway/simulator';

/** A model whose context is full from the second request of a conversation. */
export interface FullContext {
  /** The two requests of its user. */
  readonly first: string;
  readonly last: string;
  readonly script: NonNullable<SimulatorOptions['script']>;
  /** Whether the conversation was summarized after a rejection, and continued with the summary. */
  isContinued(): boolean;
}

/**
 * It rejects the whole conversation as Anthropic does. Claude Code reads the gateway's sentence,
 * requests a summary, and sends it instead of the conversation.
 */
export function createFullContext(path: string): FullContext {
  const first = `The ${path} has ${'apple trees and '.repeat(4_000)}a gate.`;
  const last = 'And now name one tree.';
  const summary = `The user described the ${path}.`;
  const seen: string[] = [];
  return {
    first,
    last,
    script({ request }) {
      const texts = request.messages.flatMap((message) => message.texts);
      const prompt = request.messages.at(-1)?.texts.join('') ?? '';
      const isWhole = texts.some((text) => text.includes(first));
      const isLast = texts.some((text) => text.includes(last));
      if (isWhole && isLast && !prompt.includes('<summary>')) {
        seen.push('rejected');
        return { kind: 'error', error: rejection };
      }
      if (isWhole && prompt.includes('<summary>')) {
        seen.push('summarized');
        return { kind: 'answer', text: `<summary>${summary}</summary>` };
      }
      if (texts.some((text) => text.includes(summary)) && !isWhole) seen.push('continued');
      return undefined;
    },
    isContinued() {
      const steps = seen.filter((step, index) => step !== seen[index - 1]);
      return steps.join() === 'rejected,summarized,continued';
    },
  };
}

const rejection = {
  ...{ status: 400, code: 'invalid_request_error', type: 'invalid_request_error' },
  message: 'prompt is too long: 215000 tokens > 200000 maximum',
};
