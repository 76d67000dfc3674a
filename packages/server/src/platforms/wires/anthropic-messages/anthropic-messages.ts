import { encodeAnthropicMessages } from '../../ai-sdk/encode-messages.ts';
import { readUsage } from '../../evidence/read-usage.ts';
import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import { MessageFold } from './fold-events.ts';
import { readMessage } from './read-message.ts';

export const anthropicVersion = { 'anthropic-version': '2023-06-01' };

/**
 * The AI SDK encodes. Decoding is our own, because the SDK's decoder cannot be used without its
 * sending.
 */
export function createAnthropicMessages(parts: SurfaceParts): SurfaceModels {
  return createSurface(
    { ...parts, headers: { ...anthropicVersion, ...parts.headers } },
    {
      wire: 'anthropic-messages',
      carryNames: ['thinking_blocks'],
      relay: {
        limit: 'max_tokens',
        forced: {},
        answerField: 'message',
        opening: new Set(['message_start', 'ping']),
        lastEvent: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
      },
      encode: encodeAnthropicMessages,
      decode: (answer, { json, messages }) =>
        readMessage(answer, json !== undefined, messages.length),
      readUsage,
      stream: {
        fields: { stream: true },
        openFold({ json, messages, relay }, emit) {
          const kind = { isJson: json !== undefined, isRelayed: relay !== undefined };
          return new MessageFold(kind, messages.length, emit);
        },
      },
    },
  );
}
