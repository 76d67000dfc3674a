import type { Operation } from '@model-gateway/contract';
import { isRecord } from '../lib/is-record.ts';
import {
  anyRecord,
  anything,
  listOf,
  numberFrom,
  oneOf,
  type Rule,
  record,
  text,
} from './rules.ts';

/**
 * The reason for which the service would reject a request as INVALID; `undefined` for a valid one.
 * A test of the server compares it with the service itself.
 */
export function findInvalid(operation: Operation, request: unknown): string | undefined {
  return (
    bodies[operation](request, '') ?? findInvalidConversation(request) ?? findInvalidTools(request)
  );
}

/** The same for a quote: the quoted call's request, and the fields around it. */
export function findInvalidQuote(body: Readonly<Record<string, unknown>>): string | undefined {
  const { operation, request } = body;
  const known = operations.find((name) => name === operation);
  return quoted(body, '') ?? (known && findInvalid(known, request));
}

/** The same for the creation of a run. */
export function findInvalidRun(body: Readonly<Record<string, unknown>>): string | undefined {
  return run(body, '');
}

/** Names must not contain control characters: two of them might be two keys here and one there. */
const isPrintable = /^\P{Cc}*$/u;
const model = text({ min: 1, max: 128, pattern: isPrintable, of: 'without control characters' });
const userId = text({
  ...{ min: 1, max: 128, pattern: /^(?!\.{1,2}$)(?!.*\/)\P{Cc}*$/u },
  of: 'without a slash and control characters, and not "." or ".."',
});
const name = text({ min: 1, max: 64, pattern: /^[\w-]*$/, of: 'of letters, digits, _ and -' });

const part: Rule = (value, path) =>
  isRecord(value) && value.type === 'image'
    ? record({
        type: oneOf('image'),
        mediaType: text({ pattern: /^image\/[a-z0-9.+-]{1,64}$/, of: 'such as image/png' }),
        data: text({ pattern: /^[A-Za-z0-9+/]+={0,2}$/, of: 'in base64' }),
      })(value, path)
    : record({ type: oneOf('text', 'image'), text: text() })(value, path);

const userContent: Rule = (value, path) =>
  Array.isArray(value) ? listOf(part, { min: 1 })(value, path) : text()(value, path);

const toolCall = record({ id: text({ min: 1 }), name: text({ min: 1 }), input: anything });
const ofRole: Readonly<Record<string, Rule>> = {
  system: record({ role: oneOf('system'), content: text() }),
  user: record({ role: oneOf('user'), content: userContent }),
  assistant: record(
    { role: oneOf('assistant') },
    { content: text(), toolCalls: listOf(toolCall), carry: anyRecord },
  ),
  tool: record({ role: oneOf('tool'), toolCallId: text({ min: 1 }), content: text() }),
};

const message: Rule = (value, path) => {
  const role = isRecord(value) ? String(value.role) : '';
  const rule = Object.hasOwn(ofRole, role) ? ofRole[role] : undefined;
  return rule === undefined
    ? `${path}.role must be one of ${Object.keys(ofRole).join(', ')}`
    : rule(value, path);
};

const required = {
  model,
  messages: listOf(message, { min: 1 }),
  maxTokens: numberFrom(1, 1_000_000, true),
};
const optional = {
  userId,
  temperature: numberFrom(0, 2),
  topP: numberFrom(0, 1),
  stop: listOf(text({ min: 1 }), { max: 8 }),
};

const schema: Rule = (value, path) =>
  isRecord(value) && value.type === 'object' ? undefined : `${path}.type must be "object"`;

const tool = record({ name, inputSchema: anyRecord }, { description: text() });

const toolChoice: Rule = (value, path) =>
  isRecord(value) ? record({ name: text() })(value, path) : oneOf('auto', 'required')(value, path);

const embedded = text({ min: 1 });
const input: Rule = (value, path) =>
  (typeof value === 'string' ? embedded : listOf(embedded, { min: 1, max: 2_048 }))(value, path);

const bodies: Readonly<Record<Operation, Rule>> = {
  chat: record(required, optional),
  objects: record(
    { ...required, schema },
    { ...optional, schemaName: name, schemaDescription: text() },
  ),
  agents: record(
    { ...required, tools: listOf(tool, { min: 1, max: 128 }) },
    { ...optional, toolChoice },
  ),
  embeddings: record({ model, input }, { userId, dimensions: numberFrom(1, 8_192, true) }),
};

const operations = ['chat', 'objects', 'agents', 'embeddings'] as const;
const quoted = record(
  { operation: oneOf(...operations), request: anyRecord },
  { models: listOf(model, { max: 16 }) },
);

const run = record(
  {
    maxCostUsd: text({
      pattern: /^(?=.*[1-9])\d{1,6}(\.\d{1,12})?$/,
      of: 'with a decimal above 0 and below 1000000',
    }),
    expiresInMs: numberFrom(1_000, 86_400_000, true),
  },
  {
    models: listOf(model, { min: 1, max: 128 }),
    userId,
    label: text({ min: 1, max: 128, pattern: isPrintable, of: 'without control characters' }),
  },
);

/** A tool's result belongs to a call in the assistant's message before it, once. */
function findInvalidConversation(request: unknown): string | undefined {
  const messages = isRecord(request) && Array.isArray(request.messages) ? request.messages : [];
  let open = new Set<unknown>();
  for (const [index, { role, content, toolCalls = [], toolCallId }] of messages.entries()) {
    const path = `messages[${index}]`;
    if (role === 'tool') {
      if (!open.delete(toolCallId)) return `${path}.toolCallId does not match an open tool call`;
      continue;
    }
    if (open.size > 0) return `${path} must come after the result of a tool call`;
    if (role !== 'assistant') continue;
    if (content === undefined && toolCalls.length === 0) {
      return `${path} has neither content nor toolCalls`;
    }
    open = new Set(toolCalls.map(({ id }: { readonly id: string }) => id));
    if (open.size < toolCalls.length) return `${path}.toolCalls has the same id twice`;
  }
  return open.size > 0 ? 'messages lack the result of a tool call' : undefined;
}

function findInvalidTools(request: unknown): string | undefined {
  if (!isRecord(request) || !Array.isArray(request.tools)) return undefined;
  const names = request.tools.map((entry) => entry.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) return `tools has the name ${twice} twice`;
  const { toolChoice: choice } = request;
  if (!isRecord(choice) || names.includes(choice.name)) return undefined;
  return `toolChoice.name does not match any tool: ${choice.name}`;
}
