import type { Operation } from '@model-gateway/contract';
import type { OtherModel, Quotes } from '../../../../calls/quote.ts';
import type { Catalog } from '../../../../catalog/catalog.ts';
import { editJson, memberText } from '../../../../lib/json-text.ts';
import { createParser } from '../../../body/parse.ts';
import type { CallHandler, JsonHandler, ParsedCall } from '../../../exchange/dialect.ts';
import { quoteBody } from '../body/schemas.ts';
import type { SizeOf } from '../body/size.ts';
import { usesToolForOutput } from './objects.ts';

export interface QuoteRouteParts {
  readonly quotes: Quotes;
  readonly calls: Readonly<Record<Operation, CallHandler>>;
  readonly catalog: Catalog;
  readonly sizeOf: SizeOf;
}

/**
 * The target route parses `request`'s text. So its bytes count as sent, and its faults get that
 * route's messages.
 */
export function createQuoteRoute({ quotes, calls, catalog, sizeOf }: QuoteRouteParts): JsonHandler {
  const parse = createParser(quoteBody);
  return {
    kind: 'ask',
    isForRun: () => true,
    async answer({ text }, context, head) {
      const { envelope, request } = opened(text);
      const { operation, models = [] } = parse(envelope);
      const json = { text: request, bytes: Buffer.byteLength(request) };
      const parsed = await calls[operation].parse(json, context, head);
      if (parsed.kind === 'refused') return parsed;
      const others = models.map((model) => otherModel(parsed, operation, model));
      return { kind: 'told', report: await quotes({ ...parsed, context }, others) };
    },
  };

  /** The model's name counts as request bytes. */
  function otherModel(
    { size, request }: ParsedCall,
    operation: Operation,
    model: string,
  ): OtherModel {
    const own = sizeOfText(request.model);
    const other = sizeOfText(model);
    const hasTools = operation === 'objects' ? usesToolForOutput(catalog, model) : size.hasTools;
    const bodyBytes = size.bodyBytes + other.bodyBytes - own.bodyBytes;
    const grownBytes = size.grownBytes + other.grownBytes - own.grownBytes;
    return { model, size: { ...size, bodyBytes, grownBytes, hasTools } };
  }

  function sizeOfText(value: string) {
    const text = JSON.stringify(value);
    const shape = { messages: [], maxTokens: 0, schemaText: undefined, hasTools: false };
    return sizeOf({ ...shape, text, bodyBytes: Buffer.byteLength(text) });
  }
}

/** Splits the quote around the text of its request. Invalid JSON stays whole. */
function opened(text: string): { readonly envelope: string; readonly request: string } {
  const request = isJson(text) ? memberText(text, 'request') : undefined;
  if (request?.startsWith('{') !== true) return { envelope: text, request: '' };
  return { envelope: editJson(text, [{ path: ['request'], json: '{}' }]), request };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    /* the parser of the body reports the fault */
    return false;
  }
}
