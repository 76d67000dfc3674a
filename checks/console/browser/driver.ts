/** The used part of the driver's interface; the driver is installed next to this check. */
export interface Browser {
  version(): string;
  newContext(options?: ContextOptions): Promise<Context>;
  close(): Promise<void>;
}

export interface ContextOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce';
  readonly viewport?: Size;
  readonly acceptDownloads?: boolean;
  readonly permissions?: readonly string[];
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Context {
  newPage(): Promise<Page>;
  /** Runs before the scripts of each page. */
  addInitScript(script: { readonly content: string }): Promise<void>;
  setOffline(isOffline: boolean): Promise<void>;
  clearCookies(): Promise<void>;
  cookies(): Promise<readonly Cookie[]>;
  setDefaultTimeout(timeoutMs: number): void;
  close(): Promise<void>;
}

export interface Cookie {
  readonly name: string;
  readonly httpOnly: boolean;
  readonly sameSite: string;
}

export interface Page extends Finder {
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  goto(url: string, options?: { waitUntil?: 'load' | 'commit' }): Promise<PageResponse | null>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  url(): string;
  title(): Promise<string>;
  content(): Promise<string>;
  evaluate<T>(source: string): Promise<T>;
  emulateMedia(options: {
    colorScheme?: 'light' | 'dark';
    media?: 'print' | 'screen';
  }): Promise<void>;
  setViewportSize(size: Size): Promise<void>;
  screenshot(options: Screenshot): Promise<Uint8Array>;
  waitForURL(url: RegExp): Promise<void>;
  waitForEvent(event: 'download'): Promise<Download>;
  waitForEvent(event: 'filechooser'): Promise<FileChooser>;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void;
  on(
    event: 'request' | 'requestfinished' | 'requestfailed',
    listener: (request: PageRequest) => void,
  ): void;
  /** Answers the requests of these addresses in place of the service. */
  route(url: RegExp, answer: (route: Route) => unknown): Promise<void>;
  unroute(url: RegExp): Promise<void>;
  close(): Promise<void>;
  context(): Context;
}

export interface PageRequest {
  url(): string;
  method(): string;
}

/** A request that waits for its response. */
export interface Route {
  request(): PageRequest;
  continue(): Promise<void>;
  fulfill(answer: {
    readonly status: number;
    readonly contentType: string;
    readonly body: string;
  }): Promise<void>;
}

export interface PageResponse {
  status(): number;
  headers(): Readonly<Record<string, string>>;
  text(): Promise<string>;
}

export interface Screenshot {
  readonly path: string;
  readonly fullPage?: boolean;
  readonly type?: 'png' | 'jpeg';
  readonly quality?: number;
}

export interface Download {
  suggestedFilename(): string;
  path(): Promise<string>;
}

/** The dialog in which the browser asks for a file. */
export interface FileChooser {
  setFiles(path: string): Promise<void>;
}

/** Finds as people do: by role and name, by label, by text. */
export interface Finder {
  locator(selector: string, options?: { hasText?: string | RegExp }): Locator;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Locator;
  getByLabel(text: string | RegExp, options?: { exact?: boolean }): Locator;
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator;
}

export interface ElementHandle {
  readonly ownerDocument: { readonly activeElement: unknown };
}

export interface Locator extends Finder {
  click(): Promise<void>;
  fill(text: string): Promise<void>;
  press(key: string): Promise<void>;
  focus(): Promise<void>;
  evaluate<T>(read: (element: ElementHandle) => T): Promise<T>;
  hover(): Promise<void>;
  check(): Promise<void>;
  textContent(): Promise<string | null>;
  innerText(): Promise<string>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  allInnerTexts(): Promise<string[]>;
  count(): Promise<number>;
  isVisible(): Promise<boolean>;
  waitFor(options?: { state?: 'visible' | 'hidden' | 'attached' | 'detached' }): Promise<void>;
  first(): Locator;
  last(): Locator;
  nth(index: number): Locator;
}
