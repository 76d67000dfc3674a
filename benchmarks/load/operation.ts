/** The kind of call: a chat, a streamed chat, a relayed message, or embeddings of a text. */
export type Operation = 'chat' | 'stream' | 'relay' | 'embeddings';

/** The text of the upstream's response. */
export const expectedText = 'The benchmark answers with this sentence.';

/** The number of deltas in a stream; the last one is the sentence. */
export const deltasOfStream = 20;

/** The number of dimensions, as in the most used embedding model. */
export const dimensions = 1_536;

/** The first of the upstream's numbers. */
const firstNumber = 0.0210131;

/** The embedding of every text. */
export function numbersOfText(): readonly number[] {
  const rest = (at: number) => Number((Math.sin(at) / 40).toPrecision(7));
  return Array.from({ length: dimensions }, (_, at) => (at === 0 ? firstNumber : rest(at)));
}

/** A part of every good response. */
export const expectedIn: Readonly<Record<Operation, string>> = {
  chat: expectedText,
  stream: expectedText,
  relay: expectedText,
  embeddings: String(firstNumber),
};
