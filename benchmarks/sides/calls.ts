import type { Operation } from '../load/operation.ts';
import { benchModel, embeddingsModel, outputTokensMax } from './side.ts';

/** The path and the body of a call. */
export interface Call {
  readonly path: string;
  readonly body: string;
}

/** A call in the format of our own API. */
export function ownCall(prompt: string, operation: Operation = 'chat'): Call {
  if (operation === 'embeddings') return embeddingsCall(prompt);
  const messages = [{ role: 'user', content: prompt }];
  if (operation === 'relay') {
    const body = JSON.stringify({ model: benchModel, max_tokens: outputTokensMax, messages });
    return { path: '/anthropic/v1/messages', body };
  }
  const body = JSON.stringify({ model: benchModel, maxTokens: outputTokensMax, messages });
  return { path: operation === 'stream' ? '/v1/chat/stream' : '/v1/chat', body };
}

/** A call in the format of model platforms and of other gateways, below the path of their API. */
export function platformCall(prompt: string, operation: Operation = 'chat'): Call {
  if (operation === 'embeddings') return embeddingsCall(prompt);
  const messages = [{ role: 'user', content: prompt }];
  const streamed = { stream: true, stream_options: { include_usage: true } };
  const body = JSON.stringify({
    ...{ model: benchModel, max_tokens: outputTokensMax, messages },
    ...(operation === 'stream' ? streamed : {}),
  });
  return { path: '/v1/chat/completions', body };
}

/** The same for all sides. */
function embeddingsCall(prompt: string): Call {
  return {
    path: '/v1/embeddings',
    body: JSON.stringify({ model: embeddingsModel, input: prompt }),
  };
}
