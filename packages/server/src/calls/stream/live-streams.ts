export interface LiveStreams {
  /** Returns its removal; stops the stream at once while the process ends. */
  add(stream: StoppableStream): () => void;
  count(): number;
  /** Also stops later ones; for the end of the process. */
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
