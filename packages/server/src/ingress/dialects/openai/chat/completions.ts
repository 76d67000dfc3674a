import { type CarryParts, uncarriedTo } from '../../../../calls/operations/carry.ts';
import { createCompletion, wrappedBytesOf } from '../../../../calls/operations/completion.ts';
import { wireOfOperation } from '../../../../calls/operations/operation.ts';
import type { Catalog } from '../../../../catalog/catalog.ts';
import type { IngressConfig } from '../../../../domain/ingress.ts';
import { createParser } from '../../../body/parse.ts';
import { droppedHeaders } from '../../compatible/dropped-fields.ts';
import { appliedMaxTokens } from '../../compatible/max-tokens.ts';
import { userIdOf } from '../../compatible/user-id.ts';
import type { CallHandler } from '../../dialect.ts';
import { checkConversation } from '../../gateway/body/conversation.ts';
import { createSizeOf } from '../../gateway/body/size.ts';
import { askedOf, wordsOf } from './asked.ts';
import { type CompletionBody, createCompletionBody } from './body.ts';
import { chatRules, type History, readHistory } from './history.ts';
import { withoutUnsent } from './known-fields.ts';
import { chatOnlyOf, innerTextsOf, messagesOf } from './messages.ts';

/** What the route depends on. */
export interface CompletionsParts {
  readonly catalog: Pick<Catalog, 'model'>;
  readonly ingress: IngressConfig;
  readonly portOf: CarryParts['portOf'];
}

const chatWire = wireOfOperation.chat;

const names = { id: 'tool_call_id', calls: 'tool_calls' };

/** `POST /openai/v1/chat/completions`: a chat or an agent's turn, whose output is not judged. */
export function createCompletionsRoute({
  catalog,
  ingress,
  portOf,
}: CompletionsParts): CallHandler {
  const parse = createParser(createCompletionBody(), prepareBody);
  const rules = chatRules(ingress);
  const sizeOf = createSizeOf();
  const chat = createCompletion('chat');
  const agents = createCompletion('agents');
  return {
    kind: 'call',
    parse({ text, bytes }, { app, log }, head) {
      const history: History = { ...{ dropped: [], addedBytes: 0 }, rules };
      const body = parse(text, history);
      log.model = body.model;
      const { metadata, user, safety_identifier } = body;
      const fields = { user, safety_identifier };
      const userId = userIdOf(head, { fields, metadata: metadata?.user_id }, app);
      const messages = messagesOf(body.messages);
      const hasCarry = checkConversation(messages, names);
      const { defaultMaxTokens: otherwise } = ingress;
      const limits = { model: body.model, operation: chat.name, app, otherwise };
      const stated = statedMaxTokens(body);
      const { maxTokens, headersOf: limitOf } = appliedMaxTokens(catalog, { ...limits, stated });
      const asked = askedOf(body);
      const request = {
        ...{ model: body.model, messages, maxTokens, userId, words: wordsOf(body) },
        ...{ temperature: body.temperature, topP: body.top_p, stop: stopOf(body) },
        ...asked,
      };
      const hasTools = asked.tools !== undefined;
      const operation = hasTools ? agents : chat;
      const schemaText = operation.schemaText(request);
      const shape = { text, bodyBytes: bytes, messages, maxTokens, schemaText, hasTools };
      const sized = sizeOf({ ...shape, innerTexts: innerTextsOf(body.messages) });
      const addedBytes = history.addedBytes + wrappedBytesOf(messages);
      const size = { ...sized, grownBytes: sized.grownBytes + addedBytes };
      const chatOnly = chatOnlyOf(messages);
      const headersOf = (servedBy = body.model) => {
        const { wire } = portOf(catalog.model(servedBy, chatWire)) ?? {};
        const unsent = wire === chatWire ? [] : chatOnly;
        const foreign = hasCarry ? uncarriedTo(servedBy, messages, { catalog, portOf }) : [];
        const dropped = [...history.dropped, ...unsent, ...foreign];
        return { ...limitOf(servedBy), ...droppedHeaders(dropped) };
      };
      const sent = { ...body, messages: [] };
      const stream = streamOf(body);
      return { kind: 'call', operation, request, size, stream, headersOf, sent: () => sent };
    },
  };
}

/** The larger of the two names of one thing. */
function statedMaxTokens(body: CompletionBody): number | undefined {
  const { max_completion_tokens: one, max_tokens: other } = body;
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

function stopOf({ stop }: CompletionBody): readonly string[] | undefined {
  return typeof stop === 'string' ? [stop] : stop;
}

function streamOf({ stream, stream_options: options }: CompletionBody) {
  if (stream !== true) return undefined;
  return { after: 0, withUsage: options?.include_usage === true };
}

/** What is history is read first, and then whatever is known and not sent. */
function prepareBody(body: unknown, history?: History): unknown {
  if (history !== undefined) readHistory(body, history);
  return withoutUnsent(body);
}
