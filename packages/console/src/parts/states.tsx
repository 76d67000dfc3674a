import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** As large as the content that it replaces. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="mark accent">
        <Icon of={icon} />
      </span>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

interface AlertProps {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** It existed before the reader came: screen readers do not announce it. */
  readonly isLasting?: boolean;
}

const icons = { good: 'done', warn: 'warning', bad: 'warning' } as const;

export function Alert({ tone, children, actions, isLasting }: AlertProps) {
  return (
    <div class={`alert ${tone}`} role={tone === 'bad' && isLasting !== true ? 'alert' : undefined}>
      <Icon of={icons[tone]} />
      <span>{children}</span>
      {actions}
    </div>
  );
}

/** A placeholder for a table or a chart. */
export function Skeleton({ rows }: { readonly rows: number }) {
  return (
    <div class="body bones" aria-hidden="true">
      {Array.from({ length: rows }, (_, at) => (
        <span key={at} class={`bone ${widths[at % widths.length]}`} />
      ))}
    </div>
  );
}

const widths = ['w90', 'w70', 'w50'];
