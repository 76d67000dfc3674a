import { afterEach, expect, test } from 'vitest';
import { app } from './documents/app.ts';
import { appChanged } from './documents/apps.ts';
import { overviewWithoutCalls } from './documents/overview.ts';
import { operator } from './documents/session.ts';
import { openBrowser } from './support/browser.ts';
import { waitFor } from './support/wait-for.ts';

let browser: ReturnType<typeof openBrowser>;
let isEnabled = true;
let isChangedMeanwhile = false;

function open() {
  browser = openBrowser('/console/apps/search', (path, { method, body, headers }) => {
    if (path === '/session') return { body: operator };
    if (method === 'PATCH') {
      const { dryRun }: { dryRun?: boolean } = Object(body);
      if (isChangedMeanwhile) return { status: 412, body: stale };
      expect(headers.get('if-match')).toBe('"as-seen"');
      if (dryRun !== true) isEnabled = false;
      return { body: { ...appChanged, changes: [line] } };
    }
    if (path === '/apps/search') {
      const settings = { ...app.settings, enabled: isEnabled };
      return { body: { ...app, settings }, etag: '"as-seen"' };
    }
    if (path === '/overview') return { body: overviewWithoutCalls };
    return { body: { items: [], after: null } };
  });
}

const line = {
  ...{ action: 'app.update', subject: 'search' },
  ...{ before: '{"enabled":true}', after: '{"enabled":false}' },
};
const stale = {
  error: {
    code: 'STALE',
    message: 'The app search was changed by someone else',
    now: { enabled: false },
  },
};

afterEach(() => {
  [isEnabled, isChangedMeanwhile] = [true, false];
});

test('an app is disabled after its name is typed and a reason is given', async () => {
  open();
  await waitFor(() => expect(button('Disable app…')).toBeDefined());
  button('Disable app…')?.click();
  await waitFor(() => expect(browser.text()).toContain('All its keys stop working immediately'));
  const submit = () => button('Disable');
  expect(submit()?.hasAttribute('disabled')).toBe(true);
  type('confirm', 'searc');
  await waitFor(() => expect(input('confirm').value).toBe('searc'));
  expect(submit()?.hasAttribute('disabled')).toBe(true);
  type('confirm', 'search');
  type('reason', 'it is not ours any more');
  await waitFor(() => expect(submit()?.hasAttribute('disabled')).toBe(false));
  expect(browser.asked.filter(({ method }) => method === 'PATCH').map(isDryRun)).not.toContain(
    false,
  );
  submit()?.click();
  await waitFor(() => expect(button('Enable app…')).toBeDefined());
  const sent = browser.asked.filter((request) => request.method === 'PATCH' && !isDryRun(request));
  expect(sent.map(({ path, body }) => [path, body])).toEqual([
    [
      '/apps/search',
      { reason: 'it is not ours any more', confirm: 'search', settings: { enabled: false } },
    ],
  ]);
  expect(browser.window.document.querySelector('dialog')).toBeNull();
});

test('an app that was changed in between is not disabled, with a message', async () => {
  isChangedMeanwhile = true;
  open();
  await waitFor(() => expect(button('Disable app…')).toBeDefined());
  button('Disable app…')?.click();
  await waitFor(() => expect(button('Disable')).toBeDefined());
  type('confirm', 'search');
  type('reason', 'it is not ours any more');
  await waitFor(() => expect(button('Disable')?.hasAttribute('disabled')).toBe(false));
  button('Disable')?.click();
  await waitFor(() => expect(browser.text()).toContain('was changed by someone else'));
  expect(isEnabled).toBe(true);
});

function isDryRun({ body }: { readonly body: unknown }): boolean {
  return Object(body).dryRun === true;
}

function button(text: string) {
  const all = [...browser.window.document.querySelectorAll('button')];
  return all.find(({ textContent }) => textContent === text);
}

function input(label: string) {
  const inputs = [...browser.window.document.querySelectorAll('input')];
  const [field] = inputs.filter(({ name }) => name === label);
  if (field === undefined) throw new Error(`the dialog has no field ${label}`);
  return field;
}

function type(name: string, text: string) {
  input(name).value = text;
  input(name).dispatchEvent(new browser.window.Event('input', { bubbles: true }));
}
