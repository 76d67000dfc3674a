import { useEffect, useState } from 'preact/hooks';
import { listen } from '../data/live.ts';
import { markChanged, startPolling } from '../data/read.ts';

/** Whether the service streams changes to the console; it starts with `isEnabled`. */
export function useLive(isEnabled: boolean): boolean | undefined {
  const [isLive, setLive] = useState<boolean>();
  useEffect(() => {
    if (!isEnabled) return;
    const stopListening = whileVisible(() =>
      listen({
        onChange: markChanged,
        onState(state) {
          setLive(state);
          // Events from before the page listened are not repeated.
          if (state) markChanged();
        },
      }),
    );
    const stopPolling = startPolling();
    return () => {
      stopListening();
      stopPolling();
    };
  }, [isEnabled]);
  return isLive;
}

/** A hidden page needs no stream, and a service has few of them. The returned function ends it. */
export function whileVisible(begin: () => () => void): () => void {
  let end: (() => void) | undefined;
  const follow = () => {
    if (document.visibilityState === 'hidden') {
      end?.();
      end = undefined;
    } else end ??= begin();
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    end?.();
  };
}
