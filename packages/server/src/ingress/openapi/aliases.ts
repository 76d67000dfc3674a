import { headerNames, type JsonObject } from '@model-gateway/contract';

const reference = { $ref: '#/components/headers/ServedBy' } as const;

const header = {
  description:
    'Which model of an alias was asked last; missing where the request names a model. A repetition has that of the call that was made',
  schema: { type: 'string' },
} as const;

/** With aliases, answers with a call's id also name its model. */
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
