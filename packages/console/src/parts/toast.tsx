import { useEffect, useState } from 'preact/hooks';

interface Toast {
  readonly text: string;
  readonly undo?: (() => void) | undefined;
}

let show: ((next: Toast) => void) | undefined;

/** The result of an action, for a few seconds. */
export function toast(text: string, undo?: () => void): void {
  show?.({ text, undo });
}

const shownMs = 6_000;

/** Once in the frame. */
export function Toasts() {
  const [current, setCurrent] = useState<Toast>();
  useEffect(() => {
    show = setCurrent;
    return () => {
      show = undefined;
    };
  }, []);
  useEffect(() => {
    if (current === undefined) return;
    const timer = setTimeout(() => setCurrent(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <output class="toasts">
      {current !== undefined && (
        <div class="toast">
          {current.text}
          {current.undo !== undefined && (
            <button
              type="button"
              class="quiet small"
              onClick={() => {
                current.undo?.();
                setCurrent(undefined);
              }}
            >
              Undo
            </button>
          )}
        </div>
      )}
    </output>
  );
}
