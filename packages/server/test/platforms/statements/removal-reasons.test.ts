import { describe, expect, it, test } from 'vitest';
import type { ModelRequest } from '../../../src/platforms/model/model-request.ts';
import { createReadRejection, readRejection } from '../../../src/platforms/model/rejection.ts';
import { fieldLines, wrapperLines } from '../../../src/platforms/statements/fields.ts';
import { type ReasonLine, reasonLines } from '../../../src/platforms/statements/reasons.ts';
import { type Cases, testRemoval } from './removal.ts';

const request: ModelRequest = { messages: [{ role: 'user', content: 'Hi.' }], maxTokens: 100 };

function reasonIn(json: unknown, lines = reasonLines, status = 400, asked = request) {
  const text = JSON.stringify(json);
  return createReadRejection(lines)({ status, json, text, request: asked })?.reason;
}

/** A message for each row, in the words that its platform writes around it. */
const cases: Cases<unknown> = Object.fromEntries(
  reasonLines.map(({ words, reason }) => {
    const message = `It failed: ${words.replace('…', '17')} (17)`;
    return [words, [{ error: { message, type: 'invalid_request_error', code: 400 } }, reason]];
  }),
);

describe('each line of the table of reasons', () => {
  testRemoval<ReasonLine, unknown>({
    ...{ lines: reasonLines, cases, nameOf: ({ words }) => words },
    read: (lines, given) => reasonIn(given, lines),
  });
});

/** The platforms' texts, by the reason that they report. */
const written: Readonly<Record<string, readonly string[]>> = {
  context_length: [
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
    "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    'prompt is too long: 213462 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    'Input is too long for requested model.',
    'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'Please reduce the length of the messages or completion.',
    'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.',
    "Input length (265330) exceeds model's maximum context length (262144).",
    "The input (140000 tokens) is longer than the model's context length (131072 tokens).",
    'the request exceeds the available context size, try increasing it',
    'Trying to keep the first 9000 tokens when context the overflows: tokens to keep from the initial prompt is greater than the context length.',
    'prompt too long; exceeded max context length by 4 tokens',
    'prompt token count of 140000 exceeds the limit of 128000',
    'invalid params, context window exceeds limit',
    'Your request exceeded model token limit: 262144 (requested: 566084)',
    'Range of input length should be [1, 30720]',
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    'too many tokens: total number of tokens in the prompt cannot exceed 4081',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 20 `max_new_tokens`',
    'litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException',
    "Requested token count exceeds the model's maximum context length of 131072 tokens",
  ],
  image: [
    'messages.7.content.3.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    'messages.120.content.0.image.source.base64: image exceeds 5 MB maximum: 9427836 bytes > 5242880 bytes',
    'Could not process image',
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    'Unable to process input image. Please retry or report.',
    'At most 0 image(s) may be provided in one request.',
  ],
  schema: [
    "Invalid schema for function 'weather': 'additionalProperties' is required to be supplied and to be false.",
    "Invalid schema for response_format 'answer': schema must be a JSON Schema of 'type: \"object\"'.",
    'tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12',
    "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
    'Invalid JSON payload received. Unknown name "$schema" at \'tools[0].function_declarations[43].parameters\': Cannot find field.',
    '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[command].type: must be specified',
    "schema at properties.draft can only contain properties starting with '$' when $ref is present",
    'The specified schema produces a constraint that has too many states for serving.',
    'invalid JSON schema for tool weather',
  ],
  tool: [
    'messages.6: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    'No tool output found for function call call_1.',
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    'Not the same number of function calls and responses',
    'registry.ollama.ai/library/gemma:latest does not support tools',
  ],
  reasoning: [
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
    'thinking is enabled but reasoning_content is missing in assistant tool call message',
    'Function call is missing a thought_signature in functionCall parts.',
    'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.",
  ],
  content_policy: [
    'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    'Output blocked by content filtering policy',
    'Content Exists Risk',
    'The request was rejected because it was considered high risk',
  ],
  parameter: [
    "Unsupported parameter: 'temperature' is not supported with this model.",
    "Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is supported.",
    '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude',
    'reasoning_effort: Extra inputs are not permitted',
    'Invalid JSON payload received. Unknown name "seed" at \'generation_config\': Cannot find field.',
    "property 'logit_bias' is unsupported",
  ],
};

const all = Object.entries(written).flatMap(([reason, messages]) =>
  messages.map((message) => [reason, message] as const),
);

describe('texts of platforms', () => {
  test.each(all)('%s: %s', (reason, message) => {
    expect(reasonIn({ error: { message, type: 'invalid_request_error', code: null } })).toBe(
      reason,
    );
    // Gateways put the upstream error into their own field, as text.
    const raw = JSON.stringify({ error: { message } });
    const wrapped = { error: { message: 'Provider returned error', code: 400, metadata: { raw } } };
    expect(reasonIn(wrapped)).toBe(reason);
    expect(readRejection({ status: 400, json: undefined, text: message, request })?.reason).toBe(
      reason,
    );
  });

  it('is not a reason where the error quotes it from the prompt', () => {
    const said = 'Why does Claude say that the prompt is too long for it, when it is short?';
    const asked: ModelRequest = { messages: [{ role: 'user', content: said }], maxTokens: 100 };
    const quoting = { error: { message: `bad value: ${said}` } };
    expect(reasonIn(quoting)).toBe('context_length');
    expect(reasonIn(quoting, reasonLines, 400, asked)).toBeUndefined();
  });

  it('is not a reason in other words', () => {
    expect(reasonIn({ error: { message: 'No.', code: 400, param: null } })).toBeUndefined();
    expect(reasonIn(undefined)).toBeUndefined();
    expect(reasonIn([])).toBeUndefined();
  });

  it('with 413 means that the context is full', () => {
    expect(reasonIn({ message: 'No.' }, reasonLines, 413)).toBe('context_length');
  });
});

describe('fields that an error names', () => {
  test.each<[string, unknown, readonly string[]]>([
    [
      'param',
      { error: { message: '', param: 'tools[0].function.parameters' } },
      ['tools[0].function.parameters'],
    ],
    ['top-level param', { message: 'x', param: 'stop' }, ['stop']],
    ['FastAPI', { detail: [{ msg: 'no', loc: ['body', 'temperature'] }] }, ['body.temperature']],
    [
      'Google',
      [{ error: { details: [{ fieldViolations: [{ field: 'contents[0]' }] }] } }],
      ['contents[0]'],
    ],
    [
      'Anthropic',
      { error: { message: 'tools.0.custom.input_schema: JSON schema is invalid' } },
      ['tools.0.custom.input_schema'],
    ],
    [
      'in quotes',
      { error: { message: "Unsupported value: 'temperature' does not fit" } },
      ['value', 'temperature'],
    ],
  ])('%s', (_, json, fields) => {
    const read = readRejection({ status: 400, json, text: JSON.stringify(json), request });
    expect(read?.fields).toEqual(fields);
  });
});

describe('the tables of fields', () => {
  it.each([...fieldLines, ...wrapperLines, ...reasonLines])(
    'name a vendor and a public source: $source',
    ({ vendor, source }) => {
      expect(vendor).not.toBe('');
      expect(source).toMatch(/^(https:\/\/\S+|[\w.-]+\/[\w.-]+#\d+)$/);
    },
  );
});
