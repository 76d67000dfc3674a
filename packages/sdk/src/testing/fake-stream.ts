/** An event before serialization: its name and its data. */
export type FakeEvent = readonly [name: string, data: object];

/** The events before the last of a stream whose response is `body`: its text word by word. */
export function eventsOf(body: object): readonly FakeEvent[] {
  const { id, model, requestId = null, text, object, toolCalls = [] } = Object(body);
  const start = { id, model, requestId };
  const texts = piecesOf(text).map((piece): FakeEvent => ['text', { text: piece }]);
  const json = object === undefined ? undefined : JSON.stringify(object);
  const jsons = piecesOf(json).map((piece): FakeEvent => ['json', { text: piece }]);
  const calls = toolCalls.map((call: object): FakeEvent => ['toolCall', call]);
  return [['start', start], ...texts, ...jsons, ...calls];
}

function piecesOf(text: unknown): readonly string[] {
  return typeof text === 'string' ? (text.match(/\S+\s*|\s+/g) ?? []) : [];
}

/** The response with these events; `breaksWith` then breaks its connection. */
export function streamResponse(
  events: readonly FakeEvent[],
  headers: Readonly<Record<string, string>>,
  breaksWith?: Error,
): Response {
  const encoder = new TextEncoder();
  const pieces = events.map(([name, data], index) =>
    encoder.encode(`id: ${index + 1}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
  );
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (breaksWith === undefined) controller.close();
      else controller.error(breaksWith);
    },
  });
  const type = { 'content-type': 'text/event-stream; charset=utf-8' };
  return new Response(body, { status: 200, headers: { ...type, ...headers } });
}
