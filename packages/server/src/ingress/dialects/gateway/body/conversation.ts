import { bodyLimits, type Carry, type Message } from '@model-gateway/contract';
import { writeJson } from '../../../../lib/json-value.ts';
import { invalid } from '../../../body/parse.ts';

const ownNames: NamesOfMessages = { id: 'toolCallId', calls: 'toolCalls', carry: 'carry' };

interface NamesOfMessages {
  readonly id: string;
  readonly calls: string;
  /** Undefined where several fields contain it; then only the body's schema limits them. */
  readonly carry?: string;
}

/**
 * Platforms require each tool result once, directly after the assistant's call. Throws INVALID;
 * returns whether a message has a carry.
 */
export function checkConversation(messages: readonly Message[], names = ownNames): boolean {
  let open = new Set<string>();
  let hasCarry = false;
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId)) {
        throw invalid(
          `${path}.${names.id}`,
          `does not match an open tool call of the previous assistant message: ${JSON.stringify(message.toolCallId)}`,
        );
      }
      continue;
    }
    if (open.size > 0) {
      const [missing] = open;
      throw invalid(path, `must come after the result of the tool call ${JSON.stringify(missing)}`);
    }
    if (message.role !== 'assistant') continue;
    const { carry } = message;
    hasCarry ||= carry !== undefined;
    if (carry !== undefined && names.carry !== undefined)
      checkCarry(carry, `${path}.${names.carry}`);
    const calls = message.toolCalls ?? [];
    open = new Set(calls.map((call) => call.id));
    if (open.size < calls.length) throw invalid(`${path}.${names.calls}`, 'has the same id twice');
  }
  if (open.size > 0) {
    const [missing] = open;
    throw invalid('messages', `end before the result of the tool call ${JSON.stringify(missing)}`);
  }
  return hasCarry;
}

function checkCarry(carry: Carry, path: string) {
  const bytes = Buffer.byteLength(writeJson(carry) ?? '');
  const most = bodyLimits.carryBytesMax;
  if (bytes <= most) return;
  throw invalid(path, `has ${bytes} bytes of JSON; the maximum is ${most}; remove it`);
}
