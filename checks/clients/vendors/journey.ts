import { randomBytes } from 'node:crypto';

/** A call of the tool `weather` that the model makes. */
export interface CityCall {
  readonly id: string;
  readonly city: string;
}

/** One turn of the model: calls of the tool, or the text that ends the agent's run. */
export interface Turn {
  readonly calls: readonly CityCall[];
  readonly text: string;
  /** The model's thought, with characters that a careless copy changes. */
  readonly thought: string;
  /** A value that only the platform can have written. */
  readonly signature: string;
}

/** The cities of each turn; the second turn has two calls at once. */
const cities = [['Ulm'], ['Bonn', 'Kiel'], ['Jena'], ['Trier']];

/** The number of an agent's requests, including the one with the last text. */
export const turnCount = cities.length + 1;

export const lastText = 'It is 21 degrees in five cities';

/** A model's memory of its turns, which it compares with the returned messages. */
export interface Journey {
  /** The next turn after so many turns with calls. */
  next(turns: number): Turn;
  /** The turn that made a call; undefined where there is none. */
  turnOf(callId: string | undefined): Turn | undefined;
}

export function createJourney(): Journey {
  const turns = new Map<string, Turn>();
  return {
    turnOf: (callId) => turns.get(callId ?? ''),
    next(count) {
      const calls = (cities[count] ?? []).map((city) => ({ id: `call_${randomId()}`, city }));
      const turn = {
        calls,
        text: calls.length === 0 ? lastText : '',
        thought: `Turn ${count + 1}: “weather”?\n\t\\ \u2028 ${randomId()} 🌧 é`,
        signature: randomBytes(96).toString('base64'),
      };
      for (const { id } of calls) turns.set(id, turn);
      return turn;
    },
  };
}

function randomId(): string {
  return randomBytes(9).toString('hex');
}

/** A text in pieces, as in a stream; no character is divided. */
export function piecesOf(text: string): readonly string[] {
  const characters = [...text];
  const size = Math.ceil(characters.length / 3);
  return [0, 1, 2]
    .map((index) => characters.slice(index * size, (index + 1) * size).join(''))
    .filter((piece) => piece !== '');
}
