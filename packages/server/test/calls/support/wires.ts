/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** The response of a platform, by whether a stream is requested. A text is sent unchanged. */
export interface Reply {
  readonly whole: Json | string;
  readonly events: readonly (Json | string)[];
  /** 200 by default. */
  readonly status?: number;
}

/** A model's wire format: the platform's response, and how callers call the model. */
export interface Wire {
  readonly model: string;
  readonly relay: { readonly path: string; readonly body: Json };
  answer(usage: unknown, top: Json): Reply;
}

/** The text of each response. */
export const content = 'Hello there.';
export const wires: Readonly<Record<string, Wire>> = {
  chat: {
    model: 'chat',
    relay: { path: '/openai/v1/chat/completions', body: { max_tokens: 100 } },
    answer(usage, top) {
      const choice = { index: 0, finish_reason: 'stop' };
      const message = { role: 'assistant', content };
      return {
        whole: { id: 'c', choices: [{ ...choice, message }], usage, ...top },
        events: [
          { id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }] },
          { id: 'c', choices: [{ ...choice, delta: {} }], usage, ...top },
          '[DONE]',
        ],
      };
    },
  },
  responses: {
    model: 'responses',
    relay: { path: '/openai/v1/responses', body: { max_output_tokens: 100, input: 'x' } },
    answer(usage, top) {
      const part = { type: 'output_text', text: content, annotations: [] };
      const item = { type: 'message', id: 'm', role: 'assistant', content: [part] };
      const response = { id: 'r', object: 'response', status: 'completed', output: [item] };
      const whole = { ...response, usage, ...top };
      return {
        whole,
        events: [
          { type: 'response.created', response: { ...response, output: [], status: 'queued' } },
          { type: 'response.output_text.delta', output_index: 0, delta: content },
          { type: 'response.completed', response: whole },
        ],
      };
    },
  },
  messages: {
    model: 'messages',
    relay: { path: '/anthropic/v1/messages', body: { max_tokens: 100 } },
    answer(usage, top) {
      const message = {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'x',
        stop_reason: null,
      };
      const text = { type: 'text', text: content };
      const delta = { stop_reason: 'end_turn' };
      return {
        whole: { ...message, content: [text], stop_reason: 'end_turn', usage, ...top },
        events: [
          { type: 'message_start', message: { ...message, content: [] } },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          {
            ...{ type: 'content_block_delta', index: 0 },
            delta: { type: 'text_delta', text: content },
          },
          { type: 'message_delta', delta, usage, ...top },
          { type: 'message_stop' },
        ],
      };
    },
  },
};

/** A number below more levels than the gateway reads. */
const deep = Array.from({ length: 30 }).reduce<Json>((inner) => ({ a: inner }), { a: 7 });

/** Ways in which a platform can report wrong counts. Each makes the cost an estimate. */
export const broken: Readonly<Record<string, (usage: Json, input: string) => unknown>> = {
  'a negative count': (usage, input) => ({ ...usage, [input]: -5 }),
  'a text': (usage, input) => ({ ...usage, [input]: '1000' }),
  'a huge count': (usage, input) => ({ ...usage, [input]: 1e300 }),
  'a list': (usage, input) => ({ ...usage, [input]: [1_000] }),
  'an object': (usage, input) => ({ ...usage, [input]: { value: 1_000 } }),
  'no count': (usage, input) => ({ ...usage, [input]: null }),
  'a truth': (usage, input) => ({ ...usage, [input]: true }),
  'a fraction': (usage, input) => ({ ...usage, [input]: 1_000.5 }),
  'the wrong place': (usage) => ({ usage }),
  'a number far below': (usage) => ({ ...usage, more: deep }),
  'a text for all': () => 'none',
  'a list of all': (usage) => [usage],
};
