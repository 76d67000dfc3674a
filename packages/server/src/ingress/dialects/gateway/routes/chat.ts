import { chat } from '../../../../calls/operations/chat.ts';
import type { Infer } from '../../../../calls/run.ts';
import { createParser } from '../../../body/parse.ts';
import { checkConversation } from '../body/conversation.ts';
import { chatBody } from '../body/schemas.ts';
import type { SizeOf } from '../body/size.ts';
import type { Route } from './route.ts';

/** `POST /v1/chat`. */
export function createChatRoute({ infer, sizeOf }: { infer: Infer; sizeOf: SizeOf }): Route {
  const parse = createParser(chatBody);
  return async ({ context, readJson }) => {
    const { text, bytes } = readJson();
    const request = parse(text);
    context.log.model = request.model;
    checkConversation(request.messages);
    const { messages, maxTokens } = request;
    const shape = { text, bodyBytes: bytes, messages, maxTokens };
    const size = sizeOf({ ...shape, schemaText: undefined, hasTools: false });
    return infer.run({ operation: chat, request, size, context });
  };
}
