import type { Operation } from '@model-gateway/contract';
import type { OtherModel, Quotes } from '../../../../calls/quote.ts';
import type { Catalog } from '../../../../catalog/catalog.ts';
import { editJson, memberText } from '../../../../lib/json-text.ts';
import { createParser } from '../../../body/parse.ts';
import type { AskHandler, CallHandler, ParsedCall } from '../../../exchange/dialect.ts';
import { quoteBody } from '../body/schemas.ts';
import type { SizeOf } from '../body/size.ts';
import { isAskedByTool } from './objects.ts';

/** What a quote is asked of: the routes that make the calls. */
export interface QuoteRouteParts {
  readonly quotes: Quotes;
  readonly calls: Readonly<Record<Operation, CallHandler>>;
  readonly catalog: Catalog;
  readonly sizeOf: SizeOf;
}

/**
 * `POST /v1/quote`: what the call of a body would cost. The text of `request` is read by the route
 * that it would be sent to, so its bytes count as they stand, and what is wrong with it is told in
 * that route's words.
 */
export function createQuoteRoute({ quotes, calls, catalog, sizeOf }: QuoteRouteParts): AskHandler {
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

  /** The name of the model is a part of the request, and counts as one. */
  function otherModel(
    { size, request }: ParsedCall,
    operation: Operation,
    model: string,
  ): OtherModel {
    const own = sizeOfText(request.model);
    const other = sizeOfText(model);
    const hasTools = operation === 'objects' ? isAskedByTool(catalog, model) : size.hasTools;
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

/** The request of a quote as it is written, and what is around it. What is no JSON stays whole. */
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
    /* the parser of the body says why not */
    return false;
  }
}
