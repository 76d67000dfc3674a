import type { Carry, Message, Part, ToolCall } from '@model-gateway/contract';
import { isRecord } from '../lib/is-record.ts';
import { asTyped } from '../lib/typed.ts';
import { unsupported } from './ai-error.ts';
import type { AiMessage } from './ai-types.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The gateway's messages for a prompt of the AI SDK. */
export function writeMessages(prompt: readonly AiMessage[]): Message[] {
  return prompt.flatMap(({ role, content }): Message[] => {
    if (role === 'system') return [{ role, content: String(content) }];
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const fields = parts.filter((part) => isRecord(part));
    if (role === 'user') return [{ role, content: writeParts(fields) }];
    return role === 'assistant' ? [writeTurn(fields)] : writeResults(fields);
  });
}

function writeParts(fields: readonly Fields[]): string | Part[] {
  const [first, ...others] = fields.map(writePart);
  return first?.type === 'text' && others.length === 0
    ? first.text
    : [first, ...others].filter((part) => part !== undefined);
}

function writePart(part: Fields): Part {
  const { type, text, data, mediaType } = part;
  if (type === 'text') return { type, text: String(text) };
  const kind = String(mediaType);
  // The AI SDK 7 wraps the bytes or the text in an object.
  const file: Fields = isRecord(data) && !isBytes(data) ? data : { data };
  if (file.type === 'text') return { type: 'text', text: String(file.text) };
  const bytes = file.data;
  if (!isBytes(bytes)) throw unsupported('files by reference', 'send their bytes');
  if (/^text\b/.test(kind)) return { type: 'text', text: readUtf8(bytes) };
  if (!/^image\b/.test(kind)) {
    throw unsupported(
      `files of ${kind}`,
      'send images and texts, or the content of the file as text',
    );
  }
  const base64 = typeof bytes === 'string' ? bytes : writeBase64(bytes);
  return { type: 'image', mediaType: imageType(kind, base64), data: base64 };
}

function isBytes(data: unknown): data is Uint8Array | string {
  return data instanceof Uint8Array || typeof data === 'string';
}

/** A picture's first bytes identify its type where the AI SDK only has `image/*`. */
const beginnings: readonly (readonly [beginning: string, type: string])[] = [
  ['iVBORw', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

function imageType(mediaType: string, base64: string): string {
  if (/^image\/[a-z0-9.+-]+$/.test(mediaType)) return mediaType;
  const match = beginnings.find(([beginning]) => base64.startsWith(beginning));
  if (match !== undefined) return match[1];
  throw unsupported(`images of ${mediaType}`, 'set the mediaType, such as image/png');
}

function writeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function readUtf8(data: Uint8Array | string): string {
  const bytes =
    typeof data === 'string' ? Uint8Array.from(atob(data), (char) => char.charCodeAt(0)) : data;
  return new TextDecoder().decode(bytes);
}

/** Of its reasoning only the gateway's part: no platform accepts another's. */
function writeTurn(parts: readonly Fields[]): Message {
  const texts = parts.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []));
  const toolCalls = parts.flatMap(({ type, toolCallId, toolName, input, providerExecuted }) => {
    const isOurs = type === 'tool-call' && providerExecuted !== true;
    const call = { id: toolCallId, name: toolName, input: input ?? {} };
    return isOurs ? [asTyped<ToolCall>(call)] : [];
  });
  const carry = parts.map(carryIn).find((part) => part !== undefined);
  return {
    role: 'assistant',
    content: texts.join(''),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(carry && { carry }),
  };
}

function carryIn({ type, providerOptions }: Fields): Carry | undefined {
  const { modelGateway } = asTyped<{ modelGateway?: Fields }>(providerOptions ?? {});
  return type === 'reasoning' && isRecord(modelGateway?.carry)
    ? asTyped<Carry>(modelGateway.carry)
    : undefined;
}

function writeResults(parts: readonly Fields[]): Message[] {
  return parts.flatMap(({ type, toolCallId, output }) => {
    if (type !== 'tool-result') return [];
    return [
      { role: 'tool' as const, toolCallId: String(toolCallId), content: writeOutput(output) },
    ];
  });
}

function writeOutput(output: unknown): string {
  const { type, value, reason }: Fields = isRecord(output) ? output : {};
  switch (type) {
    case 'text':
    case 'error-text':
      return String(value);
    case 'execution-denied':
      return `The tool was not run: ${reason ?? 'its caller does not allow it'}`;
    case 'content':
      return (Array.isArray(value) ? value : []).map(writeContent).join('\n');
    default:
      return JSON.stringify(value) ?? 'null';
  }
}

function writeContent(item: unknown): string {
  const { type, text }: Fields = isRecord(item) ? item : {};
  if (type === 'text') return String(text);
  throw unsupported(`a tool result with a part of type ${type}`, 'return it as text');
}
