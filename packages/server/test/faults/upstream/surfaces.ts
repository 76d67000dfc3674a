import type { Operation } from '@model-gateway/contract';

/** A model's response, independent of its wire format. */
export interface ModelAnswer {
  readonly text?: string;
  readonly toolCalls?: readonly ToolCallAnswer[];
  /** Embeddings, one for each text. */
  readonly vectors?: readonly (readonly number[])[];
  /** JSON text in place of the counts; undefined omits them. */
  readonly usage?: { readonly input: string; readonly output: string } | undefined;
}

export interface ToolCallAnswer {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The configuration of a kind of platform, and its responses. */
export interface Surface {
  readonly name: string;
  /** Parts of the platform's entry in the configuration. */
  readonly platform: (baseUrl: string) => string;
  /** More of each model's entry. */
  readonly row?: string;
  /** True where a call names its app's project. */
  readonly needsProject?: true;
  /** The body of a 200. */
  readonly write: (answer: ModelAnswer) => string;
  /** The body of an error, with words that no caller may see. */
  readonly error: (status: number, code: string) => string;
}

/** Default counts of a response. */
export const plainUsage = { input: '20', output: '10' } as const;

/** Words that no caller may see. */
export const secretWords = 'account 111122223333 at arn:aws:bedrock-mantle:us-east-1 had an error';

export const openAiChat: Surface = {
  name: 'openai-compatible',
  platform: (baseUrl) => `kind: openai-compatible, baseUrl: "${baseUrl}/v1", apiKey: none`,
  write({ text, toolCalls, usage }) {
    const calls = toolCalls?.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
    const message = { role: 'assistant', content: text ?? null, tool_calls: calls };
    const choice = {
      index: 0,
      message,
      finish_reason: calls === undefined ? 'stop' : 'tool_calls',
    };
    const head = JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', choices: [choice] });
    if (usage === undefined) return head;
    const counts = `"prompt_tokens":${usage.input},"completion_tokens":${usage.output}`;
    return `${head.slice(0, -1)},"usage":{${counts}}}`;
  },
  error: (status, code) =>
    JSON.stringify({
      error: { code, message: `${secretWords}: ${status}`, param: null, type: code },
    }),
};

/** The response that each operation requests. */
export const answers: Readonly<Record<Operation, ModelAnswer>> = {
  chat: { text: 'Hello there.' },
  objects: { text: '{"query":"books"}' },
  embeddings: { vectors: [[0.5, -0.25]] },
  agents: { toolCalls: [{ id: 'call_1', name: 'search', arguments: '{"query":"books"}' }] },
};
