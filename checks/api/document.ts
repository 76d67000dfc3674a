import { type JsonObject, type JsonValue, streamingPaths } from '@model-gateway/contract';
import { openApiDocument } from '../../packages/server/src/ingress/openapi/document.ts';

/** Lists up to it are made; longer ones take gigabytes, and the service's own tests have them. */
const itemsMax = 200;

/** The API's description as it is, but for bounds of very long lists. */
export function wholeDocument(): JsonObject {
  return changed(openApiDocument('0.0.0-check'), (key, value) =>
    key === 'maxItems' && Number(value) > itemsMax ? undefined : value,
  );
}

/**
 * The description of what can be answered: the routes that call a model, with models that answer
 * and without idempotency keys, which Schemathesis would use for one request after the other.
 */
export function answerableDocument(): JsonObject {
  const streams: readonly string[] = streamingPaths;
  return changed(wholeDocument(), (key, value) => {
    if (streams.includes(key)) return undefined;
    if (key === 'parameters' && JSON.stringify(value).includes('IdempotencyKey')) return undefined;
    const isModel = key === 'model' && Reflect.get(Object(value), 'maxLength') === 128;
    return isModel ? { type: 'string', enum: ['sim-echo', 'sim-cached', 'sim-reasoning'] } : value;
  });
}

/** A copy in which `change` has made something else, or nothing, of each field. */
function changed(
  document: JsonObject,
  change: (key: string, value: JsonValue) => JsonValue | undefined,
): JsonObject {
  return JSON.parse(JSON.stringify(document, (key, value: JsonValue) => change(key, value)));
}
