import type { CallError } from '../../../calls/model/call-error.ts';
import { isRecord } from '../../../lib/json-value.ts';
import type { Dialect } from '../../exchange/dialect.ts';
import { createRelayRoute, type RelayParts } from '../relay/parse-relay.ts';
import { encodeRelayed, relayedEvents } from '../relay/relayed-events.ts';
import { responsesNames } from './format/names.ts';
import { refuse } from './format/refuse.ts';
import { openai } from './openai.ts';
import { responseShape } from './response-shape.ts';

/** The platform's answer is relayed on the same wire. */
export const responses: Dialect = {
  ...openai,
  name: 'openai-responses',
  names: responsesNames,
  encode: (result, request) =>
    result.kind === 'failed' ? refuse(result.error, request) : encodeRelayed(result),
  stream: relayedEvents(errorEvent),
};

export function createResponsesRoute(parts: RelayParts) {
  return createRelayRoute(parts, {
    ...{ operation: 'responses', shape: responseShape, limit: 'max_output_tokens' },
    userFields: ['user', 'safety_identifier'],
    schemaIn: ({ text }) => (isRecord(text) ? text.format : undefined),
    headersOf: () => ({ headersFor: () => ({}), dropped: [] }),
  });
}

/** For a stream without a good end. */
function errorEvent(error: CallError): string {
  const { error: told } = JSON.parse(refuse(error).body);
  const { code, message, param } = told;
  const data = JSON.stringify({ type: 'error', code, message, param, error: told });
  return `event: error\ndata: ${data}\n\n`;
}
