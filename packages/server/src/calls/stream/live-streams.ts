export interface LiveStreams {
  /** Returns a function that removes it. Stops the stream at once during shutdown. */
  add(stream: StoppableStream): () => void;
  count(): number;
  /** Also stops streams that are added later; for shutdown. */
  stopAll(): void;
}

interface StoppableStream {
  stop(): void;
}

export function createLiveStreams(): LiveStreams {
  const live = new Set<StoppableStream>();
  let isEnding = false;
  return {
    add(stream) {
      live.add(stream);
      if (isEnding) stream.stop();
      return () => void live.delete(stream);
    },
    count: () => live.size,
    stopAll() {
      isEnding = true;
      for (const stream of [...live]) stream.stop();
    },
  };
}
