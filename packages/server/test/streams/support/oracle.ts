import { toldRates } from './told.ts';

/** The booking of a call, by the words of `docs/ledger.md` and without the service's code. */
export interface Amounts {
  /** Its maximum cost, which is reserved. */
  readonly most: bigint;
  /** The platform's counts for the request. */
  readonly inputTokens: bigint;
  /** The price of this number of output tokens in addition to those of the request. */
  exact(outputTokens: number): bigint;
  /** The request at its price, as reported by the platform, and the maximum output. */
  statedInput(): bigint;
  /** Bytes of the texts of the prompt, and this many of the response, three to a token. */
  bytes(answerBytes: number): bigint;
}

interface Body {
  readonly maxTokens: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
  }[];
  readonly schema?: object;
}

/** The amounts of a call of a model that follows instructions, in pico-USD. */
export function amountsOf(body: Body): Amounts {
  const { maxTokens, messages, tools = [], schema } = body;
  const boundTokens = BigInt(Buffer.byteLength(JSON.stringify(body)) + 1_024);
  const maxOutput = BigInt(maxTokens) * toldRates.output;
  const perMessage = messages.map(({ content }) => 4 + tokensOf(content));
  const perTool = tools.map(
    ({ name, description, inputSchema }) =>
      8 + tokensOf(name) + tokensOf(description) + tokensOf(JSON.stringify(inputSchema)),
  );
  const perSchema = schema === undefined ? 0 : 8 + tokensOf(JSON.stringify(schema));
  const inputTokens = BigInt(16 + sum(perMessage) + sum(perTool) + perSchema);
  const texts = messages.map(({ content }) => content).join('');
  const declared =
    (tools.length === 0 ? '' : JSON.stringify(tools)) +
    (schema === undefined ? '' : JSON.stringify(schema));
  const promptBytes = Buffer.byteLength(texts + declared);
  return {
    most: boundTokens * toldRates.dearestInput + maxOutput,
    inputTokens,
    exact: (outputTokens) =>
      inputTokens * toldRates.input + BigInt(outputTokens) * toldRates.output,
    statedInput: () => inputTokens * toldRates.input + maxOutput,
    bytes: (answerBytes) =>
      BigInt(Math.ceil(promptBytes / 3)) * toldRates.input +
      BigInt(Math.ceil(answerBytes / 3)) * toldRates.output,
  };
}

/** Tokens of a text by the simulator's rule: its bytes by four, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
