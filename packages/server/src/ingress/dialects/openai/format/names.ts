import type { ApiNames } from '../../../../calls/model/api-names.ts';
import { routeRows } from './route-rows.ts';

export const names: ApiNames = {
  models: `${routeRows.models.method} ${routeRows.models.path}`,
  embeddings: `${routeRows.embeddings.method} ${routeRows.embeddings.path}`,
  user: 'user',
  fields: {
    messages: ['messages', 'input'],
    maxTokens: ['max_tokens', 'max_completion_tokens'],
    ...{ tools: ['tools'], toolChoice: ['tool_choice'], schema: ['response_format'] },
    ...{ stop: ['stop'], topP: ['top_p'], reasoning: ['reasoning_effort'] },
  },
  toolSchema: 'function.parameters',
  withoutStream: () => 'remove stream',
};

export const responsesNames: ApiNames = {
  ...names,
  fields: {
    messages: ['input'],
    maxTokens: ['max_output_tokens'],
    ...{ tools: ['tools'], toolChoice: ['tool_choice'], schema: ['text'] },
    ...{ topP: ['top_p'], reasoning: ['reasoning'] },
  },
  toolSchema: 'parameters',
};
