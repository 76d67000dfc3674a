import { type CityCall, createJourney, type Journey, type Turn, turnCount } from './journey.ts';
import { startVendor, type TokenCounts, type Vendor } from './vendor.ts';

/** A message of chat completions, with the fields that these vendors add. */
export interface ChatMessage {
  readonly role: string;
  readonly reasoning_content?: unknown;
  readonly tool_calls?: readonly ChatCall[];
}

/** A call in a message. */
export interface ChatCall {
  readonly id?: string;
  readonly extra_content?: { readonly google?: { readonly thought_signature?: unknown } };
}

interface ChatBody {
  readonly stream?: boolean;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A call in the format of chat completions. */
type WrittenCall = ReturnType<ReturnType<typeof callWriter>>;

/** A turn, with its calls written out. */
export interface ChatTurn extends Omit<Turn, 'calls'> {
  readonly calls: readonly WrittenCall[];
}

/** The differences between vendors of chat completions. */
export interface ChatDialect {
  readonly path: string;
  /** The body of the 400, if the messages lack content that the vendor requires back. */
  problemOf(messages: readonly ChatMessage[], journey: Journey): unknown;
  /** The message of a whole response. */
  message(turn: ChatTurn): object;
  deltas(turn: ChatTurn): readonly object[];
  /** The counts of a response, and their bill. */
  usage(inputTokens: number): { readonly reported: object; readonly billed: TokenCounts };
}

/** Serves chat completions with one model that makes the journey. */
export function startChatVendor(dialect: ChatDialect): Promise<Vendor> {
  const journey = createJourney();
  return startVendor<ChatBody>(dialect.path, ({ messages, tools }, bytes) => {
    const problem = dialect.problemOf(messages, journey);
    if (problem !== undefined) return { status: 400, error: problem };
    const turns = turnsAfterUser(messages).length;
    if (turns >= turnCount) return { status: 400, error: { error: { message: 'no turn left' } } };
    const next = journey.next(turns);
    const turn = { ...next, calls: next.calls.map(callWriter(tools)) };
    const finish_reason = turn.calls.length > 0 ? 'tool_calls' : 'stop';
    const { reported, billed } = dialect.usage(Math.ceil(bytes / 4));
    const head = { id: 'chatcmpl-1', created: 1, model: 'vendor-model' };
    const whole = {
      ...{ ...head, object: 'chat.completion', usage: reported },
      choices: [{ index: 0, message: dialect.message(turn), finish_reason }],
    };
    const chunk = (fields: object) => {
      const event = { ...head, object: 'chat.completion.chunk', ...fields };
      return `data: ${JSON.stringify(event)}\n\n`;
    };
    const choice = (delta: object, reason: string | null) => {
      return chunk({ choices: [{ index: 0, delta, finish_reason: reason }] });
    };
    const events = [
      ...dialect.deltas(turn).map((delta) => choice(delta, null)),
      choice({}, finish_reason),
      chunk({ choices: [], usage: reported }),
      'data: [DONE]\n\n',
    ];
    return { usage: billed, whole, events };
  });
}

/** The assistant's messages with calls since the user's last one. */
export function turnsAfterUser(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(last + 1).filter(hasCalls);
}

export function hasCalls({ tool_calls }: ChatMessage): boolean {
  return tool_calls !== undefined && tool_calls.length > 0;
}

/** A program without the tool `weather` has `bash`. */
function callWriter(tools: ChatBody['tools']) {
  const hasWeather = tools?.some((tool) => tool.function.name === 'weather');
  return ({ id, city }: CityCall) => {
    const called = hasWeather
      ? { name: 'weather', arguments: JSON.stringify({ city }) }
      : { name: 'bash', arguments: JSON.stringify({ command: `echo ${city}`, description: city }) };
    return { id, type: 'function', function: called };
  };
}
