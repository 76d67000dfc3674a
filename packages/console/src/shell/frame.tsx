import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ErrorBoundary, useLocation } from 'preact-iso';
import { Live } from '../data/live-state.ts';
import { useIsRead } from '../data/read.ts';
import { Icon } from '../parts/icon.tsx';
import { Toasts } from '../parts/toast.tsx';
import { en } from '../text/en.ts';
import { Account } from './account.tsx';
import { Brand } from './brand.tsx';
import { Finder } from './finder.tsx';
import { Help } from './help.tsx';
import { barPages, groups, Navigation, PageLink } from './navigation.tsx';
import { Pages } from './pages.tsx';
import { useShortcuts } from './shortcuts.ts';
import { useLive } from './use-live.ts';

export function Frame({ onLogout }: { readonly onLogout: () => void }) {
  const [opened, open] = useState<'finder' | 'help'>();
  const find = () => open('finder');
  const help = () => open('help');
  useShortcuts({ find, help });
  const close = () => open(undefined);
  const { path } = useLocation();
  return (
    <LiveProvider>
      <a class="skip" href="#content">
        {en.skip}
      </a>
      <header class="top">
        <Brand />
        <button type="button" class="quiet icon" aria-label={en.search} onClick={find}>
          <Icon of="search" />
        </button>
      </header>
      {/* Opening a page closes the sheet. */}
      <aside id="nav" key={path} popover="auto" aria-label={en.navigation}>
        <Brand />
        <button type="button" class="find" onClick={find}>
          <Icon of="search" />
          {en.search} <kbd>/</kbd>
        </button>
        <Navigation />
        <Account onHelp={help} onLogout={onLogout} />
      </aside>
      <main id="content" tabIndex={-1}>
        <ErrorBoundary>
          <Pages />
        </ErrorBoundary>
      </main>
      <TabBar />
      <Toasts />
      {opened === 'finder' && <Finder onClose={close} />}
      {opened === 'help' && <Help onClose={close} />}
    </LiveProvider>
  );
}

/** Starts after the page has its documents, which must not wait for the stream. */
function LiveProvider({ children }: { readonly children: ComponentChildren }) {
  const isLive = useLive(useIsRead());
  return <Live.Provider value={isLive}>{children}</Live.Provider>;
}

/** Below 960 px: the most used pages, and a sheet with all of them. */
function TabBar() {
  const pages = groups.flatMap((group) => group.pages);
  return (
    <nav class="tabbar" aria-label={en.mainPages}>
      {barPages.map((name) => {
        const page = pages.find((one) => one.name === name);
        return page === undefined ? null : <PageLink key={name} page={page} />;
      })}
      <button type="button" popovertarget="nav">
        <Icon of="more" />
        {en.more}
      </button>
    </nav>
  );
}
