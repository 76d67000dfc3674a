import { createJourney, type Journey, piecesOf, type Turn, turnCount } from './journey.ts';
import { startVendor, type Vendor } from './vendor.ts';

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly thinking?: unknown;
  readonly signature?: unknown;
  readonly data?: unknown;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface MessagesBody {
  readonly stream?: boolean;
  readonly model: string;
  readonly messages: readonly Message[];
}

/** The turn whose thinking is redacted. */
const redactedTurn = 2;

/** Begins each turn with a signed thinking block, and requires it back with the turn's calls. */
export function startClaude(): Promise<Vendor> {
  const journey = createJourney();
  return startVendor<MessagesBody>('/v1/messages', ({ model, messages }, bytes) => {
    const problem = problemOf(messages, journey);
    if (problem !== undefined) return rejected(problem);
    const turns = turnsAfterUser(messages).length;
    if (turns >= turnCount) return rejected('no turn left');
    const turn = journey.next(turns);
    const usage = { input: Math.ceil(bytes / 4), output: 30 };
    const content = blocksOf(turn, turns === redactedTurn);
    const stop_reason = turn.calls.length > 0 ? 'tool_use' : 'end_turn';
    const head = { id: 'msg_1', type: 'message', role: 'assistant', model };
    const counts = { input_tokens: usage.input, output_tokens: usage.output };
    const whole = { ...head, content, stop_reason, stop_sequence: null, usage: counts };
    const message = {
      ...{ ...head, content: [], stop_reason: null, stop_sequence: null },
      usage: { ...counts, output_tokens: 1 },
    };
    const events = [
      { type: 'message_start', message },
      ...content.flatMap(blockEvents),
      {
        ...{ type: 'message_delta', delta: { stop_reason, stop_sequence: null } },
        usage: { output_tokens: usage.output },
      },
      { type: 'message_stop' },
    ];
    return { usage, whole, events: events.map(encodeEvent) };
  });
}

function blocksOf({ calls, text, thought, signature }: Turn, isRedacted: boolean) {
  const thinking = isRedacted
    ? { type: 'redacted_thinking', data: signature }
    : { type: 'thinking', thinking: thought, signature };
  const uses = calls.map(({ id, city }) => ({
    ...{ type: 'tool_use', id: id.replace('call', 'toolu'), name: 'weather', input: { city } },
  }));
  return [thinking, ...(text === '' ? uses : [{ type: 'text', text }])];
}

function blockEvents(block: ReturnType<typeof blocksOf>[number], index: number) {
  const { empty, deltas } = inPieces(block);
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function inPieces(block: ReturnType<typeof blocksOf>[number]) {
  if ('thinking' in block) {
    const { thinking, signature } = block;
    const pieces = piecesOf(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
    const deltas = [...pieces, { type: 'signature_delta', signature }];
    return { empty: { ...block, thinking: '', signature: '' }, deltas };
  }
  if ('input' in block) {
    const pieces = piecesOf(JSON.stringify(block.input));
    const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    return { empty: { ...block, input: {} }, deltas };
  }
  if ('text' in block) {
    const deltas = piecesOf(block.text).map((text) => ({ type: 'text_delta', text }));
    return { empty: { ...block, text: '' }, deltas };
  }
  return { empty: block, deltas: [] };
}

function encodeEvent(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The contents of the assistant's messages with calls since the user's last own message. */
function turnsAfterUser(messages: readonly Message[]): readonly (readonly Block[])[] {
  const last = messages.findLastIndex(
    ({ role, content }) =>
      role === 'user' &&
      (typeof content === 'string' || content.some(({ type }) => type !== 'tool_result')),
  );
  return messages
    .slice(last + 1)
    .flatMap(({ content }) => (typeof content === 'string' ? [] : [content]))
    .filter((content) => content.some(({ type }) => type === 'tool_use'));
}

function problemOf(messages: readonly Message[], journey: Journey): string | undefined {
  for (const content of turnsAfterUser(messages)) {
    const [first] = content;
    if (first?.type !== 'thinking' && first?.type !== 'redacted_thinking') {
      return `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`;
    }
    const use = content.find(({ type }) => type === 'tool_use');
    const turn = journey.turnOf(use?.id?.replace('toolu', 'call'));
    const isIssued =
      first.type === 'thinking'
        ? turn?.signature === first.signature && turn?.thought === first.thinking
        : turn?.signature === first.data;
    if (!isIssued) return 'Invalid `signature` in `thinking` block';
  }
  return undefined;
}

function rejected(message: string) {
  return {
    status: 400,
    error: { type: 'error', error: { type: 'invalid_request_error', message } },
  };
}
