import process from 'node:process';

const { BASE_URL, API_KEY, SPENT_KEY, MODELS } = process.env;
const models = JSON.parse(MODELS);

/** Words that the model says back. */
export const hello = 'Hello there';
export const sentence = 'Some words that come one by one';

/** The orders of a stream that dies in its midst. */
export const broken = JSON.stringify({
  text: sentence,
  stream: { stop: { how: 'break', after: 3 } },
});

/** The order to write arguments that are not JSON. */
export const breaksArguments = 'Break the arguments';

/** One pixel. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' +
  'AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What the tool asks for. */
export const citySchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

/** The tool as chat completions have it. */
export const weather = {
  type: 'function',
  function: { name: 'weather', description: 'The weather of a city', parameters: citySchema },
};

/**
 * Runs each scenario of a client by itself, below a path that names it, and prints in one line what
 * its caller saw: an answer, or the status of what was raised.
 */
export async function tell(scenarios) {
  for (const [name, run] of Object.entries(scenarios)) {
    const apiKey = name === 'spent' ? SPENT_KEY : API_KEY;
    let saw;
    try {
      saw = await run({ url: `${BASE_URL}/${name}`, apiKey, models });
      // An answer where a refusal was expected is not printed whole.
      if (name === 'spent' || name === 'throttled') saw = { answered: true };
    } catch (error) {
      saw = { raised: statusOf(error) ?? true, as: error?.constructor?.name };
      if (process.env.EXPLAIN) console.error(error);
    }
    console.log(JSON.stringify({ scenario: name, saw }));
  }
}

/** Some clients wrap what they had in the last attempt. */
function statusOf(error) {
  return (
    error?.status ?? error?.statusCode ?? (error?.lastError ? statusOf(error.lastError) : undefined)
  );
}

/** What an agent is asked, one after the other, and what its tool answers. */
export const questions = ['How warm is it?', 'And now?'];
/** A session that was stored between two questions. */
export const stored = (messages) => JSON.parse(JSON.stringify(messages));
export const resultOf = ({ city }) => `${city}: 21 degrees`;

/** A scenario for each model that wants its own words back, whole and streamed. */
export function journeysOf(run, names = Object.keys(models.thinkers)) {
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, (at) => run(at, models.thinkers[name], false)],
      [`${name}-stream`, (at) => run(at, models.thinkers[name], true)],
    ]),
  );
}
