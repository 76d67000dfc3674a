import { embeddings, textCountOf } from '../../../../calls/model-operations/embeddings.ts';
import { createParser } from '../../../body/parse.ts';
import type { CallHandler } from '../../../exchange/dialect.ts';
import { embeddingsBody } from '../body/schemas.ts';
import type { SizeOf } from '../body/size.ts';

export function createEmbeddingsRoute({ sizeOf }: { readonly sizeOf: SizeOf }): CallHandler {
  const parse = createParser(embeddingsBody);
  return {
    kind: 'call',
    parse({ text, bytes }, { log }) {
      const request = parse(text);
      log.model = request.model;
      // It reads texts alone, and writes nothing.
      const shape = { text, bodyBytes: bytes, messages: [], maxTokens: 0 };
      const size = sizeOf({ ...shape, schemaText: undefined, hasTools: false });
      const texts = textCountOf(request);
      return { kind: 'call', operation: embeddings, request, size: { ...size, texts } };
    },
  };
}
