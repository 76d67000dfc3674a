import { createEncodeResponses } from '../../ai-sdk/encode-responses.ts';
import { readUsage } from '../../evidence/read-usage.ts';
import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import { ResponseFold } from './fold-events.ts';
import { readOutput } from './read-output.ts';

/**
 * The platform stores nothing. The AI SDK encodes. Decoding is our own, because the SDK's decoder
 * cannot be used without its sending.
 */
export function createOpenAiResponses(parts: SurfaceParts): SurfaceModels {
  return createSurface(parts, {
    wire: 'openai-responses',
    carryNames: ['reasoning_items'],
    relay: {
      limit: 'max_output_tokens',
      forced: { store: false },
      answerField: 'response',
      opening: new Set(['response.created', 'response.queued', 'response.in_progress']),
      // A response ends with its last event, or it is incomplete.
      lastEvent: '',
    },
    encode: createEncodeResponses(parts.path),
    decode: (answer, { json, messages }) => readOutput(answer, json !== undefined, messages.length),
    readUsage,
    stream: {
      fields: { stream: true },
      openFold({ json, messages, relay }, emit) {
        const kind = { isJson: json !== undefined, isRelayed: relay !== undefined };
        return new ResponseFold(kind, messages.length, emit);
      },
    },
  });
}
