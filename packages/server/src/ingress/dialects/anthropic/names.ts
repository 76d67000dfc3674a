import type { ApiNames } from '../../../calls/model/api-names.ts';
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
  withoutStream: () => 'leave out stream',
};
