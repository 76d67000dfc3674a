import { createClient, tool } from '@model-gateway/sdk';
import { citySchema, journeysOf, questions, resultOf, stored, tell } from './tell.js';

const weather = tool({
  ...{ name: 'weather', description: 'The weather of a city', input: citySchema },
  execute: resultOf,
});

await tell(journeysOf(run));

/** The gateway's own client, which makes the turns itself. */
async function run({ url, apiKey }, model, isStreamed) {
  const client = createClient({ baseUrl: `${url}/v1`, apiKey });
  let messages = [];
  let last;
  for (const content of questions) {
    messages = stored([...messages, { role: 'user', content }]);
    const asked = { model, maxTokens: 500, messages, tools: [weather] };
    let streamed = '';
    const onText = (text) => {
      streamed += text;
    };
    const done = await client.runAgent(asked, isStreamed ? { onText } : {});
    last = isStreamed ? streamed : done.text;
    messages = done.messages;
  }
  return { text: last };
}
