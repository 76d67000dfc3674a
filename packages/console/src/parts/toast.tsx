import { useEffect, useState } from 'preact/hooks';

interface Told {
  readonly text: string;
  readonly undo?: (() => void) | undefined;
}

let show: ((told: Told) => void) | undefined;

/** The result of an action, for a few seconds. */
export function toast(text: string, undo?: () => void): void {
  show?.({ text, undo });
}

const shownMs = 6_000;

/** Once in the frame. */
export function Toasts() {
  const [told, tell] = useState<Told>();
  useEffect(() => {
    show = tell;
    return () => {
      show = undefined;
    };
  }, []);
  useEffect(() => {
    if (told === undefined) return;
    const timer = setTimeout(() => tell(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <output class="toasts">
      {told !== undefined && (
        <div class="toast">
          {told.text}
          {told.undo !== undefined && (
            <button
              type="button"
              class="quiet small"
              onClick={() => {
                told.undo?.();
                tell(undefined);
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
