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
