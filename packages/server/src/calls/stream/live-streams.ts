/** The streamed calls of this process whose first delta has come, and that are not settled. */
export interface LiveStreams {
  /** Until it is taken back; while the process is ending, it is stopped at once. */
  add(stream: Stoppable): () => void;
  count(): number;
  /** Stops every one, and those that are still to come, at the end of the process. */
  stopAll(): void;
}

interface Stoppable {
  stop(): void;
}

/** None yet. */
export function createLiveStreams(): LiveStreams {
  const live = new Set<Stoppable>();
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
