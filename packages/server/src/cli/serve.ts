import process from 'node:process';
import type { Command } from 'commander';
import { serveConsole } from '../admin-api/listener.ts';
import type { Service } from '../compose/compose.ts';
import { CompositionError } from '../compose/composition-error.ts';
import { type OpenService, openService } from '../compose/open-service.ts';
import type { FurtherThreads } from '../compose/threads/threads.ts';
import type { Config } from '../domain/config.ts';
import { isLoopback } from '../domain/loopback.ts';
import { operatorHttpOptions } from '../ingress/http/options.ts';
import { acceptPipelined } from '../ingress/http/pipelining.ts';
import { sleep } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createAdminListener } from '../observe/admin-listener.ts';
import { sharedPage } from '../observe/shared-page.ts';
import { makeLoginCode } from '../operations/access/console-sessions.ts';
import type { MissingAppsPolicy } from '../operations/apps/file-plan.ts';
import { AdminError } from '../operations/context/admin-error.ts';
import { endSampleKeys, firstCaller, issueSampleKeys } from '../operations/keys/sample-keys.ts';
import { type CallersServer, createCallersServer } from './callers-server.ts';
import { readConfigInThread } from './config-thread/read-in-thread.ts';
import { adminConnectionsMax, descriptorWarning } from './listen/descriptors.ts';
import { listen } from './listen/listen.ts';
import { type MissingOptions, missingPolicy } from './missing-apps.ts';
import {
  type CommandContext,
  type CommonOptions,
  operator,
  readConfig,
  UsageError,
} from './process/context.ts';
import { simulatorFor } from './process/platforms.ts';
import { withoutDocument } from './process/shared-options.ts';
import { reloadOnHangup } from './reload.ts';
import { listenOn } from './serve-port.ts';
import { openServiceLog, type ServiceLog } from './service-log.ts';
import { clearPlatforms, clearTextWarning, rootWarning, stopWarning } from './start-warnings.ts';
import { hasTerminal, stopSignal } from './stop-signal.ts';
import { keyHintLines, welcomeLines } from './welcome.ts';

export function registerServe(program: Command, context: CommandContext): void {
  withoutDocument(program.command('serve').description('start the gateway (Ctrl-C to stop)'))
    .option('--port <port>', 'port for callers; 0: any free one (default: PORT, then the file)')
    .option('--disable-missing', 'this start only: disable apps in use that the file lacks')
    .option('--keep-missing', 'keep them with stored settings (MODEL_GATEWAY_MISSING_APPS=keep)')
    .option('--new-store', 'this start only: create an empty SQLite store if one seems lost')
    .action((_options: unknown, command: Command) =>
      serve(context, command.optsWithGlobals<ServeOptions>()),
    );
}

interface ServeOptions extends CommonOptions, MissingOptions {
  readonly port?: string;
  readonly newStore?: boolean;
}

/**
 * Resolves after a signal. Throws an AdminError if calls stayed unsettled because the store was
 * unavailable.
 */
async function serve(context: CommandContext, options: ServeOptions): Promise<void> {
  context.becomeService?.();
  const listening = (file: Config): Config => {
    return { ...file, listen: listenOn(context, options.port, file.listen) };
  };
  const read = async () => listening(await readConfigInThread(context, options));
  const config = listening(readConfig(context, options));
  const missing = missingPolicy(context, options);
  const serviceLog = openServiceLog(context);
  const { log, linesLost } = serviceLog;
  process.stdout.once('error', ({ message }) => {
    log.error({ error: message }, 'could not write to standard output');
  });
  const warning = descriptorWarning(config.limits.inFlight);
  if (warning !== undefined) log.warn({ inFlight: config.limits.inFlight }, warning);
  const isNew = options.newStore === true;
  const openThreads = () => threadsOf(context, config, serviceLog);
  const service = await open(context, { config, log, missing, openThreads, isNew });
  try {
    const callersServer = createCallersServer({ service, config, clock: context.clock });
    await serveCallers(context, { config, log, linesLost, service, callersServer, read, missing });
  } finally {
    await service.close();
  }
  log.info({}, 'stopped');
}

async function threadsOf(
  { clock, ids }: CommandContext,
  config: Config,
  { log, level: logLevel, writeLine }: ServiceLog,
): Promise<FurtherThreads> {
  const { createFurtherThreads } = await import('./threads/further-threads.ts');
  const onDeath = (error: Error) => die(log, error, 'a request thread failed; exiting');
  const channel = ids.next('threads');
  return createFurtherThreads({ config, clock, channel, logLevel, writeLine, onDeath });
}

async function open(
  context: CommandContext,
  parts: Pick<Serving, 'config' | 'log' | 'missing'> & {
    readonly openThreads: () => Promise<FurtherThreads>;
    readonly isNew: boolean;
  },
): Promise<OpenService> {
  const { clock, ids } = context;
  const { config, log, missing, openThreads, isNew } = parts;
  try {
    return await openService(config, {
      clock,
      ids,
      log,
      missing,
      isNew,
      actor: operator(context.environment),
      onDeath: (error) => die(log, error, 'the store failed; exiting'),
      prepare: (admin) => endSampleKeys(admin, config, log),
      simulator: await simulatorFor(context, config),
      hasConsole: config.console.enabled,
      openThreads,
    });
  } catch (error) {
    if (error instanceof CompositionError) throw new UsageError(error.message);
    throw error;
  }
}

