import { deltasOfStream, expectedText, numbersOfText } from '../load/operation.ts';

/** The common fields of all events of a stream. */
const chunk = {
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  object: 'chat.completion.chunk',
  created: 1_741_569_952,
  model: 'bench-model',
};

export const completion = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    object: 'chat.completion',
    created: 1_741_569_952,
    model: 'bench-model',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: expectedText, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 19,
      completion_tokens: 12,
      total_tokens: 31,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    service_tier: 'default',
  }),
);

/** A message of Anthropic's API. */
export const message = Buffer.from(
  JSON.stringify({
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    model: 'bench-model',
    content: [{ type: 'text', text: expectedText }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 19, output_tokens: 12 },
  }),
);

/** The embedding of one text. */
export const embeddings = Buffer.from(
  JSON.stringify({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: numbersOfText() }],
    model: 'bench-embeddings',
    usage: { prompt_tokens: 19, total_tokens: 19 },
  }),
);

/** The events of a stream: one for each delta, then the end, the counts and the end mark. */
export const events: readonly Buffer[] = [
  ...Array.from({ length: deltasOfStream - 1 }, () => chunkOf(' and')),
  chunkOf(expectedText),
  event({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  event({
    ...chunk,
    choices: [],
    usage: { prompt_tokens: 19, completion_tokens: 31, total_tokens: 50 },
  }),
  Buffer.from('data: [DONE]\n\n'),
];

function chunkOf(content: string): Buffer {
  const delta = { role: 'assistant', content };
  return event({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] });
}

function event(data: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
}
