import { createServer, type ServerResponse } from 'node:http';
import { expectedText } from '../load/operation.ts';
import { serveUntilParentEnds } from '../processes/serve.ts';
import { completion, events, message } from '../upstream/answers.ts';
import { embeddedTexts, models } from './calls.ts';

// The model platform of the proof. It finds the model in the first piece of a body and reads
// nothing more, so a large body costs it next to nothing.

/** The interval between two events of a slow stream, and their number. */
const slowMs = 1_000;
const slowEvents = 150;
/** Just below the time limit of a model call. */
const waitingMs = 20_000;

const usage = { input_tokens: 19, output_tokens: 12, total_tokens: 31 };
const part = { type: 'output_text', text: expectedText, annotations: [] };
const output = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
const response = {
  ...{ id: 'resp_1', object: 'response', created_at: 1_741_569_952, status: 'completed' },
  ...{ model: models.responses, output: [{ ...output, content: [part] }], usage },
};
const numbers = Array.from({ length: 8 }, (_, at) => Number(Math.sin(at + 1).toPrecision(7)));
const vectors = {
  ...{ object: 'list', model: models.embeddings, usage: { prompt_tokens: 19, total_tokens: 19 } },
  data: Array.from({ length: embeddedTexts }, (_, index) => {
    return { object: 'embedding', index, embedding: numbers };
  }),
};

const answers: Readonly<Record<string, Buffer>> = {
  [models.object]: Buffer.from(
    String(completion).replace(JSON.stringify(expectedText), JSON.stringify('{"a":"b"}')),
  ),
  [models.responses]: bytesOf(response),
  [models.messages]: message,
  [models.embeddings]: bytesOf(vectors),
};

const [delta = Buffer.alloc(0)] = events;
/** The events after the deltas of a stream. */
const ending = Buffer.concat(events.slice(-3));

interface Slow {
  readonly outgoing: ServerResponse;
  remainingEvents: number;
}

const slow = new Set<Slow>();
setInterval(() => slow.forEach(sendNext), slowMs);

serveUntilParentEnds(
  createServer({ keepAliveTimeout: 75_000 }, (incoming, outgoing) => {
    let model: string | undefined;
    incoming.on('data', (piece: Buffer) => {
      model ??= /"model":"([^"]+)"/.exec(piece.toString('latin1', 0, 4_096))?.[1] ?? '';
    });
    incoming.on('end', () => {
      if (model === models.waiting) setTimeout(answer, waitingMs, model, outgoing);
      else answer(model ?? '', outgoing);
    });
  }),
);

function answer(model: string, outgoing: ServerResponse) {
  if (model === models.stream || model === models.slowStream) {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_fair' });
    if (model === models.stream) outgoing.end(Buffer.concat(events));
    else begin(outgoing);
    return;
  }
  const bytes = answers[model] ?? completion;
  const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
  outgoing.writeHead(200, { ...headers, 'x-request-id': 'req_fair' });
  outgoing.end(bytes);
}

function begin(outgoing: ServerResponse) {
  const stream = { outgoing, remainingEvents: slowEvents };
  slow.add(stream);
  outgoing.on('close', () => slow.delete(stream));
  sendNext(stream);
}

function sendNext(stream: Slow) {
  const { outgoing } = stream;
  stream.remainingEvents -= 1;
  if (stream.remainingEvents > 0) return void outgoing.write(delta);
  slow.delete(stream);
  outgoing.end(ending);
}

function bytesOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
