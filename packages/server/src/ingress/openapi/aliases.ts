import { headerNames, type JsonObject } from '@model-gateway/contract';

const reference = { $ref: '#/components/headers/ServedBy' } as const;

const header = {
  description:
    'Which model of an alias was asked last; missing where the request names a model. A repetition has that of the call that was made',
  schema: { type: 'string' },
} as const;

/** A description whose calls may name aliases: what says a call's id says its model as well. */
export function withAliases(document: {
  readonly components: { readonly headers: JsonObject };
}): JsonObject {
  const { components } = document;
  const headers = { ...components.headers, ServedBy: header };
  const all = { ...document, components: { ...components, headers } };
  return JSON.parse(JSON.stringify(all, addHeader));
}

function addHeader(_key: string, value: unknown): unknown {
  const isOfCall = typeof value === 'object' && value !== null && headerNames.callId in value;
  return isOfCall ? { ...value, [headerNames.servedBy]: reference } : value;
}
