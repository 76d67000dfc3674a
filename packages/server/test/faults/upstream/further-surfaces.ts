import { type ModelAnswer, openAiChat, type Surface, secretWords } from './surfaces.ts';

export const openAiResponses: Surface = {
  name: 'openai, responses',
  platform: (baseUrl) => `kind: openai, baseUrl: "${baseUrl}/v1", apiKey: key-of-the-test`,
  row: 'pathFamily: v1-responses',
  needsProject: true,
  write(answer) {
    const { text, toolCalls = [] } = answer;
    const part = { type: 'output_text', text, annotations: [] };
    const said = { type: 'message', role: 'assistant', content: [part] };
    const calls = toolCalls.map(({ id, ...call }) => ({
      ...{ type: 'function_call', id: `fc_${id}`, call_id: id, status: 'completed' },
      ...call,
    }));
    const output = [...(text === undefined ? [] : [said]), ...calls];
    const head = { id: 'resp_1', object: 'response', status: 'completed', error: null, output };
    return withUsage(head, answer);
  },
  error: (status, code) =>
    JSON.stringify({ error: { code, message: `${secretWords}: ${status}`, type: code } }),
};

export const openAiEmbeddings: Surface = {
  name: 'openai-compatible, embeddings',
  platform: openAiChat.platform,
  row: 'kind: embeddings',
  write({ vectors = [], usage }) {
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    const text = JSON.stringify({ object: 'list', model: 'a-model', data });
    if (usage === undefined) return text;
    const counts = `"prompt_tokens":${usage.input},"total_tokens":${usage.input}`;
    return `${text.slice(0, -1)},"usage":{${counts}}}`;
  },
  error: openAiChat.error,
};

export const anthropicMessages: Surface = {
  name: 'anthropic',
  platform: (baseUrl) => `kind: anthropic, baseUrl: "${baseUrl}", apiKey: key-of-the-test`,
  needsProject: true,
  write(answer) {
    const { text, toolCalls = [] } = answer;
    const said = text === undefined ? [] : [{ type: 'text', text }];
    const calls = toolCalls.map(({ id, name, arguments: input }) => ({
      ...{ type: 'tool_use', id, name, input: jsonOr(input) },
    }));
    const stop = toolCalls.length > 0 ? 'tool_use' : 'end_turn';
    const head = { id: 'msg_1', type: 'message', role: 'assistant', stop_reason: stop };
    return withUsage({ ...head, content: [...said, ...calls] }, answer);
  },
  error: (status, code) =>
    JSON.stringify({ type: 'error', error: { type: code, message: `${secretWords}: ${status}` } }),
};

function withUsage(body: object, { usage }: ModelAnswer): string {
  const text = JSON.stringify(body);
  if (usage === undefined) return text;
  const counts = `"input_tokens":${usage.input},"output_tokens":${usage.output}`;
  return `${text.slice(0, -1)},"usage":{${counts}}}`;
}

/** The wire format has a value where a model writes text. Text that is not JSON stays unchanged. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
