type Json = Readonly<Record<string, unknown>>;

/** An event of a wire format: its JSON, or other data; and its name, if the format has names. */
export interface WireEvent {
  readonly name?: string;
  readonly data: Json | string;
}

/** How a text arrives: in pieces. */
export type Cut = (text: string) => readonly string[];

/** Each letter separately, of however many halves. */
export const byUnits: Cut = (text) => text.split('');

/** Events as they are written, one after the other. */
export function bytesOf(events: readonly WireEvent[]): Buffer {
  return Buffer.from(events.map(textOf).join(''));
}

function textOf({ name, data }: WireEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`;
}

/** A chat completion in chunks, as in OpenAI's API reference. */
export function chatEvents(answer: Json, cut: Cut): readonly WireEvent[] {
  const [choice] = list(answer.choices).map(record);
  const { content, refusal, reasoning_content, reasoning, tool_calls } = record(choice?.message);
  const thought = typeof reasoning_content === 'string' ? reasoning_content : reasoning;
  const thoughtName = thought === reasoning ? 'reasoning' : 'reasoning_content';
  const deltas = [
    { role: 'assistant', content: '', refusal: null },
    ...piecesOf(thought, cut).map((text) => ({ [thoughtName]: text })),
    ...contentDeltas(content, cut),
    ...piecesOf(refusal, cut).map((text) => ({ refusal: text })),
    ...list(tool_calls).flatMap((call, index) => callDeltas(record(call), index, cut)),
  ];
  const chunk = (choices: readonly object[], usage: unknown = null) => ({
    data: { id: 'chatcmpl-123', object: 'chat.completion.chunk', choices, usage },
  });
  const isWhole = typeof choice?.message === 'string';
  const choiceParts = isWhole ? [{ message: choice.message }] : deltas.map((delta) => ({ delta }));
  return [
    ...choiceParts.map((more) => chunk([{ index: 0, ...more, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: choice?.finish_reason }]),
    chunk([], answer.usage),
    { data: '[DONE]' },
  ];
}

function contentDeltas(content: unknown, cut: Cut): readonly object[] {
  if (typeof content === 'string') return piecesOf(content, cut).map((text) => ({ content: text }));
  if (!Array.isArray(content)) return [{ content }];
  return content.flatMap((part): readonly object[] => {
    const { type, text } = record(part);
    if (type !== 'text' || typeof text !== 'string') return [{ content: [part] }];
    return piecesOf(text, cut).map((piece) => ({ content: [{ type, text: piece }] }));
  });
}

function callDeltas({ id, function: called }: Json, index: number, cut: Cut): readonly object[] {
  const { name, arguments: input } = record(called);
  // Everything except text arrives at once.
  const begun = typeof input === 'string' ? '' : input;
  const first = { index, id, type: 'function', function: { name, arguments: begun } };
  const rest = piecesOf(input, cut).map((text) => ({ index, function: { arguments: text } }));
  return [first, ...rest].map((piece) => ({ tool_calls: [piece] }));
}

/** A message in events, as in Anthropic's API reference. */
export function messageEvents(answer: Json, cut: Cut): readonly WireEvent[] {
  const { content, stop_reason, stop_sequence = null, usage, ...rest } = answer;
  const { output_tokens: whole = 1, ...input } = record(usage);
  // A stream begins with a count that it never retracts.
  const begun = Math.min(1, Number(whole));
  const started = { ...input, output_tokens: begun, output_tokens_details: undefined };
  const message = { ...rest, content: [], stop_reason: null, usage: started };
  const events = [
    { type: 'message_start', message },
    { type: 'ping' },
    ...list(content).flatMap((block, index) => blockEvents(record(block), index, cut)),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
  return events.map((data) => ({ name: data.type, data }));
}

function blockEvents(block: Json, index: number, cut: Cut) {
  const deltas = blockDeltas(block, cut);
  return [
    { type: 'content_block_start', index, content_block: { ...block, ...emptied(block) } },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function emptied({ type }: Json): Json {
  if (type === 'text') return { text: '' };
  if (type === 'thinking') return { thinking: '', signature: '' };
  return type === 'tool_use' ? { input: {} } : {};
}

function blockDeltas({ type, text, thinking, signature, input }: Json, cut: Cut) {
  if (type === 'text')
    return piecesOf(text, cut).map((piece) => ({ type: 'text_delta', text: piece }));
  if (type === 'thinking') {
    const thoughts = piecesOf(thinking, cut).map((piece) => ({
      ...{ type: 'thinking_delta', thinking: piece },
    }));
    return [...thoughts, { type: 'signature_delta', signature }];
  }
  if (type !== 'tool_use') return [];
  const json = JSON.stringify(input) === '{}' ? '' : JSON.stringify(input);
  return piecesOf(json, cut).map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
}

/** A response in events, as in OpenAI's API reference. */
export function responseEvents(answer: Json, cut: Cut): readonly WireEvent[] {
  const begun = { ...answer, status: 'in_progress', output: [], usage: null };
  const end = `response.${String(answer.status ?? 'completed')}`;
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...list(answer.output).flatMap((item, index) => itemEvents(record(item), index, cut)),
    { type: end, response: answer },
  ];
  return events.map((data, sequence_number) => ({
    ...{ name: data.type, data: { ...data, sequence_number } },
  }));
}

function itemEvents(item: Json, output_index: number, cut: Cut) {
  const at = { item_id: item.id, output_index };
  const added = { ...item, status: 'in_progress', content: [], arguments: '' };
  const calls = item.type === 'function_call' ? piecesOf(item.arguments, cut) : [];
  return [
    { type: 'response.output_item.added', output_index, item: added },
    ...list(item.content).flatMap((part, content_index) => {
      const { type, text, refusal } = record(part);
      const [name, fullText] = type === 'refusal' ? ['refusal', refusal] : ['output_text', text];
      const deltas = piecesOf(fullText, cut).map((delta) => ({
        ...{ type: `response.${String(name)}.delta`, ...at, content_index, delta },
      }));
      return [
        ...deltas,
        { type: `response.${String(name)}.done`, ...at, content_index, text: fullText },
      ];
    }),
    ...calls.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.output_item.done', output_index, item },
  ];
}

function piecesOf(text: unknown, cut: Cut): readonly string[] {
  return typeof text === 'string' && text !== '' ? cut(text) : [];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
