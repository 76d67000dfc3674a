import { wireOfOperation } from '../../../../calls/model/operation.ts';
import { type CarryParts, uncarriedTo } from '../../../../calls/model-operations/carry.ts';
import { createCompletion, wrappedBytesOf } from '../../../../calls/model-operations/completion.ts';
import type { PassedFields } from '../../../../calls/model-operations/passed-fields.ts';
import type { Catalog } from '../../../../catalog/catalog.ts';
import type { IngressConfig } from '../../../../domain/ingress.ts';
import { createParser } from '../../../body/parse.ts';
import type { CallHandler } from '../../../exchange/dialect.ts';
import { droppedHeaders } from '../../compatible/dropped-fields.ts';
import { appliedMaxTokens } from '../../compatible/max-tokens.ts';
import {
  type PassedFieldsParts,
  passedIn,
  passedText,
  withheldFrom,
  withoutPassed,
} from '../../compatible/passed-fields.ts';
import { userIdOf } from '../../compatible/user-id.ts';
import { checkConversation } from '../../gateway/body/conversation.ts';
import { createSizeOf } from '../../gateway/body/size.ts';
import { type CompletionBody, createCompletionBody } from './body.ts';
import { chatRules, type History, readHistory } from './history.ts';
import { withoutUnsent } from './known-fields.ts';
import { chatOnlyOf, innerTextsOf, messagesOf } from './messages.ts';
import { modelRequestOf, wordsOf } from './model-request.ts';
import { createRemoteParts } from './remote-parts.ts';

export interface CompletionsParts {
  readonly catalog: Pick<Catalog, 'model' | 'alias'>;
  readonly ingress: IngressConfig;
  readonly portOf: CarryParts['portOf'];
}

const chatWire = wireOfOperation.chat;

const names = { id: 'tool_call_id', calls: 'tool_calls' };

/** A chat or an agent's turn. The output is not validated. */
export function createCompletionsRoute({
  catalog,
  ingress,
  portOf,
}: CompletionsParts): CallHandler {
  const schema = createCompletionBody();
  const isKnown = (name: string) => Object.hasOwn(schema.properties, name);
  const rows = { catalog, ingress, operation: 'chat', isKnown } as const;
  const parse = createParser(schema, prepareBody);
  const rules = chatRules(ingress);
  const sizeOf = createSizeOf();
  const chat = createCompletion('chat');
  const agents = createCompletion('agents');
  return {
    kind: 'call',
    parse({ text, bytes }, { app, log }, head) {
      const history: History = {
        ...{ dropped: [], addedBytes: 0, unboundedImages: undefined },
        rules,
      };
      const parsed: ParsedExtras = { history, rows, passed: undefined };
      const body = parse(text, parsed);
      const { passed } = parsed;
      log.model = body.model;
      const { metadata, user, safety_identifier } = body;
      const fields = { user, safety_identifier };
      const userId = userIdOf(head, { fields, metadata: metadata?.user_id }, app);
      const { unboundedImages: images } = history;
      const remote = images === undefined ? undefined : createRemoteParts();
      const messages = messagesOf(body.messages, remote);
      const hasCarry = checkConversation(messages, names);
      const { defaultMaxTokens: otherwise } = ingress;
      const limits = { model: body.model, operation: chat.name, app, otherwise };
      const requested = requestedMaxTokens(body);
      const { maxTokens, headersOf: limitOf } = appliedMaxTokens(catalog, { ...limits, requested });
      const { modelRequest, ...extras } = modelRequestOf(body);
      const request = {
        ...{ model: body.model, messages, maxTokens, userId, words: wordsOf(body, remote?.path) },
        ...{ temperature: body.temperature, topP: body.top_p, stop: stopOf(body) },
        ...{ ...extras, modelRequest: { ...modelRequest, verbatim: remote?.parts }, passed },
      };
      const hasTools = modelRequest.tools !== undefined;
      const operation = hasTools ? agents : chat;
      const schemaText = joined(operation.schemaText(request), passedText(passed));
      const shape = { text, bodyBytes: bytes, messages, maxTokens, schemaText, hasTools };
      const sized = sizeOf({ ...shape, innerTexts: innerTextsOf(body.messages) });
      const addedBytes = history.addedBytes + wrappedBytesOf(messages);
      const size = {
        ...{ ...sized, grownBytes: sized.grownBytes + addedBytes },
        ...(images !== undefined && { images, isUnbounded: true as const }),
      };
      const chatOnly = chatOnlyOf(messages);
      const headersOf = (servedBy = body.model) => {
        const { wire } = portOf(catalog.model(servedBy, chatWire)) ?? {};
        const unsent = wire === chatWire ? [] : chatOnly;
        const foreign = hasCarry ? uncarriedTo(servedBy, messages, { catalog, portOf }) : [];
        const withheld = withheldFrom(passed, servedBy, rows);
        const dropped = droppedHeaders([...history.dropped, ...unsent, ...foreign, ...withheld]);
        return { ...limitOf(servedBy), ...dropped };
      };
      const sent = { ...body, ...passed, messages: [] };
      const stream = streamOf(body);
      return { kind: 'call', operation, request, size, stream, headersOf, sent: () => sent };
    },
  };
}

/** The field has two names; the larger value counts. */
function requestedMaxTokens(body: CompletionBody): number | undefined {
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

interface ParsedExtras {
  readonly history: History;
  readonly rows: PassedFieldsParts;
  passed: PassedFields | undefined;
}

/** Order: passed fields, history, then known fields that are never sent. */
function prepareBody(body: unknown, parsed?: ParsedExtras): unknown {
  if (parsed === undefined) return withoutUnsent(body);
  parsed.passed = passedIn(body, parsed.rows);
  const own = withoutPassed(body, parsed.passed);
  readHistory(own, parsed.history);
  return withoutUnsent(own);
}

function joined(text: string | undefined, other: string | undefined): string | undefined {
  return other === undefined ? text : `${text ?? ''}${other}`;
}
