import { type JsonObject, type JsonValue, streamingPaths } from '@model-gateway/contract';
import { openApiDocument } from '../../packages/server/src/ingress/openapi/document.ts';

/**
 * Lists up to this length are made; longer ones take gigabytes, and the service's own tests have
 * them.
 */
const itemsMax = 200;

/** The API's description without the limits of very long lists. */
export function wholeDocument(): JsonObject {
  return changed(openApiDocument('0.0.0-check'), (key, value) =>
    key === 'maxItems' && Number(value) > itemsMax ? undefined : value,
  );
}

/**
 * The description without the streaming routes, which return 501 here, and with models that answer.
 * It has no idempotency keys, since Schemathesis would use one for several requests.
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

/** A copy in which `change` has replaced or removed each field. */
function changed(
  document: JsonObject,
  change: (key: string, value: JsonValue) => JsonValue | undefined,
): JsonObject {
  return JSON.parse(JSON.stringify(document, (key, value: JsonValue) => change(key, value)));
}
