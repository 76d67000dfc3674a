import type { Message } from '@model-gateway/contract';
import { invalid } from '../../../body/parse.ts';

/** What a body calls the id of a tool's result, and the calls of a message. */
const ownNames = { id: 'toolCallId', calls: 'toolCalls' };

/**
 * Refuses a conversation that no platform would take: a tool's result must answer a call of the
 * assistant's message before it, once, and before anything else.
 */
export function checkConversation(messages: readonly Message[], names = ownNames) {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId)) {
        throw invalid(
          `${path}.${names.id}`,
          `answers no open tool call of the assistant's message before it: ${JSON.stringify(message.toolCallId)}`,
        );
      }
      continue;
    }
    if (open.size > 0) {
      const [missing] = open;
      throw invalid(path, `comes before the result of the tool call ${JSON.stringify(missing)}`);
    }
    if (message.role !== 'assistant') continue;
    const calls = message.toolCalls ?? [];
    open = new Set(calls.map((call) => call.id));
    if (open.size < calls.length) throw invalid(`${path}.${names.calls}`, 'has the same id twice');
  }
  if (open.size > 0) {
    const [missing] = open;
    throw invalid('messages', `end before the result of the tool call ${JSON.stringify(missing)}`);
  }
}
