import type { ChatRequest } from '@model-gateway/sdk';
import type { DemoStack } from './stack.ts';

export interface StepGroup {
  readonly title: string;
  readonly steps: readonly DemoStep[];
}

export interface DemoStep {
  readonly id: string;
  readonly title: string;
  readonly expected: { readonly status: number; readonly code: string };
  /** Returns a sentence, or rejects with an LlmError. */
  readonly run: (stack: DemoStack) => Promise<string>;
}

export const answered = { status: 200, code: 'OK' } as const;

export function chatOf(model: string, maxTokens: number): ChatRequest {
  return { model, maxTokens, messages: [{ role: 'user', content: 'Hello, gateway!' }] };
}

export async function refused(call: Promise<unknown>): Promise<string> {
  await call;
  return 'the call was admitted';
}
