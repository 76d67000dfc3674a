// A server of your own between a page and the gateway: the key stays here.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createClient } from '@model-gateway/sdk';
import { toEventStreamResponse, toUIMessageStreamResponse } from '@model-gateway/sdk/web';

const client = createClient({
  baseUrl: process.env.MODEL_GATEWAY_URL ?? 'http://127.0.0.1:8787/v1',
  apiKey: process.env.MODEL_GATEWAY_KEY ?? '',
});

/** A page that shows each word as it comes. */
const page = `<!doctype html><title>Ask</title><form><input name="text"><button>Ask</button></form>
<p></p><script>
document.forms[0].onsubmit = (submitted) => {
  submitted.preventDefault();
  const answer = document.querySelector('p');
  answer.textContent = '';
  const text = encodeURIComponent(document.forms[0].text.value);
  const events = new EventSource('/ask?text=' + text);
  events.addEventListener('text', ({ data }) => { answer.append(JSON.parse(data).text); });
  events.addEventListener('finish', () => events.close());
  events.addEventListener('error', ({ data }) => {
    // Without data it is the connection: an EventSource would ask again, and pay again.
    answer.append(' (' + (data ? JSON.parse(data).code : 'the connection broke') + ')');
    events.close();
  });
};
</script>`;

const server = createServer(async (incoming, outgoing) => {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://page.example');
  if (pathname === '/ask') {
    return send(toEventStreamResponse(chat(searchParams.get('text') ?? '')), outgoing);
  }
  // The request of the AI SDK's useChat: all its messages, each in parts.
  if (pathname === '/api/chat') {
    return send(toUIMessageStreamResponse(chat(await lastText(incoming))), outgoing);
  }
  outgoing.setHeader('content-type', 'text/html; charset=utf-8').end(page);
});

function chat(content: string) {
  const messages = [{ role: 'user' as const, content }];
  return client.chatStream({ model: 'sim-echo', maxTokens: 500, messages });
}

async function lastText(incoming: IncomingMessage): Promise<string> {
  const { messages } = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
  const parts: readonly { type: string; text?: string }[] = messages.at(-1).parts;
  return parts.map(({ text = '' }) => text).join('');
}

/** A disconnected page destroys the stream, which ends the call. */
function send(response: Response, outgoing: ServerResponse): void {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void outgoing.end();
  const body = Readable.fromWeb(response.body);
  outgoing.on('close', () => body.destroy());
  body.pipe(outgoing);
}

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${Object(server.address()).port}/`);
});
