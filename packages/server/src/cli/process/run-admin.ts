import { withAdmin } from '../../compose/open-admin.ts';
import type { Needs, Part, PartConfig } from '../../config/parts.ts';
import type { Log } from '../../lib/log.ts';
import { declareMissing, fileActor } from '../../operations/config/declared-apps.ts';
import type { AdminContext } from '../../operations/context/context.ts';
import { type CommandContext, operator, readParts } from './context.ts';
import { readEnvironment } from './environment.ts';
import { type ChangeOptions, reasonOf } from './option-input.ts';

export type AdminWork<T, P extends Part = never> = (
  admin: AdminContext,
  config: PartConfig<P>,
) => Promise<T>;

/**
 * `--reason` is the operator's reason. The configuration includes the named parts and the store.
 */
export async function onStore<T, P extends Part = never>(
  context: CommandContext,
  options: ChangeOptions,
  work: AdminWork<T, P>,
  needs: Needs<P> = { parts: [] },
): Promise<T> {
  const reason = reasonOf(options);
  const config = readParts(context, options, needs);
  const { clock, ids } = context;
  const log = commandLog(context);
  const parts = { clock, ids, actor: operator(context.environment), reason, log };
  return withAdmin(config, parts, (admin) => work(admin, config));
}

/** Writes the file's apps into the store, before any service has started. */
export function onApps<T, P extends Part = never>(
  context: CommandContext,
  options: ChangeOptions,
  work: AdminWork<T, P | 'apps'>,
  needs: Needs<P> = { parts: [] },
): Promise<T> {
  const declare: AdminWork<void, 'apps'> = async (admin, config) => {
    const declaring = { ...admin, actor: fileActor(config), reason: undefined };
    const refusals = await declareMissing(declaring, config.apps);
    for (const refusal of refusals) context.warn(refusal);
  };
  const all: Needs<P | 'apps'> = { ...needs, parts: [...needs.parts, 'apps'] };
  return onStore<T, P | 'apps'>(
    context,
    options,
    async (admin, config) => {
      await declare(admin, config);
      return work(admin, config);
    },
    all,
  );
}

/**
 * JSON lines on standard error if MODEL_GATEWAY_LOG is set. Otherwise undefined, because the output
 * is for the operator.
 */
function commandLog({ clock, environment, warn }: CommandContext): Pick<Log, 'info'> | undefined {
  const { MODEL_GATEWAY_LOG: level } = readEnvironment(environment);
  if (level !== 'info' && level !== 'debug') return undefined;
  return {
    info(fields, sentence) {
      const time = new Date(clock.now()).toISOString();
      warn(JSON.stringify({ level: 'info', time, ...fields, msg: sentence }));
    },
  };
}
