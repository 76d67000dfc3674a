import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import { encode } from './encode.ts';
import { readMessage } from './read-message.ts';
import { readUsage } from './read-usage.ts';

/** The version of the wire that is written here. */
const version = { 'anthropic-version': '2023-06-01' };

/**
 * Models that speak Anthropic messages. The AI SDK encodes; its decoding cannot be had without its
 * sending, so that half is our own.
 */
export function createAnthropicMessages(parts: SurfaceParts): SurfaceModels {
  return createSurface(
    { ...parts, headers: { ...version, ...parts.headers } },
    {
      encode,
      decode: (answer, { responseFormat }) => readMessage(answer, responseFormat?.type === 'json'),
      readUsage,
    },
  );
}
