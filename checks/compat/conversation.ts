/** The conversation: the model's questions, and the servers' scripted responses. */
export const conversation = {
  chat: { prompt: 'Greet me, please.', answer: 'Hello from elsewhere.' },
  object: {
    prompt: 'In which country is Oslo?',
    answer: { country: 'Norway' },
    schema: {
      type: 'object',
      properties: { country: { type: 'string' } },
      required: ['country'],
      additionalProperties: false,
    },
  },
  agent: {
    prompt: 'How warm is it in Oslo?',
    toolName: 'temperature',
    toolSchema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
    toolCallId: 'call_elsewhere_1',
    toolInput: { city: 'Oslo' },
    toolResult: '21 degrees',
    answer: 'It is 21 degrees in Oslo.',
  },
  refusal: { prompt: 'Refuse this, please.' },
} as const;

/** Words of a rejection that no caller may see. */
export const secretWords = 'organization org-elsewhere is out of luck';
