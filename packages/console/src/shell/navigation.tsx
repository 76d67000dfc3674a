import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { type Session, useSession } from '../data/session.ts';
import type { IconName } from '../parts/icon.tsx';
import { Icon } from '../parts/icon.tsx';
import { en } from '../text/en.ts';
import { AttentionCount } from './attention-count.tsx';

interface Page {
  readonly name: keyof typeof en.pages;
  readonly href: string;
  readonly icon: IconName;
  /** Shown only to roles that may do it. */
  readonly action?: string;
  /** Concerns every app. */
  readonly isOfAll?: true;
}

interface Group {
  readonly name: keyof typeof en.groups;
  readonly pages: readonly Page[];
}

export const groups: readonly Group[] = [
  {
    name: 'monitor',
    pages: [
      { name: 'today', href: '/console/', icon: 'home' },
      { name: 'calls', href: '/console/calls', icon: 'calls' },
      { name: 'health', href: '/console/health', icon: 'health' },
    ],
  },
  {
    name: 'money',
    pages: [
      { name: 'spend', href: '/console/spend', icon: 'bars' },
      { name: 'budgets', href: '/console/budgets', icon: 'pie' },
      {
        ...{ name: 'reconcile', href: '/console/reconcile', icon: 'switched' },
        ...{ action: 'money', isOfAll: true },
      },
    ],
  },
  {
    name: 'manage',
    pages: [
      { name: 'apps', href: '/console/apps', icon: 'apps' },
      { name: 'keys', href: '/console/keys', icon: 'key' },
      { name: 'models', href: '/console/models', icon: 'model' },
    ],
  },
  {
    name: 'administer',
    pages: [
      { name: 'access', href: '/console/access', icon: 'access', action: 'access' },
      { name: 'activity', href: '/console/activity', icon: 'activity' },
    ],
  },
];

export function Navigation() {
  return (
    <nav aria-label={en.navigation}>
      {groups.map(({ name, pages }) => (
        <PageGroup key={name} title={en.groups[name]} pages={pages} />
      ))}
    </nav>
  );
}

interface GroupProps {
  readonly title: string;
  readonly pages: readonly Page[];
}

function PageGroup({ title, pages }: GroupProps) {
  const session = useSession();
  const shown = pages.filter((page) => isShownTo(session, page));
  if (shown.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {shown.map((page) => (
          <li key={page.name}>
            <PageLink page={page}>{page.name === 'today' && <AttentionCount />}</PageLink>
          </li>
        ))}
      </ul>
    </>
  );
}

export function isShownTo(session: Session | undefined, { action, isOfAll }: Page): boolean {
  const may = action === undefined || session?.may.includes(action) === true;
  return may && (isOfAll !== true || session?.apps === null);
}

interface LinkProps {
  readonly page: Page;
  readonly children?: ComponentChildren;
}

export function PageLink({ page, children }: LinkProps) {
  const { path } = useLocation();
  const { name, href, icon } = page;
  const isHere = href === '/console/' ? /^\/console\/?$/.test(path) : path.startsWith(href);
  return (
    <a href={href} aria-current={isHere ? 'page' : undefined}>
      <Icon of={icon} />
      {en.pages[name]}
      {children}
    </a>
  );
}

/** The pages of a phone's bar. */
export const barPages = ['today', 'spend', 'calls', 'apps'] as const;
