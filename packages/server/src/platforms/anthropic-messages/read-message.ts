import { isRecord } from '../../lib/json-value.ts';
import type { Finish, ModelContent } from '../port.ts';
import type { Answer, Decoded } from '../surface.ts';

/** What the library calls the tool that takes an object. */
export const objectToolName = 'json';

/**
 * What a message says; undefined for one of another shape. Blocks of kinds that were not asked
 * for are passed over: a new one must not spoil an answer. Where an object was asked for, the
 * input of the tool that takes it is the text.
 */
export function readMessage(answer: Answer, isJson: boolean): Decoded | undefined {
  if (!Array.isArray(answer.content)) return undefined;
  const content: ModelContent[] = [];
  for (const block of answer.content) {
    const read = readBlock(block);
    if (read === undefined) return undefined;
    content.push(...read);
  }
  const raw = typeof answer.stop_reason === 'string' ? answer.stop_reason : undefined;
  if (!isJson || !content.some(isObjectCall)) return messageOf(content, raw);
  // What the model says beside its object is no part of it.
  const calls = content.filter((part) => part.type === 'tool-call');
  const object = calls.map((call): ModelContent => {
    return isObjectCall(call) ? { type: 'text', text: call.input } : call;
  });
  return messageOf(object, raw === 'tool_use' ? 'end_turn' : raw);
}

/** Undefined for a block that is not what its type says. */
function readBlock(block: unknown): readonly ModelContent[] | undefined {
  if (!isRecord(block) || typeof block.type !== 'string') return undefined;
  const { type, text, id, name, input } = block;
  if (type === 'text') {
    if (typeof text !== 'string') return undefined;
    return text === '' ? [] : [{ type: 'text', text }];
  }
  if (type !== 'tool_use') return [];
  if (typeof id !== 'string' || typeof name !== 'string' || input === undefined) return undefined;
  return [{ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) }];
}

function isObjectCall(part: ModelContent): boolean {
  return part.type === 'tool-call' && part.toolName === objectToolName;
}

function messageOf(content: ModelContent[], raw: string | undefined): Decoded {
  return { content, finish: finishOf(raw), finishRaw: raw };
}

/** Source: Anthropic's API reference, "stop_reason". */
function finishOf(raw: string | undefined): Finish {
  switch (raw) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'tool_use':
      return 'tool-calls';
    case 'refusal':
      return 'content-filter';
    default:
      return 'other';
  }
}
