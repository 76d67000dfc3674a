import { createModelGateway } from '@model-gateway/sdk/ai';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { citySchema, journeysOf, question, resultOf, tell } from './tell.js';

const weather = tool({
  ...{ description: 'The weather of a city', inputSchema: jsonSchema(citySchema) },
  execute: async (input) => resultOf(input),
});

await tell(journeysOf(run));

/** The AI SDK with the gateway's own provider. */
async function run({ url, apiKey }, model, isStreamed) {
  const gateway = createModelGateway({ baseUrl: `${url}/v1`, apiKey });
  const asked = {
    ...{ model: gateway(model), prompt: question, tools: { weather } },
    ...{ stopWhen: stepCountIs(8), maxRetries: 0 },
  };
  if (!isStreamed) return { text: (await generateText(asked)).text };
  let raised;
  const onError = ({ error }) => {
    raised = error;
  };
  let text = '';
  for await (const piece of streamText({ ...asked, onError }).textStream) text += piece;
  if (raised !== undefined) throw raised;
  return { text };
}
