import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'good' | 'warn' | 'bad' | 'held' | 'accent' | 'plain';

const icons: Partial<Record<Tone, IconName>> = { warn: 'warning', bad: 'close' };

interface BadgeProps {
  readonly tone: Tone;
  readonly title?: string | undefined;
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}

/** A shape or an icon is always next to the color. */
export function Badge({ tone, title, icon = icons[tone], children }: BadgeProps) {
  const dot = icon === undefined ? ' dot' : '';
  return (
    <span class={`badge ${tone}${dot}`} title={title}>
      {icon !== undefined && <Icon of={icon} />}
      {children}
    </span>
  );
}
