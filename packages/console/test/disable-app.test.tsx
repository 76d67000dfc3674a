import { AppChanged, AppPage } from '@model-gateway/server/console/documents';
import { render } from 'preact';
import { afterEach, expect, test, vi } from 'vitest';
import { createSampler } from '../../../checks/console/fixtures/sample.ts';
import { forgetAll } from '../src/data/read.ts';
import { Console } from '../src/shell/console.tsx';
import { openBrowser } from './support/browser.ts';

const session = {
  ...{ name: 'ada', role: 'operator', apps: null, company: 'acme', version: '1.2.3' },
  ...{ may: ['look', 'spend', 'users', 'keys', 'money', 'operate'], via: 'session' },
  expiresAt: '2026-11-22T20:00:00.000Z',
};

let browser: ReturnType<typeof openBrowser>;
let isEnabled = true;
let isChangedMeanwhile = false;

function open() {
  const page: object = Object(createSampler('empty')(AppPage));
  const changed: object = Object(createSampler('empty')(AppChanged));
  const settings = () => ({ ...settingsOf(page), name: 'search', enabled: isEnabled });
  browser = openBrowser('/console/apps/search', (path, { method, body, headers }) => {
    if (path === '/session') return { body: session };
    if (method === 'PATCH') {
      const { dryRun }: { dryRun?: boolean } = Object(body);
      if (isChangedMeanwhile) return { status: 412, body: stale };
      expect(headers.get('if-match')).toBe('"as-seen"');
      if (dryRun !== true) isEnabled = false;
      return { body: { ...changed, changes: [{ ...line, dryRun }] } };
    }
    if (path === '/apps/search') {
      return { body: { ...page, settings: settings() }, etag: '"as-seen"' };
    }
    return { body: { items: [], next: null } };
  });
  render(<Console />, browser.root);
}

function settingsOf(page: object): object {
  return 'settings' in page ? Object(page.settings) : {};
}

const line = {
  ...{ action: 'app.update', subject: 'search' },
  ...{ before: '{"enabled":true}', after: '{"enabled":false}' },
};
const stale = {
  error: {
    code: 'STALE',
    message: 'The app search was changed meanwhile',
    now: { enabled: false },
  },
};

afterEach(async () => {
  [isEnabled, isChangedMeanwhile] = [true, false];
  render(null, browser.root);
  forgetAll();
  await browser.close();
});

test('an app is disabled once its name is typed and a reason is given', async () => {
  open();
  await vi.waitFor(() => expect(button('Disable app…')).toBeDefined());
  button('Disable app…')?.click();
  await vi.waitFor(() =>
    expect(browser.text()).toContain('Every key of it is refused from now on'),
  );
  const submit = () => button('Disable');
  expect(submit()?.hasAttribute('disabled')).toBe(true);
  type('confirm', 'searc');
  await vi.waitFor(() => expect(input('confirm').value).toBe('searc'));
  expect(submit()?.hasAttribute('disabled')).toBe(true);
  type('confirm', 'search');
  type('reason', 'it is not ours any more');
  await vi.waitFor(() => expect(submit()?.hasAttribute('disabled')).toBe(false));
  expect(browser.asked.filter(({ method }) => method === 'PATCH').map(isRehearsal)).not.toContain(
    false,
  );
  submit()?.click();
  await vi.waitFor(() => expect(button('Enable app…')).toBeDefined());
  const sent = browser.asked.filter((asked) => asked.method === 'PATCH' && !isRehearsal(asked));
  expect(sent.map(({ path, body }) => [path, body])).toEqual([
    [
      '/apps/search',
      { reason: 'it is not ours any more', confirm: 'search', settings: { enabled: false } },
    ],
  ]);
  expect(browser.window.document.querySelector('dialog')).toBeNull();
});

test('one that was changed meanwhile is not disabled, and it is said', async () => {
  isChangedMeanwhile = true;
  open();
  await vi.waitFor(() => expect(button('Disable app…')).toBeDefined());
  button('Disable app…')?.click();
  await vi.waitFor(() => expect(button('Disable')).toBeDefined());
  type('confirm', 'search');
  type('reason', 'it is not ours any more');
  await vi.waitFor(() => expect(button('Disable')?.hasAttribute('disabled')).toBe(false));
  button('Disable')?.click();
  await vi.waitFor(() => expect(browser.text()).toContain('was changed meanwhile'));
  expect(isEnabled).toBe(true);
});

function isRehearsal({ body }: { readonly body: unknown }): boolean {
  return Object(body).dryRun === true;
}

function button(text: string) {
  const all = [...browser.window.document.querySelectorAll('button')];
  return all.find(({ textContent }) => textContent === text);
}

function input(wanted: string) {
  const found = [...browser.window.document.querySelectorAll('input')];
  const [field] = found.filter(({ name }) => name === wanted);
  if (field === undefined) throw new Error(`the dialog has no field ${wanted}`);
  return field;
}

function type(name: string, text: string) {
  input(name).value = text;
  input(name).dispatchEvent(new browser.window.Event('input', { bubbles: true }));
}
