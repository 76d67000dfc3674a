import type { ApiNames } from '../../../calls/model/api-names.ts';
import type { Dialect } from '../../exchange/dialect.ts';
import { compatibleKeyOf } from '../compatible/idempotency-key.ts';
import { encodeRelayed, relayedEvents } from '../relay/relayed-events.ts';
import { routeListOf } from '../route-list.ts';
import { errorEvent, refuse, withRequestId } from './refuse.ts';
import { routeRows } from './route-rows.ts';

export const names: ApiNames = {
  models: `${routeRows.models.method} ${routeRows.models.path}`,
  embeddings: undefined,
  user: 'metadata.user_id',
  fields: {
    ...{ messages: ['messages'], maxTokens: ['max_tokens'], tools: ['tools'] },
    ...{ toolChoice: ['tool_choice'], schema: ['output_config'], stop: ['stop_sequences'] },
    ...{ topP: ['top_p'], reasoning: ['thinking'] },
  },
  toolSchema: 'input_schema',
  withoutStream: () => 'remove stream',
};

export const anthropic: Dialect = {
  name: 'anthropic',
  names,
  withRequestId,
  readsBearer: true,
  idempotencyKey: compatibleKeyOf,
  encode: (result, request) =>
    result.kind === 'failed' ? refuse(result.error, request) : encodeRelayed(result),
  encodeReport(report) {
    // No tokenizer made this count; the header marks it as an estimate.
    const headers = 'input_tokens' in report ? estimated : {};
    return { status: 200, body: JSON.stringify(report), headers };
  },
  stream: relayedEvents(errorEvent),
  refuse,
  routeList: () => routeList,
};

const estimated = { 'x-input-tokens-estimated': 'true' } as const;

const routeList = routeListOf(Object.values(routeRows));
