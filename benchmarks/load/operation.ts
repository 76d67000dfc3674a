/** What a call asks for: a chat, one that is streamed, a relayed message, or numbers for a text. */
export type Operation = 'chat' | 'stream' | 'relay' | 'embeddings';

/** The text that the upstream answers with. */
export const expectedText = 'The benchmark answers with this sentence.';

/** How many deltas a stream has; the last one is the sentence. */
export const deltasOfStream = 20;

/** How many numbers a text gets: as many as those of the model that most services use. */
export const dimensions = 1_536;

/** The first of the numbers that the upstream answers with. */
const firstNumber = 0.0210131;

/** The numbers of every text. */
export function numbersOfText(): readonly number[] {
  const rest = (at: number) => Number((Math.sin(at) / 40).toPrecision(7));
  return Array.from({ length: dimensions }, (_, at) => (at === 0 ? firstNumber : rest(at)));
}

/** What every good answer holds. */
export const expectedIn: Readonly<Record<Operation, string>> = {
  chat: expectedText,
  stream: expectedText,
  relay: expectedText,
  embeddings: String(firstNumber),
};