interface Serving {
  readonly config: Config;
  readonly read: () => Promise<Config>;
  readonly missing: MissingAppsPolicy;
  readonly log: Log;
  readonly linesLost: () => number;
  readonly service: OpenService;
  readonly callersServer: CallersServer;
}

async function serveCallers(context: CommandContext, serving: Serving): Promise<void> {
  const { config, log, service, callersServer } = serving;
  const { admin } = service;
  const adminServer = createOperatorsListener(context, serving);
  try {
    // Opened first, so callers are answered shortly after `/ready` succeeds.
    await callersServer.open();
    const { url: adminUrl } = await listen(adminServer, config.admin, { section: 'admin' });
    const url = await callersServer.listen();
    service.live.setUrl(url);
    logAdminListener(log, config, adminUrl);
    // After listening: a failed startup writes only one line with its reason.
    for (const clear of clearPlatforms(config.platforms)) log.warn(clear, clearTextWarning);
    for (const warning of warningsOf(config, service)) log.warn({}, warning);
    service.logCreated();
    // After listening: keys are shown only once, and a failed startup must not create them.
    const sampleKeys = await issueSampleKeys(admin, config);
    const caller = await firstCaller(admin);
    await callersServer.refresh();
    const stopped = stopSignal(context.clock);
    const reloads = hasTerminal() ? undefined : reloadOnHangup(context, serving);
    context.print(`Model Gateway is ready at ${url}`);
    const shown = config.publicUrl ?? url;
    const lines = [...welcomeLines(shown, sampleKeys), ...keyHintLines(caller)];
    for (const line of lines) context.print(line);
    for (const line of await loginLines(context, service, config, adminUrl)) context.print(line);
    // Not awaited: unavailable platforms must not delay readiness.
    void service.watch.check();
    await stopped;
    await reloads?.stop();
    // Load balancers see the announced shutdown, and have time to react.
    callersServer.drain();
    await sleep(context.clock, config.limits.stopDelayMs);
  } finally {
    try {
      await stop(callersServer);
    } finally {
      // Last, so operators can watch the whole shutdown.
      adminServer.close();
      adminServer.closeAllConnections();
    }
  }
}

function warningsOf({ limits, streaming }: Config, { registry }: Service): readonly string[] {
  const hasStreams = streaming || registry.apps().some((app) => app.streaming === true);
  return [rootWarning(), stopWarning(limits, hasStreams)].filter((text) => text !== undefined);
}

function createOperatorsListener(
  { clock }: Pick<CommandContext, 'clock'>,
  { service, config: { admin }, log, linesLost }: Serving,
) {
  const { monitor, connections, console } = service;
  const hosts = [admin.host, ...(admin.hosts ?? [])];
  monitor.watchProcess(linesLost);
  const pages = { ...monitor.pages, '/metrics': sharedPage(clock, monitor.pages['/metrics']) };
  const adminServer = createAdminListener({
    ...{ pages, log, hosts, isAccepted: acceptPipelined },
    other: console && ((incoming, outgoing) => serveConsole(console, incoming, outgoing, protect)),
    http: operatorHttpOptions,
  });
  const { protect } = connections.boundOperators(adminServer, adminConnectionsMax);
  return adminServer;
}

/** Only in the log: standard output contains only the one line about readiness. */
function logAdminListener(log: Log, { admin: { host } }: Config, url: string) {
  log.info({ url }, 'admin listener started');
  if (isLoopback(host)) return;
  log.warn(
    { host },
    'other machines can reach the admin listener without a key; make sure that only operators can reach its address',
  );
}

/** Only on a terminal: the link gives full access to everyone who can read it. */
async function loginLines(
  { environment }: CommandContext,
  { admin, console }: OpenService,
  config: Config,
  adminUrl: string,
): Promise<readonly string[]> {
  if (console === undefined || !process.stdout.isTTY) return [];
  const { url = adminUrl } = config.console;
  const name = operator(environment).slice('cli:'.length);
  const code = await makeLoginCode(admin, { name, role: 'operator', apps: undefined });
  const title = 'Console login link, valid for 5 minutes:';
  return [title, '', `  ${url}/console/login#code=${code}`, ''];
}

/** Throws if calls could not be settled in the store. */
async function stop(callersServer: CallersServer) {
  const { unsettledCalls } = await callersServer.stop();
  if (unsettledCalls > 0) throw new AdminError(unsettled(unsettledCalls));
}

function unsettled(calls: number): string {
  return `the store stayed unavailable during shutdown; unsettled calls: ${calls}; the next service that finds their reservations books them as estimated`;
}

/** Without its store a service only does harm; an orchestrator restarts it. */
function die(log: Log, error: Error, message: string) {
  log.error({ error: error.message, stack: error.stack }, message);
  process.exit(1);
}
