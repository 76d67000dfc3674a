import { createClient, tool } from '@model-gateway/sdk';
import { citySchema, journeysOf, question, resultOf, tell } from './tell.js';

const weather = tool({
  ...{ name: 'weather', description: 'The weather of a city', input: citySchema },
  execute: resultOf,
});

await tell(journeysOf(run));

/** The gateway's own client, which makes the turns itself. */
async function run({ url, apiKey }, model, isStreamed) {
  const client = createClient({ baseUrl: `${url}/v1`, apiKey });
  const messages = [{ role: 'user', content: question }];
  const asked = { model, maxTokens: 500, messages, tools: [weather] };
  let streamed = '';
  const onText = (text) => {
    streamed += text;
  };
  const { text } = await client.runAgent(asked, isStreamed ? { onText } : {});
  return { text: isStreamed ? streamed : text };
}
