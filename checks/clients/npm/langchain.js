import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { broken, citySchema, hello, pixel, sentence, tell, weather } from './tell.js';

await tell({
  async text(at) {
    const { content, usage_metadata: usage } = await open(at).invoke(hello);
    return { text: content, counts: usage.total_tokens > 0 };
  },
  stream: (at) => read(open(at, { streamUsage: false }), sentence),
  'stream-usage': (at) => read(open(at), sentence),
  async tools(at) {
    const model = open(at).bindTools([weather]);
    const asked = new HumanMessage(hello);
    const turn = await model.invoke([asked]);
    const [{ id, name }] = turn.tool_calls;
    const result = new ToolMessage({ content: '21 degrees', tool_call_id: id });
    const { content } = await model.invoke([asked, turn, result]);
    return { tool: name, text: content };
  },
  async forced(at) {
    const { tool_calls } = await open(at)
      .bindTools([weather], { tool_choice: 'weather' })
      .invoke(hello);
    return { tool: tool_calls[0].name };
  },
  async object(at) {
    const options = { name: 'place', method: 'jsonSchema' };
    const place = await open(at).withStructuredOutput(citySchema, options).invoke(hello);
    return { keys: Object.keys(place) };
  },
  async image(at) {
    const url = `data:image/png;base64,${pixel}`;
    const content = [
      { type: 'text', text: hello },
      { type: 'image_url', image_url: { url } },
    ];
    const answer = await open(at).invoke([new HumanMessage({ content })]);
    return { text: answer.content };
  },
  spent: (at) => open(at).invoke(hello),
  throttled: (at) => open({ ...at, row: 'throttled' }).invoke(hello),
  broken: (at) => read(open({ ...at, row: 'told' }), broken),
  async left(at) {
    for await (const { content } of await open({ ...at, row: 'slow' }).stream(sentence)) {
      if (content !== '') return { left: true };
    }
  },
});

function open({ url, apiKey, models, row = 'echo' }, more = {}) {
  const configuration = { baseURL: `${url}/openai/v1` };
  return new ChatOpenAI({ model: models.chat[row], apiKey, configuration, ...more });
}

async function read(model, prompt) {
  let text = '';
  let counts = false;
  for await (const piece of await model.stream(prompt)) {
    text += piece.content;
    if (piece.usage_metadata?.total_tokens > 0) counts = true;
  }
  return { text, counts };
}
