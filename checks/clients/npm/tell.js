import process from 'node:process';

const { BASE_URL, API_KEY, SPENT_KEY, MODELS } = process.env;
const models = JSON.parse(MODELS);

/** The words of the model's response. */
export const hello = 'Hello there';
export const sentence = 'Some words that come one by one';

/** The script of a stream that breaks off. */
export const broken = JSON.stringify({
  text: sentence,
  stream: { stop: { how: 'break', after: 3 } },
});

/** The text that makes the model write arguments that are not JSON. */
export const breaksArguments = 'Break the arguments';

/** One pixel. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' +
  'AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The arguments of the tool. */
export const citySchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

/** The tool in the format of chat completions. */
export const weather = {
  type: 'function',
  function: { name: 'weather', description: 'The weather of a city', parameters: citySchema },
};

/**
 * Runs each scenario of a client separately, below a path that names it. Prints in one line its
 * caller's result: a response, or the status of the raised error.
 */
export async function tell(scenarios) {
  for (const [name, run] of Object.entries(scenarios)) {
    const apiKey = name === 'spent' ? SPENT_KEY : API_KEY;
    let saw;
    try {
      saw = await run({ url: `${BASE_URL}/${name}`, apiKey, models });
      // An unexpected response in place of a rejection is not printed whole.
      if (name === 'spent' || name === 'throttled') saw = { answered: true };
    } catch (error) {
      saw = { raised: statusOf(error) ?? true, as: error?.constructor?.name };
      if (process.env.EXPLAIN) console.error(error);
    }
    console.log(JSON.stringify({ scenario: name, saw }));
  }
}

/** Some clients wrap the error of the last attempt. */
function statusOf(error) {
  return (
    error?.status ?? error?.statusCode ?? (error?.lastError ? statusOf(error.lastError) : undefined)
  );
}

/** The agent's questions in order, and the results of its tool. */
export const questions = ['How warm is it?', 'And now?'];
/** A session that was stored between two questions. */
export const stored = (messages) => JSON.parse(JSON.stringify(messages));
export const resultOf = ({ city }) => `${city}: 21 degrees`;

/** A scenario for each model that requires its own content back, whole and streamed. */
export function journeysOf(run, names = Object.keys(models.thinkers)) {
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, (at) => run(at, models.thinkers[name], false)],
      [`${name}-stream`, (at) => run(at, models.thinkers[name], true)],
    ]),
  );
}
