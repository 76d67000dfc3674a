import { chat } from '../../../../calls/model-operations/chat.ts';
import { createParser } from '../../../body/parse.ts';
import type { CallHandler } from '../../../exchange/dialect.ts';
import { checkConversation } from '../body/conversation.ts';
import type { HeadersOfCarry } from '../body/dropped-carry.ts';
import { chatBody } from '../body/schemas.ts';
import type { SizeOf } from '../body/size.ts';

export function createChatRoute({
  sizeOf,
  headersOfCarry,
}: {
  readonly sizeOf: SizeOf;
  readonly headersOfCarry: HeadersOfCarry;
}): CallHandler {
  const parse = createParser(chatBody);
  return {
    kind: 'call',
    parse({ text, bytes }, { log }) {
      const request = parse(text);
      log.model = request.model;
      const hasCarry = checkConversation(request.messages);
      const { messages, maxTokens } = request;
      const extras = { schemaText: undefined, hasTools: false };
      const size = sizeOf({ ...extras, text, bodyBytes: bytes, messages, maxTokens });
      const headers = hasCarry ? { headersOf: headersOfCarry(request) } : {};
      return { kind: 'call', operation: chat, request, size, ...headers };
    },
  };
}
