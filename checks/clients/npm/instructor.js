import instructor from '@instructor-ai/instructor';
import OpenAI from 'openai';
import { z } from 'zod/v3';
import { hello, tell } from './tell.js';

const Place = z.object({ city: z.string() });

await tell({
  // Its other modes add fields of other vendors to `response_format`.
  object: (at) => ask(at, 'TOOLS'),
  spent: (at) => ask(at, 'TOOLS'),
  throttled: (at) => ask({ ...at, row: 'throttled' }, 'TOOLS'),
});

async function ask({ url, apiKey, models, row = 'echo' }, mode) {
  const client = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey });
  const place = await instructor({ client, mode }).chat.completions.create({
    model: models.chat[row],
    messages: [{ role: 'user', content: hello }],
    response_model: { schema: Place, name: 'Place' },
  });
  return { keys: Object.keys(place).filter((key) => key !== '_meta') };
}
