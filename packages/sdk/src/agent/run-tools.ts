import type { Message, ToolCall } from '@model-gateway/contract';
import type { AbortHub } from '../call/abort-hub.ts';
import { startDeadline } from '../call/deadline.ts';
import { ToolError } from '../call/llm-error.ts';
import type { Runtime } from '../call/runtime.ts';
import type { ToolResult } from './run-types.ts';
import type { ToolContext, ToolInside } from './tool.ts';

export interface ToolParts {
  readonly runtime: Runtime;
  readonly hub: AbortHub;
  readonly tools: ReadonlyMap<string, ToolInside>;
  /** Ends all of the tools. */
  readonly signal: AbortSignal;
  /** The turn that called the tools. */
  readonly turn: number;
  /** The prefix of the run's idempotency keys. */
  readonly baseKey: string;
  readonly runId: string | undefined;
  /** Reasons for the rejection of calls, by call id. */
  readonly denied: ReadonlyMap<string, string>;
}

/**
 * Executes tools in parallel, and never throws: a failure is a result too. Tools that still ran at
 * the run's end are missing from the results.
 */
export async function runTools(
  parts: ToolParts,
  calls: readonly ToolCall[],
): Promise<readonly ToolResult[]> {
  const results = await Promise.all(calls.map((call) => runTool(parts, call)));
  return results.filter((result) => result !== undefined);
}

/** The tool calls at the end of a conversation that have no result yet. */
export function pendingCalls(messages: readonly Message[]): readonly ToolCall[] {
  const answered: string[] = [];
  for (const message of [...messages].reverse()) {
    if (message.role !== 'tool') {
      const calls = message.role === 'assistant' ? message.toolCalls : undefined;
      return (calls ?? []).filter(({ id }) => !answered.includes(id));
    }
    answered.push(message.toolCallId);
  }
  return [];
}

async function runTool(parts: ToolParts, call: ToolCall): Promise<ToolResult | undefined> {
  const { runtime, hub, signal, tools } = parts;
  const reason = parts.denied.get(call.id);
  if (reason !== undefined) return failed(call, new ToolError(reason));
  const inside = tools.get(call.name);
  if (inside === undefined) return failed(call, new ToolError(`There is no tool ${call.name}.`));

  const { timeoutMs } = inside;
  const deadline = startDeadline({ runtime, hub, timeoutMs, signal });
  const controller = new AbortController();
  const timedOut = new ToolError(`The tool gave no answer within ${timeoutMs} ms.`);
  deadline.onEnd(() => controller.abort(signal.aborted ? signal.reason : timedOut));
  try {
    if (deadline.ending() !== undefined) return undefined;
    const { turn, baseKey, runId } = parts;
    const idempotencyKey = `${baseKey}:${turn}:${call.id}`;
    const { signal } = controller;
    const context = { signal, toolCallId: call.id, turn, idempotencyKey, runId };
    return await deadline.race(execute(inside, call, context));
  } catch {
    // Only the deadline interrupts it: an error of the tool itself is already a result.
    return deadline.ending()?.kind === 'timed-out' ? failed(call, timedOut) : undefined;
  } finally {
    deadline.close();
  }
}

async function execute(
  inside: ToolInside,
  call: ToolCall,
  context: ToolContext,
): Promise<ToolResult> {
  try {
    const validity = await inside.validate(call.input);
    if (validity.kind === 'invalid') {
      const issues = validity.issues.map(({ path, message }) => `\n${path}: ${message}`).join('');
      return failed(call, new ToolError(`The input does not fit the tool.${issues}`));
    }
    const content = write(await inside.execute(validity.value, context));
    return { toolCallId: call.id, name: call.name, content };
  } catch (error) {
    return failed(call, error);
  }
}

function failed(call: ToolCall, error: unknown): ToolResult {
  // Other errors might contain data that neither the model nor its user may see.
  const content = ToolError.is(error) ? wellFormed(error.message) : 'The tool failed.';
  return { toolCallId: call.id, name: call.name, content, error };
}

function write(value: unknown): string {
  return wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'));
}

/** The service would reject a text cut within an emoji, and the run would end. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
