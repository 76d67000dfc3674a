import type { ChatRequest } from '@model-gateway/sdk';
import type { DemoStack } from './stack.ts';

/** Steps that show one side of the service, under one heading. */
export interface StepGroup {
  readonly title: string;
  readonly steps: readonly DemoStep[];
}

/** One thing that a caller does, and what it must come to. */
export interface DemoStep {
  /** Names the step in the JSON document. */
  readonly id: string;
  readonly title: string;
  /** The answer: `OK`, or the client's code of a refusal. */
  readonly expected: { readonly status: number; readonly code: string };
  /** Calls the service; answers in a sentence what came back, or rejects with an LlmError. */
  readonly run: (stack: DemoStack) => Promise<string>;
}

/** An answer that is not an error. */
export const answered = { status: 200, code: 'OK' } as const;

/** The chat of most steps: one short message. */
export function chatOf(model: string, maxTokens: number): ChatRequest {
  return { model, maxTokens, messages: [{ role: 'user', content: 'Hello, gateway!' }] };
}

/** What a refused call says of itself is its error: a call that was let through has no text. */
export async function refused(call: Promise<unknown>): Promise<string> {
  await call;
  return 'the call was let through';
}
